import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Event } from '../../shared/events/envelope.ts';
import { isEvent } from '../../shared/events/read-event.ts';
import { payloadOf } from '../../shared/messaging/webhooks/payload.ts';
import { eventCatalogue, eventKinds, notificationTexts } from '../../shared/resources/derived.ts';
import { responseValidatorOf } from '../harness/compiled.ts';

/*
 * The golden file has three lines for each shape of event data: a stored event, its full payload of version
 * 1, and its thin payload. For a new shape, add a line with an event; `vitest -u` adds the payloads. An
 * existing payload must never change. Any change needs a new payload version.
 */
const file = join(import.meta.dirname, 'golden.jsonl');
const events = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{"id":'))
  .map((line): Event => JSON.parse(line));

const shapeOf = (kind: keyof typeof eventCatalogue) => JSON.stringify(eventCatalogue[kind].schema);

test('the golden file has one event of each shape, and each kind has a template', () => {
  expect(events.map(({ kind }) => shapeOf(kind)).sort()).toEqual(
    [...new Set(eventKinds.map(shapeOf))].sort(),
  );
  expect(Object.keys(notificationTexts)).toEqual(eventKinds);
});

test.each(events)('the stored event $kind is valid and has the data of its kind', (event) => {
  expect(isEvent(event)).toBe(true);
  const { schema: response, subjects } = eventCatalogue[event.kind];
  expect(subjects).toContain(event.subject.type);
  const contract = { method: 'GET', path: `/${event.kind}`, access: 'public', summary: event.kind } as const;
  const validate = responseValidatorOf({ ...contract, response });
  expect(validate(event.data) ? [] : validate.errors).toEqual([]);
});

test('version 1 of each payload has the same bytes as in the golden file', async () => {
  const lines = events.flatMap((event) => [
    JSON.stringify(event),
    payloadOf(event, { payloadVersion: 1, payload: 'full' }).toString(),
    payloadOf(event, { payloadVersion: 1, payload: 'thin' }).toString(),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(file);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventCatalogue } from '../../shared/events/catalogue.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { isEvent } from '../../shared/events/read-event.ts';
import { emittedKinds } from '../../shared/events/subject-types.ts';
import { serviceRules } from '../../shared/messaging/recipients/every-service-rule.ts';
import { templates } from '../../shared/messaging/recipients/templates.ts';
import { payloadOf } from '../../shared/messaging/webhooks/payload.ts';
import { responseValidatorOf } from '../harness/compiled.ts';

const folder = join(import.meta.dirname, 'golden');
const kindsIn = (name: string) =>
  readdirSync(join(folder, name)).map((file) => file.replace(/\.jsonl?$/, ''));
const eventOf = (kind: string): Event =>
  JSON.parse(readFileSync(join(folder, 'events', `${kind}.json`), 'utf8'));

/*
 * `golden/events` has one stored event of each kind that occurs, `golden/v1` the bytes that version 1 makes of it. A new kind
 * needs an event there; vitest writes its bytes on the first run. Bytes that are there change with a new version only.
 */
test('the catalogue, the templates, the service’s rules and the golden files cover the same kinds', () => {
  const all = [...emittedKinds].sort();
  expect(kindsIn('events').sort()).toEqual(all);
  expect(kindsIn('v1').sort()).toEqual(all);
  expect(Object.keys(serviceRules)).toEqual(expect.arrayContaining(all));
  expect(Object.keys(templates)).toEqual(expect.arrayContaining(all));
});

describe.each(emittedKinds)('%s', (kind) => {
  test('its stored event is one, with the data of its kind', () => {
    const event = eventOf(kind);
    expect(isEvent(event)).toBe(true);
    expect(event.kind).toBe(kind);
    const response = eventCatalogue[kind].schema;
    const contract = { method: 'GET', path: `/${kind}`, access: 'public', summary: kind } as const;
    const validate = responseValidatorOf({ ...contract, response });
    expect(validate(event.data) ? [] : validate.errors).toEqual([]);
    expect(eventCatalogue[kind].subjects).toContain(event.subject.type);
  });

  test('version 1 of its payload keeps its bytes', async () => {
    const bytes = (payload: 'full' | 'thin') => payloadOf(eventOf(kind), { payloadVersion: 1, payload });
    await expect(`${bytes('full')}\n${bytes('thin')}\n`).toMatchFileSnapshot(
      join(folder, 'v1', `${kind}.jsonl`),
    );
  });
});

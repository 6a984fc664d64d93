import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import audit from '../../events/consumers/audit.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import { auditEntryOf } from '../../shared/audit/schema.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { recordOf } from '../../shared/table/item.ts';
import { queryItems } from '../../shared/table/read.ts';
import { consumerFunction, drain, newStreamRecords } from '../harness/drain.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(() => {
  noFaults();
  vi.restoreAllMocks();
});

const acme = await tenant();
const consume = consumerFunction(audit);
const messages = (bodies: unknown[]): SQSEvent =>
  ({
    Records: bodies.map((body, n) => ({
      messageId: `message-${n}`,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  }) as SQSEvent;
const returned = async (bodies: unknown[]) =>
  (await consume(messages(bodies))).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

/** New leads, and the events that their creation left in the stream. */
async function createdEvents(count: number): Promise<{ ids: number[]; events: Event[] }> {
  await newStreamRecords();
  const ids: number[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: `No ${n}` } })).id);
  const records = await newStreamRecords();
  const events = records.map(({ dynamodb }) =>
    recordOf<Event>(unmarshall((dynamodb.NewImage ?? {}) as never)),
  );
  return { ids, events: events.filter(({ kind }) => kind === 'lead_created') };
}
const entriesOf = async (ids: number[]) =>
  Promise.all(
    ids.map(async (leadId) => (await acme.key.ok(readLead, { params: { leadId } })).auditLog.length),
  );

/** What it took to be handled, beside what can be read: a number that the table does not take. */
const unwritable = (event: Event) => ({ ...event, data: { changes: { notes: { to: 1e300 } } } });

describe('ten messages', () => {
  // What a function logs about a message that it cannot handle is for its operators.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

  test.each<[string, (event: Event) => unknown]>([
    ['that is no JSON', () => '{'],
    ['that is no event', () => ({ hello: 'world' })],
    ['of a kind that does not exist', (event) => ({ ...event, kind: 'lead_lost' })],
    ['of a later version', (event) => ({ ...event, version: 2 })],
    ['that names no account', (event) => ({ ...event, accountId: 'a#b' })],
    ['that reads well and cannot be written', unwritable],
  ])('of ten messages one %s comes back alone, and the nine are done', async (_, poison) => {
    const { ids, events } = await createdEvents(10);
    const bodies: unknown[] = events.map((event, n) => (n === 6 ? poison(event) : event));
    expect(await returned(bodies)).toEqual(['message-6']);
    expect(await entriesOf(ids)).toEqual([1, 1, 1, 1, 1, 1, 0, 1, 1, 1]);
    // A redrive after the fix succeeds once.
    expect(await returned([events[6], events[6]])).toEqual([]);
    expect(await entriesOf(ids)).toEqual(Array(10).fill(1));
  });

  test('of ten messages all come back where the table takes nothing, and all are done once it does', async () => {
    const { ids, events } = await createdEvents(10);
    injectFaults({ unprocessed: 1 });
    expect(await returned(events)).toHaveLength(10);
    noFaults();
    expect(await entriesOf(ids)).toEqual(Array(10).fill(0));
    expect(await returned(events)).toEqual([]);
    expect(await entriesOf(ids)).toEqual(Array(10).fill(1));
  });
});

test('each message one to five times, shuffled and in batches of any cut, makes one audit entry', async () => {
  const { ids, events } = await createdEvents(12);
  const copies = events.flatMap((event, n) => Array<Event>(1 + (n % 5)).fill(event));
  const shuffled = copies
    .map((event, n) => ({ event, at: (n * 7919) % 101 }))
    .sort((one, other) => one.at - other.at);
  for (let start = 0; start < shuffled.length; start += 7)
    expect(await returned(shuffled.slice(start, start + 7).map(({ event }) => event))).toEqual([]);
  expect(await entriesOf(ids)).toEqual(Array(12).fill(1));
});

describe('an audit entry', () => {
  test('an audit entry of changes over 16 KB names the fields only', async () => {
    const { ids } = await createdEvents(1);
    const [leadId = 0] = ids;
    await acme.key.ok(updateLead, {
      params: { leadId },
      body: { notes: 'x'.repeat(20_000), company: 'Engines' },
    });
    await newStreamRecords().then((records) =>
      returned(records.map(({ dynamodb }) => recordOf(unmarshall((dynamodb.NewImage ?? {}) as never)))),
    );
    const { auditLog, notes } = await acme.key.ok(readLead, { params: { leadId } });
    expect(notes).toHaveLength(20_000);
    expect(auditLog[0]).toMatchObject({
      event: 'lead_updated',
      data: { changes: { notes: {}, company: {} } },
    });
  });

  test('an audit entry over 4 KB keeps the names of what changed and loses the values, and a smaller one keeps both', async () => {
    const { ids, events } = await createdEvents(1);
    const [leadId = 0] = ids;
    const [event] = events;
    if (!event) throw new Error('The lead has no event');
    const entry = (id: number, length: number) => ({
      ...event,
      id,
      data: {
        changes: { notes: { to: 'x'.repeat(length) }, company: { from: 'a', to: 'b' } },
        unassigned: true,
      },
    });
    const rest = Buffer.byteLength(JSON.stringify(auditEntryOf(entry(event.id + 1, 0) as Event)));
    const [fits, tooLong] = [entry(event.id + 1, 4096 - rest), entry(event.id + 2, 4097 - rest)];
    expect(await returned([fits, tooLong])).toEqual([]);
    const { auditLog } = await acme.key.ok(readLead, { params: { leadId } });
    expect(auditLog.map(({ data }) => data)).toEqual([
      { changes: { notes: {}, company: {} }, unassigned: true },
      fits.data,
    ]);
  });

  test('an audit entry of an application lies beside it, under an id that is text', async () => {
    const { events } = await createdEvents(1);
    const subject = { type: 'application', id: 'app_0123456789' };
    expect(await returned(events.map((event) => ({ ...event, subject })))).toEqual([]);
    const items = await queryItems({
      partition: `ACCOUNT#${acme.accountId}#APPLICATION#app_0123456789`,
    });
    expect(items.map(({ sk, event }) => [String(sk).slice(0, 6), event])).toEqual([
      ['AUDIT#', 'lead_created'],
    ]);
  });

  test('an audit entry tells that a credential was there and never what it was', async () => {
    const headers = {
      cookie: 'session=canary',
      'x-custom': 'canary',
      referer: `https://x.test/${'y'.repeat(400)}`,
    };
    const body = { firstName: 'Ada', lastName: 'Byron' };
    const lead = await acme.directKey.ok(createLead, {
      body,
      headers,
      query: { skipTeamAndSourceRequirement: true },
    });
    await drain();
    const { auditLog } = await acme.key.ok(readLead, { params: { leadId: lead.id } });
    expect(auditLog[0]?.requestPath).toBe('/leads');
    expect(auditLog[0]?.requestHeaders).toMatchObject({
      'x-api-key': '[masked]',
      'x-api-secret': '[masked]',
    });
    expect(auditLog[0]?.requestHeaders.referer).toHaveLength(256);
    expect(JSON.stringify(auditLog)).not.toMatch(/canary|mo_sk_/);
  });

  test('an audit entry is among the newest hundred, newest first', async () => {
    const { ids, events } = await createdEvents(1);
    const [leadId = 0] = ids;
    const [event] = events;
    const many = Array.from({ length: 110 }, (_, n) => ({ ...event, id: (event?.id ?? 0) + n }));
    for (let start = 0; start < many.length; start += 10)
      expect(await returned(many.slice(start, start + 10))).toEqual([]);
    const { auditLog } = await acme.key.ok(readLead, { params: { leadId } });
    expect(auditLog.map(({ id }) => id)).toEqual(
      many
        .slice(10)
        .map(({ id }) => id)
        .reverse(),
    );
  });
});

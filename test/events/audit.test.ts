import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import audit from '../../events/consumers/audit.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { recordOf } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import { consumerFunction, newStreamRecords } from '../harness/drain.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { byChoice, heldUp, interleave, type Picks } from '../harness/interleave.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(noFaults);

const acme = await tenant();
const consume = consumerFunction(audit);

/** The kinds of the messages that come again. */
async function comingAgain(events: readonly Event[]): Promise<string[]> {
  const Records = events.map((event, n) => ({ messageId: String(n), body: JSON.stringify(event) }));
  const { batchItemFailures } = await consume({ Records } as SQSEvent);
  return batchItemFailures.map(({ itemIdentifier }) => events[Number(itemIdentifier)]?.kind ?? '');
}

/** The events that were written since this was last asked. */
const newEvents = async (): Promise<Event[]> =>
  (await newStreamRecords()).map(({ dynamodb }) =>
    recordOf<Event>(unmarshall((dynamodb.NewImage ?? {}) as never)),
  );

interface Life {
  leadId: number;
  created: Event;
  updated: Event;
}

/** A lead that was created and changed, and whose events nobody has handled. */
async function leadWithEvents(): Promise<Life> {
  await newEvents();
  const { id: leadId } = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  await acme.key.ok(updateLead, { params: { leadId }, body: { company: 'Engines' } });
  const [created, updated] = await newEvents();
  if (!created || !updated) throw new Error('The lead has no events');
  return { leadId, created, updated };
}

/** Deletes a lead, and returns the event of that. */
async function deletionOf({ leadId }: Life): Promise<Event> {
  await newEvents();
  await acme.key.ok(deleteLead, { params: { leadId } });
  const [deleted] = await newEvents();
  if (deleted?.kind !== 'lead_deleted') throw new Error('The lead has no event of its deletion');
  return deleted;
}

/** What is left in a lead's partition beside the lead or its tombstone: the events of its audit entries. */
const workItemsOf = async ({ leadId }: Life): Promise<unknown[]> => {
  const items = await queryItems({ partition: recordKey(acme.accountId, 'LEAD', leadId).pk });
  return items.filter(({ sk }) => sk !== 'RECORD').map(({ event }) => event);
};

/** Leaves every write of a batch unprocessed that mentions this. */
const leaving = (text: string | number): void =>
  injectFaults({ leaves: (write) => write.includes(String(text)) });

test('an audit message whose entry DynamoDB leaves unprocessed comes again, and the others are done', async () => {
  const [stuck, other] = [await leadWithEvents(), await leadWithEvents()];
  leaving(stuck.leadId);
  expect(await comingAgain([other.created, stuck.created])).toEqual(['lead_created']);
  expect([await workItemsOf(other), await workItemsOf(stuck)]).toEqual([['lead_created'], []]);
  noFaults();
  expect(await comingAgain([stuck.created])).toEqual([]);
  expect(await workItemsOf(stuck)).toEqual(['lead_created']);
});

test('a late audit message whose entry cannot be removed comes again, until it is gone', async () => {
  const lead = await leadWithEvents();
  expect(await comingAgain([await deletionOf(lead)])).toEqual([]);
  leaving('DeleteRequest');
  expect(await comingAgain([lead.updated])).toEqual(['lead_updated']);
  expect(await workItemsOf(lead)).toEqual(['lead_updated']);
  noFaults();
  expect(await comingAgain([lead.updated])).toEqual([]);
  expect(await workItemsOf(lead)).toEqual([]);
});

test('the audit message of a deletion comes again while any entry is left', async () => {
  const lead = await leadWithEvents();
  expect(await comingAgain([lead.created, lead.updated])).toEqual([]);
  const deleted = await deletionOf(lead);
  // The first entry is the oldest, and not the deletion's own.
  injectFaults({
    leaves: (item) => item.includes('DeleteRequest') && item.includes(String(lead.created.id)),
  });
  expect(await comingAgain([deleted])).toEqual(['lead_deleted']);
  expect(await workItemsOf(lead)).toEqual(['lead_created']);
  noFaults();
  expect(await comingAgain([deleted])).toEqual([]);
  expect(await workItemsOf(lead)).toEqual([]);
});

test('the audit message of a deletion takes away more entries than a batch holds', async () => {
  const lead = await leadWithEvents();
  const many = Array.from({ length: 60 }, (_, n) => ({ ...lead.updated, id: lead.updated.id + n }));
  expect(await comingAgain(many)).toEqual([]);
  expect(await workItemsOf(lead)).toHaveLength(60);
  expect(await comingAgain([await deletionOf(lead)])).toEqual([]);
  expect(await workItemsOf(lead)).toEqual([]);
});

describe('the audit entries of a deleted lead', () => {
  const orders = [
    ['created', 'updated', 'deleted'],
    ['created', 'deleted', 'updated'],
    ['updated', 'created', 'deleted'],
    ['updated', 'deleted', 'created'],
    ['deleted', 'created', 'updated'],
    ['deleted', 'updated', 'created'],
  ] as const;

  test.each(orders)(
    'a deleted lead keeps no audit entry where its messages come one by one: %s, %s, %s',
    async (...order) => {
      const lead = await leadWithEvents();
      const messages = { ...lead, deleted: await deletionOf(lead) };
      for (const name of order) expect(await comingAgain([messages[name]])).toEqual([]);
      expect(await workItemsOf(lead)).toEqual([]);
    },
  );

  test.each([orders[0], orders[4]])(
    'a deleted lead keeps no audit entry where its messages come in one batch: %s, %s, %s',
    async (...order) => {
      const lead = await leadWithEvents();
      const messages = { ...lead, deleted: await deletionOf(lead) };
      expect(await comingAgain(order.map((name) => messages[name]))).toEqual([]);
      expect(await workItemsOf(lead)).toEqual([]);
    },
  );

  /** A late message, and beside it the deletion with its own message; what comes again of either. */
  const race = (lead: Life, picks: Picks) =>
    interleave(
      [
        () => comingAgain([lead.created]),
        async () => {
          await acme.key.ok(deleteLead, { params: { leadId: lead.leadId } });
          return comingAgain([{ ...lead.updated, id: lead.updated.id + 1, kind: 'lead_deleted', data: {} }]);
        },
      ],
      picks,
    );
  // A late message takes three requests, a deletion and its message seven.
  const heldUpAt = [0, 1].flatMap((actor) =>
    Array.from({ length: actor === 0 ? 4 : 8 }, (_, after) => ({
      who: ['a late entry', 'the deletion'][actor],
      actor,
      after,
    })),
  );

  test.each(heldUpAt)(
    'a deleted lead keeps no audit entry where $who is held up after $after requests',
    async ({ actor, after }) => {
      for (const first of ['oldest', 'newest'] as const) {
        const lead = await leadWithEvents();
        expect(await race(lead, heldUp(actor, after, first))).toEqual([[], []]);
        expect(await workItemsOf(lead)).toEqual([]);
      }
    },
  );

  test('a deleted lead keeps no audit entry where late entry, deletion and its message interleave request by request', async () => {
    const choices = fc.array(fc.nat(3), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(choices, async (order) => {
        const lead = await leadWithEvents();
        expect(await race(lead, byChoice(order))).toEqual([[], []]);
        expect(await workItemsOf(lead)).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });
});

test('without a deletion every entry is there once, however its messages interleave', async () => {
  const choices = fc.array(fc.nat(5), { minLength: 10, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(choices, async (order) => {
      const lead = await leadWithEvents();
      const messages = [[lead.created], [lead.updated, lead.created], [lead.updated]];
      await interleave(
        messages.map((events) => () => comingAgain(events)),
        byChoice(order),
      );
      expect(await workItemsOf(lead)).toEqual(['lead_created', 'lead_updated']);
    }),
    { numRuns: 5 },
  );
});

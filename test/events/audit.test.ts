import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import audit from '../../events/consumers/audit.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import { newEvents, redeliveredBy } from '../harness/drain.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { byChoice, heldUp, interleave, type Picks } from '../harness/interleave.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(noFaults);

const acme = await tenant();
const consume = redeliveredBy(audit);
/** Returns the kinds of the messages that are delivered again. */
const redelivered = async (events: readonly Event[]) => (await consume(events)).map(({ kind }) => kind);

interface Life {
  leadId: number;
  created: Event;
  updated: Event;
}

/** Creates and changes a lead. The consumers have not processed the events yet. */
async function leadWithEvents(): Promise<Life> {
  await newEvents();
  const { id: leadId } = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  await acme.key.ok(updateLead, { params: { leadId }, body: { company: 'Engines' } });
  const [created, updated] = await newEvents();
  if (!created || !updated) throw new Error('The lead has no events.');
  return { leadId, created, updated };
}

/** Deletes a lead and returns the event of the deletion. */
async function deletionOf({ leadId }: Life): Promise<Event> {
  await newEvents();
  await acme.key.ok(deleteLead, { params: { leadId } });
  const [deleted] = await newEvents();
  if (deleted?.kind !== 'lead_deleted') throw new Error('The deletion emitted no event.');
  return deleted;
}

/** Returns the event kinds of the audit entries in a lead's partition. */
const workItemsOf = async ({ leadId }: Life): Promise<unknown[]> => {
  const items = await queryItems({ partition: recordKey(acme.accountId, 'LEAD', leadId).pk });
  return items.filter(({ sk }) => sk !== 'RECORD').map(({ event }) => event);
};

/** Makes batch writes return each item that contains this text as unprocessed. */
const leaving = (text: string | number): void =>
  injectFaults({ leaves: (write) => write.includes(String(text)) });

test('only the audit message whose entry was not written is delivered again', async () => {
  const [stuck, other] = [await leadWithEvents(), await leadWithEvents()];
  leaving(stuck.leadId);
  expect(await redelivered([other.created, stuck.created])).toEqual(['lead_created']);
  expect([await workItemsOf(other), await workItemsOf(stuck)]).toEqual([['lead_created'], []]);
  noFaults();
  expect(await redelivered([stuck.created])).toEqual([]);
  expect(await workItemsOf(stuck)).toEqual(['lead_created']);
});

test('if an audit message arrives after its lead was deleted, it is retried until the audit entry that it wrote is removed', async () => {
  const lead = await leadWithEvents();
  expect(await redelivered([await deletionOf(lead)])).toEqual([]);
  leaving('DeleteRequest');
  expect(await redelivered([lead.updated])).toEqual(['lead_updated']);
  expect(await workItemsOf(lead)).toEqual(['lead_updated']);
  noFaults();
  expect(await redelivered([lead.updated])).toEqual([]);
  expect(await workItemsOf(lead)).toEqual([]);
});

test('the audit message of a deletion is delivered again until all entries are removed', async () => {
  const lead = await leadWithEvents();
  expect(await redelivered([lead.created, lead.updated])).toEqual([]);
  const deleted = await deletionOf(lead);
  // The batch that deletes the audit entries does not delete the entry of `lead_created`.
  injectFaults({
    leaves: (item) => item.includes('DeleteRequest') && item.includes(String(lead.created.id)),
  });
  expect(await redelivered([deleted])).toEqual(['lead_deleted']);
  expect(await workItemsOf(lead)).toEqual(['lead_created']);
  noFaults();
  expect(await redelivered([deleted])).toEqual([]);
  expect(await workItemsOf(lead)).toEqual([]);
});

test('the audit message of a deletion removes more entries than fit in a batch', async () => {
  const lead = await leadWithEvents();
  const many = Array.from({ length: 60 }, (_, n) => ({ ...lead.updated, id: lead.updated.id + n }));
  expect(await redelivered(many)).toEqual([]);
  expect(await workItemsOf(lead)).toHaveLength(60);
  expect(await redelivered([await deletionOf(lead)])).toEqual([]);
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
    'a deleted lead keeps no audit entry if single messages arrive in the order %s, %s, %s',
    async (...order) => {
      const lead = await leadWithEvents();
      const messages = { ...lead, deleted: await deletionOf(lead) };
      for (const name of order) expect(await redelivered([messages[name]])).toEqual([]);
      expect(await workItemsOf(lead)).toEqual([]);
    },
  );

  test.each([orders[0], orders[4]])(
    'a deleted lead keeps no audit entry if one batch contains %s, %s, %s',
    async (...order) => {
      const lead = await leadWithEvents();
      const messages = { ...lead, deleted: await deletionOf(lead) };
      expect(await redelivered(order.map((name) => messages[name]))).toEqual([]);
      expect(await workItemsOf(lead)).toEqual([]);
    },
  );

  /** Handles a late message while the lead is deleted. Returns the messages that are delivered again. */
  const race = (lead: Life, picks: Picks) =>
    interleave(
      [
        () => redelivered([lead.created]),
        async () => {
          await acme.key.ok(deleteLead, { params: { leadId: lead.leadId } });
          return redelivered([{ ...lead.updated, id: lead.updated.id + 1, kind: 'lead_deleted', data: {} }]);
        },
      ],
      picks,
    );
  // Handling the late message takes three requests. The deletion and its own message take seven requests.
  const heldUpAt = [0, 1].flatMap((actor) =>
    Array.from({ length: actor === 0 ? 4 : 8 }, (_, after) => ({
      who: ['the consumer of a late message', 'the deletion'][actor],
      actor,
      after,
    })),
  );

  test.each(heldUpAt)(
    'a deleted lead keeps no audit entry if $who pauses after $after requests',
    async ({ actor, after }) => {
      for (const first of ['oldest', 'newest'] as const) {
        const lead = await leadWithEvents();
        expect(await race(lead, heldUp(actor, after, first))).toEqual([[], []]);
        expect(await workItemsOf(lead)).toEqual([]);
      }
    },
  );

  test('no audit entry remains after the deletion of a lead, in any interleaving with a late message', async () => {
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

test('audit messages of an existing record write each entry once, in any order and interleaving', async () => {
  const choices = fc.array(fc.nat(5), { minLength: 10, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(choices, async (order) => {
      const lead = await leadWithEvents();
      const messages = [[lead.created], [lead.updated, lead.created], [lead.updated]];
      await interleave(
        messages.map((events) => () => redelivered(events)),
        byChoice(order),
      );
      expect(await workItemsOf(lead)).toEqual(['lead_created', 'lead_updated']);
    }),
    { numRuns: 5 },
  );
});

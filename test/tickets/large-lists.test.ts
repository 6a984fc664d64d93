import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import slaSweep from '../../events/schedules/sla-sweep.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import createUser from '../../functions/users/create-user.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { mintId } from '../../shared/id/mint.ts';
import { unassigned } from '../../shared/people/users/unassigned.ts';
import { startClock } from '../../shared/sla/advance-clock.ts';
import { targetsWith } from '../../shared/sla/policy.ts';
import { type TicketStatus, ticketStatuses } from '../../shared/sla/schema.ts';
import { ticketNumbersKey } from '../../shared/support/tickets/keys.ts';
import { type NewTicket, tickets } from '../../shared/support/tickets/store.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { totalShards } from '../../shared/table/keys.ts';
import { type CounterDelta, isCounterDelta } from '../../shared/table/operations.ts';
import { transact } from '../../shared/table/transact.ts';
import { measure } from '../costs/meter.ts';
import { clock } from '../harness/clock.ts';
import { documents } from '../harness/documents.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { randomChanges } from '../harness/heavy.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { newTicketOf, sendTicket, ticketInput } from './new-tickets.ts';

/** `npm run test:extra -- heavy` uses 100,000 tickets, or LARGE_TICKETS. */
const count = Number(process.env.LARGE_TICKETS ?? 1_500);

// Creates the table without a stream. A stream slows down the native engine as it grows, and no test in this
// file needs it.
process.env.TABLE_NAME = `${tableName()}-tickets`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });
afterAll(() => {
  noFaults();
  clock.reset();
});

/** A tenant whose tickets are evenly distributed over all statuses and six `holders`: `unassigned` and five users. */
interface Desk extends Tenant {
  holders: readonly string[];
  /** The ids of the newest tickets. These tickets are stored with all their items. */
  newest: readonly number[];
}

/**
 * The number of newest tickets that have all their items. Older tickets have only the items that lists and the sweep
 * read.
 */
const complete = 200;
const description = 'Since this morning no receipt comes out, and the shop is full of customers. '.repeat(3);

/**
 * Returns the `n`th ticket of a tenant, as the endpoint would create it. `newer`, the number of newer
 * tickets, determines the status and the holder of the ticket.
 */
function ticketOf(
  { accountId, holders }: Omit<Desk, 'newest'>,
  { id, n, newer }: { id: number; n: number; newer: number },
): NewTicket {
  const at = new Date(startedAt).toISOString();
  const status = ticketStatuses[newer % ticketStatuses.length] ?? 'open';
  const holder = holders[Math.floor(newer / ticketStatuses.length) % holders.length] ?? unassigned;
  const policy = { number: 1, targets: targetsWith(undefined), timezone: 'UTC' };
  const { clock: started, entries } = startClock({ at, status, priority: 'low', policy });
  const ticket = {
    ...ticketInput,
    id,
    accountId: accountId as NewTicket['ticket']['accountId'],
    version: 1,
    createdAt: at,
    updatedAt: at,
    ticketNumber: `TKT-${String(n).padStart(6, '0')}`,
    description,
    status,
    priority: 'low' as const,
    source: 'api' as const,
    ...(holder !== unassigned && { assignedTo: holder }),
    tags: [],
    responseCount: 0,
    internalNoteCount: 0,
    commentCount: 0,
    attachmentCount: 0,
    clock: started,
    assignment: { at, by: 'seed', how: 'sent' as const },
  };
  return { ticket, entries };
}

const startedAt = Date.now();

/** Creates a tenant with tickets. Writes items and counters directly, in the format of the store. */
async function desk(amount: number): Promise<Desk> {
  const made = await tenant();
  const holders = [unassigned];
  for (let n = 1; n < 6; n++) {
    const body = { name: 'Agent', email: `agent${n}@${made.accountId.replaceAll('_', '-')}.test` };
    holders.push(String((await made.admin.ok(createUser, { body })).id));
  }
  const first = mintId(new Date(startedAt - 3_600_000));
  const counters = new Map<string, CounterDelta>();
  let next = 0;
  const writers = Array.from({ length: 4 }, async () => {
    for (let from = next; from < amount; from = next) {
      next += 100;
      const items: Item[] = [];
      for (let n = from; n < Math.min(from + 100, amount); n++) {
        const shard = n % totalShards;
        const newer = amount - 1 - n;
        const ticket = ticketOf({ ...made, holders }, { id: first + n, n: n + 1, newer });
        for (const write of tickets.insert(ticket)) {
          if (isCounterDelta(write)) {
            const name = JSON.stringify([shard, write.within, write.of]);
            counters.set(name, { ...write, amount: write.amount + (counters.get(name)?.amount ?? 0) });
          } else if ('Put' in write.operation) {
            const item = write.operation.Put.Item as Item;
            if (item.sk === 'SUMMARY' || newer < complete) items.push(item);
          }
        }
      }
      expect(await putAll(items)).toEqual([]);
    }
  });
  await Promise.all(writers);
  for (let shard = 0; shard < totalShards; shard++) {
    const deltas = [...counters].filter(([name]) => name.startsWith(`[${shard},`)).map(([, delta]) => delta);
    await transact(deltas, Date.now() + 60_000, 0, [shard]);
  }
  const Item = { ...ticketNumbersKey(made.accountId as CounterDelta['account']), count: amount };
  await documents.send(new PutCommand({ TableName: tableName(), Item }));
  const newest = Array.from({ length: complete }, (_, n) => first + amount - 1 - n);
  return { ...made, holders, newest };
}

/** Measures the requests, round trips, read items and writes of `runIt`. */
async function costOf<T>(runIt: () => Promise<T>) {
  const { result, requests, sequence, write, exchanges } = await measure(runIt);
  const items = exchanges.reduce((sum, { output }) => {
    const { Items = [], Responses = {} } = output as { Items?: unknown[]; Responses?: object };
    return sum + Items.length + Object.values(Responses).flat().length;
  }, 0);
  const written = exchanges.map(({ operation, input }) => {
    const { TransactItems = [] } = input as { TransactItems?: unknown[] };
    return [operation, TransactItems.length];
  });
  return { result, cost: { requests, sequence, items, write, written: written.sort() } };
}

/** Like `costOf`, for a request that must succeed. */
async function costOfCall<T extends { status: number }>({ admin }: Desk, runEndpoint: () => Promise<T>) {
  await inQuietMinute(() => admin.ok(listTeams));
  const { result, cost } = await costOf(runEndpoint);
  expect(result.status, JSON.stringify(result)).toBeLessThan(300);
  return { result, cost };
}

describe(`${count} tickets`, { timeout: 1_800_000 }, () => {
  let small: Desk;
  let large: Desk;
  let idleAtFirst: object;
  const sweep = () => costOf(() => runSchedule(slaSweep, clock.now()));

  beforeAll(async () => {
    small = await desk(1000);
    idleAtFirst = (await sweep()).cost;
    large = await desk(count);
  }, 1_800_000);

  const views: [string, (of: Desk) => object, number][] = [
    ['the default list', () => ({}), 1],
    ['status=open', () => ({ status: 'open' }), 1 / 6],
    ['assignedTo=none&status=open', () => ({ assignedTo: unassigned, status: 'open' }), 1 / 36],
    [
      'three statuses of one assignee',
      ({ holders }) => ({ assignedTo: holders[2], status: ['open', 'in_progress', 'resolved'] }),
      3 / 36,
    ],
  ];

  test.each(views)(
    `with ${count} tickets, %s costs the same as with 1,000, in one round trip`,
    async (_, queryOf, share) => {
      const list = (of: Desk) => costOfCall(of, () => of.admin.call(listTickets, { query: queryOf(of) }));
      const [few, many] = [await list(small), await list(large)];
      expect(many.cost).toEqual(few.cost);
      expect(many.cost).toMatchObject({ sequence: 1, write: 0 });
      const { data, totalCount } = many.result.body;
      expect(Math.abs(totalCount - count * share)).toBeLessThanOrEqual(3);
      expect(many.result.headers['x-list-window']).toBeUndefined();
      expect([data.length, data.map(({ id }) => id)]).toEqual([
        25,
        data.map(({ id }) => id).toSorted((one, other) => other - one),
      ]);
      if (share === 1) expect(data.map(({ id }) => id)).toEqual(large.newest.slice(0, 25));
    },
  );

  test(`with ${count} tickets as with 1,000, a read takes 1 round trip, a creation 3, a change 2, and an idle sweep 1`, async () => {
    const calls = {
      read: (of: Desk) => of.admin.call(readTicket, { params: { ticketId: String(of.newest[9]) } }),
      create: (of: Desk) => sendTicket(of.admin),
      change: (of: Desk) =>
        of.admin.call(updateTicket, {
          params: { ticketId: String(of.newest[9]) },
          body: { status: 'waiting_internal', assignedTo: of.holders[4], tags: ['large'] },
        }),
    };
    const sequences: Record<string, number> = {};
    for (const [name, call] of Object.entries(calls)) {
      const [few, many] = [
        await costOfCall(small, () => call(small)),
        await costOfCall(large, () => call(large)),
      ];
      expect(many.cost, name).toEqual(few.cost);
      sequences[name] = many.cost.sequence;
    }
    expect(sequences).toEqual({ read: 1, create: 3, change: 2 });
    const idle = await sweep();
    expect(idle.cost).toEqual(idleAtFirst);
    expect(idle.cost).toMatchObject({ requests: 8, sequence: 1, items: 0, write: 0 });
  });

  test(`with ${count} tickets, the totals of every list are exact after ${randomChanges} concurrent random changes`, async () => {
    const { admin, holders } = large;
    const total = async (query: object) =>
      (await admin.ok(listTickets, { query: { ...query, pageSize: 1 } })).totalCount;
    const totals = async () => {
      const places = holders.flatMap((assignedTo) =>
        ticketStatuses.map((status) => ({ assignedTo, status })),
      );
      const queries: object[] = [{}, ...ticketStatuses.map((status) => ({ status })), ...places];
      const found: number[] = [];
      for (const query of queries) found.push(await total(query));
      return { all: found[0] ?? 0, inStatus: found.slice(1, 7), inPlace: found.slice(7) };
    };
    const before = await totals();
    const params = (id: number) => ({ params: { ticketId: String(id) } });
    const placeOf = async (id: number) => {
      const { status, body } = await admin.call(readTicket, params(id));
      if (status === 404) return undefined;
      return { status: body.status as TicketStatus, holder: body.assignedTo ?? unassigned };
    };
    // Changes only 150 tickets, so that concurrent changes of the same ticket conflict.
    const touched = large.newest.slice(0, 150);
    const was = await Promise.all(touched.map(placeOf));

    const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
    const failures: unknown[] = [];
    const created: number[] = [];
    const gone: number[] = [];
    /**
     * Ids of tickets whose change returned 404. The response to their successful deletion may arrive later.
     */
    const notThere: number[] = [];
    let left = randomChanges;
    const changeOne = async () => {
      const kind = Math.random();
      const id = any(touched);
      if (kind < 0.1) {
        const { id: made } = await newTicketOf(admin, { status: any(ticketStatuses) });
        created.push(made);
      } else if (kind < 0.14) {
        const { status, body } = await admin.call(deleteTicket, params(id));
        if (status === 200) gone.push(id);
        else if (status === 404) notThere.push(id);
        else failures.push(body);
      } else {
        const holder = any(holders);
        const body = {
          ...(kind < 0.8 && { status: any(ticketStatuses) }),
          ...(kind > 0.4 && { assignedTo: holder === unassigned ? null : holder }),
        };
        const response = await admin.call(updateTicket, { ...params(id), body });
        if (response.status === 404) notThere.push(id);
        else if (response.status !== 200) failures.push(response.body);
      }
    };
    injectFaults({ overlap: true });
    const workers = Array.from({ length: 12 }, async () => {
      while (left-- > 0) await changeOne();
    });
    await Promise.all(workers);
    noFaults();
    expect(failures).toEqual([]);
    expect(new Set(gone).size).toBe(gone.length);
    expect(gone).toEqual(expect.arrayContaining(notThere));

    const moved = [
      ...was.map((place) => ({ place, by: -1 })),
      ...(await Promise.all([...touched, ...created].map(placeOf))).map((place) => ({ place, by: 1 })),
    ];
    const changeOf = (isThere: (place: { status: TicketStatus; holder: string }) => boolean) =>
      moved.reduce((sum, { place, by }) => sum + (place && isThere(place) ? by : 0), 0);
    const places = holders.flatMap((holder) => ticketStatuses.map((status) => ({ holder, status })));
    expect(await totals()).toEqual({
      all: before.all + created.length - gone.length,
      inStatus: ticketStatuses.map(
        (status, at) => (before.inStatus[at] ?? 0) + changeOf((place) => place.status === status),
      ),
      inPlace: places.map(
        ({ holder, status }, at) =>
          (before.inPlace[at] ?? 0) + changeOf((place) => place.status === status && place.holder === holder),
      ),
    });
  });
});

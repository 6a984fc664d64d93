import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import slaSweep from '../../events/schedules/sla-sweep.ts';
import listEvents from '../../functions/events/list-events.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import { startClock } from '../../shared/sla/advance-clock.ts';
import { type Policy, type Target, targetsWith } from '../../shared/sla/policy.ts';
import { priorities } from '../../shared/sla/schema.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { readDue } from '../../shared/table/due.ts';
import { dueShards } from '../../shared/table/due-keys.ts';
import type { Item } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { isCounterDelta, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { interleave } from '../harness/interleave.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { type WireExchange, watchWire } from '../harness/wire.ts';
import { newTicketOf } from './new-tickets.ts';

/** Overdue tickets after the outage. `npm run test:extra -- heavy` uses 2,000. */
const overdue = Number(process.env.OVERDUE_TICKETS ?? 60);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const metrics: { SlaSweepLag: number }[] = [];
const skipped: string[] = [];
beforeEach(() => {
  metrics.length = 0;
  skipped.length = 0;
  vi.spyOn(console, 'error').mockImplementation((line: string) => void skipped.push(line));
  const write = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, 'write').mockImplementation((line: string | Uint8Array) => {
    if (!String(line).includes('"SlaSweepLag"')) return write(line);
    return metrics.push(JSON.parse(String(line))) > 0;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  noFaults();
});

const sweep = () => runSchedule(slaSweep, clock.now());
const after = (milliseconds: number) => clock.advance(milliseconds);
const later = (instant: string, minutes: number) =>
  new Date(Date.parse(instant) + minutes * minute).toISOString();

/** The breach events of a ticket, or of all tickets, oldest first. */
async function breaches({ accountId }: Tenant, id?: number) {
  const events = (await storedEvents(accountId)).map(({ kind, actor, subject, data, occurredAt }) => ({
    ...{ kind, actor, occurredAt },
    subject: subject as LoggedEvent['subject'],
    data: data as { change?: string },
  }));
  return events
    .filter(({ data }) => data.change === 'sla_breached')
    .filter(({ subject }) => id === undefined || subject.id === id);
}
const breach = (target: Target, breachedAt: string) => ({ change: 'sla_breached', target, breachedAt });
const dataOf = async (acme: Tenant, id: number) => (await breaches(acme, id)).map(({ data }) => data);

test('a breach is announced once', async () => {
  const acme = await tenant();
  const { id, createdAt } = await newTicketOf(acme.directKey, { priority: 'urgent' });
  after(15 * minute);
  await sweep();
  after(5 * minute);
  await Promise.all([sweep(), sweep()]);
  await sweep();
  const due = later(createdAt, 15);
  expect(await breaches(acme, id)).toEqual([
    {
      kind: 'ticket_updated',
      actor: { user: 'system', apiKey: null },
      subject: { type: 'ticket', id, version: 2, label: expect.stringMatching(/^TKT-\d{6} ./) },
      data: breach('firstResponse', due),
      occurredAt: expect.any(String),
    },
  ]);
  expect(await acme.directKey.ok(readTicket, { params: { ticketId: String(id) } })).toMatchObject({
    version: 2,
    updatedBy: 'system',
    slaStatus: 'breached',
    slaBreachedAt: due,
    slaFirstResponseMet: false,
    escalationCount: 1,
  });
  after(day);
  await sweep();
  await sweep();
  expect(await dataOf(acme, id)).toEqual([
    breach('firstResponse', due),
    breach('resolution', later(createdAt, 240)),
  ]);
  // In the event log, `request` contains the schedule instead of an HTTP request.
  const { data } = (await acme.directKey.ok(listEvents, { query: { actor: 'system' } })) as {
    data: LoggedEvent[];
  };
  expect(data.map(({ request }) => request)).toEqual(
    ['breach', 'breach', 'run', 'run'].map(() => ({
      method: 'SCHEDULE',
      path: 'sla-sweep',
      headers: {},
      ipAddress: '',
    })),
  );
});

test('a resolved, closed or waiting ticket is never swept', async () => {
  const acme = await tenant();
  const made = await Promise.all(
    (['resolved', 'closed', 'waiting_customer'] as const).map(async (status) => {
      const { id } = await newTicketOf(acme.directKey, { priority: 'urgent' });
      return acme.directKey.ok(updateTicket, { params: { ticketId: String(id) }, body: { status } });
    }),
  );
  after(2 * day);
  await sweep();
  for (const { id, version } of made) {
    expect(await dataOf(acme, id)).toEqual([]);
    expect(await acme.directKey.ok(readTicket, { params: { ticketId: String(id) } })).toMatchObject({
      version,
      escalationCount: 0,
    });
  }
});

test('a ticket that was deleted is never swept', async () => {
  const acme = await tenant();
  const { id } = await newTicketOf(acme.directKey, { priority: 'urgent' });
  await acme.directKey.ok(deleteTicket, { params: { ticketId: String(id) } });
  after(day);
  await sweep();
  expect(await dataOf(acme, id)).toEqual([]);
  expect(skipped).toEqual([]);
});

test('a sweep with nothing due makes eight queries that read no item, and emits no metric', async () => {
  const acme = await tenant();
  await newTicketOf(acme.directKey);
  // Sweeps the overdue tickets of other tests.
  await sweep();
  metrics.length = 0;
  const exchanges: WireExchange[] = [];
  const stop = watchWire({ done: (exchange) => void exchanges.push(exchange) });
  await sweep();
  stop();
  expect(exchanges.map(({ operation, output }) => [operation, output.Count])).toEqual(
    Array.from({ length: 8 }, () => ['Query', 0]),
  );
  expect(new Set(exchanges.map(({ input }) => JSON.stringify(input.ExpressionAttributeValues))).size).toBe(8);
  expect(metrics).toEqual([]);
});

test('the metric is the delay of the oldest overdue ticket, and is not emitted when nothing is due', async () => {
  const acme = await tenant();
  const { createdAt } = await newTicketOf(acme.directKey, { priority: 'urgent' });
  await newTicketOf(acme.directKey, { priority: 'urgent' });
  after(25 * minute);
  const now = clock.now();
  await runSchedule(slaSweep, now);
  const lags = metrics.map(({ SlaSweepLag }) => SlaSweepLag);
  expect(Math.max(...lags)).toBeCloseTo((now.getTime() - Date.parse(createdAt)) / 1000 - 15 * 60);
  metrics.length = 0;
  await sweep();
  expect(metrics).toEqual([]);
  expect(slaSweep.lag).toEqual({ metric: 'SlaSweepLag', minutes: 5 });
});

test('no ticket is started after the deadline, and the next sweep continues', async () => {
  const acme = await tenant();
  const { id } = await newTicketOf(acme.directKey, { priority: 'urgent' });
  after(hour);
  metrics.length = 0;
  await slaSweep.run(clock.now(), Date.now() - 1);
  expect(await dataOf(acme, id)).toEqual([]);
  // The metric includes tickets that the sweep did not reach. The target was 15 minutes, and an hour has passed.
  expect(Math.max(...metrics.map(({ SlaSweepLag }) => SlaSweepLag))).toBeCloseTo(45 * 60, -1);
  await sweep();
  expect(await dataOf(acme, id)).toHaveLength(1);
});

test('a sweep and a concurrent PATCH emit one breach event, in any order of their requests', async () => {
  const acme = await tenant();
  for (let picks = 0; picks < 8; picks++) {
    const { id } = await newTicketOf(acme.directKey, { priority: 'urgent' });
    after(20 * minute);
    const patch = () =>
      acme.directKey.ok(updateTicket, { params: { ticketId: String(id) }, body: { status: 'in_progress' } });
    let pick = picks;
    await interleave<unknown>([sweep, patch], () => {
      pick += 1;
      return picks + (pick >> (picks % 3));
    });
    expect(await dataOf(acme, id)).toHaveLength(1);
    expect((await tickets.get(acme.accountId, id)).status).toBe('in_progress');
  }
});

/** Writes tickets of all priorities directly to every shard, in the format of the endpoint. Returns their ids. */
async function storeCopies(
  { accountId, key }: Tenant,
  amount: number,
  createdAt: (n: number) => string,
  /** The distance between consecutive ids. With `dueShards`, all tickets are in the shard of the ticket `behind`. */
  step = 1,
  behind?: { id: number },
): Promise<number[]> {
  const made = behind ?? (await newTicketOf(key));
  const first = await tickets.get(accountId, made.id);
  const policy: Policy = { number: first.clock.policy, targets: targetsWith(), timezone: 'UTC' };
  const writes = Array.from({ length: amount }, (_, n) => {
    const at = createdAt(n);
    const priority = priorities[Math.floor(n / dueShards) % priorities.length] ?? 'low';
    const { clock: started, entries } = startClock({ at, status: 'open', priority, policy });
    const own = {
      id: made.id + (n + 1) * step,
      createdAt: at,
      updatedAt: at,
      ticketNumber: `TKT-9${`${n}`.padStart(5, '0')}`,
    };
    return tickets.insert({ ticket: { ...first, ...own, priority, clock: started }, entries });
  }).flat();
  const items = writes.flatMap((write) =>
    !isCounterDelta(write) && 'Put' in write.operation ? [write.operation.Put.Item as Item] : [],
  );
  expect(await putAll(items)).toEqual([]);
  await transact(writes.filter(isCounterDelta), Date.now() + 60_000);
  return Array.from({ length: amount }, (_, n) => made.id + (n + 1) * step);
}

/** Runs two sweeps at a time until nothing is due. */
async function sweepAll(): Promise<void> {
  const anyDue = async () => {
    const shards = Array.from({ length: dueShards }, (_, shard) =>
      readDue({ noun: tickets.noun, shard, before: clock.now(), limit: 1 }),
    );
    return (await Promise.all(shards)).flat().length > 0;
  };
  while (await anyDue()) await Promise.all([sweep(), sweep()]);
}

test(`after an outage, sweeps with lost responses mark each of ${overdue} overdue tickets as breached once, at its due time`, async () => {
  await sweepAll();
  const acme = await tenant();
  const now = clock.now().getTime();
  // The tickets are between 18 and 30 hours old, so that some missed one target and others missed both targets.
  const ids = await storeCopies(acme, overdue, (n) =>
    // No ticket is about 24 hours old, because its target would become due during the sweeps.
    new Date(now - (n < overdue / 2 ? 30 : 29) * hour + Math.floor((n * 11 * hour) / overdue)).toISOString(),
  );
  injectFaults({ lostResponses: 0.1 });
  await sweepAll();
  expect(injected.lostResponses).toBeGreaterThan(0);
  noFaults();
  const announced = new Map<unknown, unknown[]>();
  for (const { subject, data } of await breaches(acme))
    announced.set(subject.id, [...(announced.get(subject.id) ?? []), data]);
  const policy = targetsWith();
  for (const [n, record] of (await tickets.findMany(acme.accountId, ids)).entries()) {
    const { firstResponse, resolution } = policy[record.priority];
    const missed = [
      breach('firstResponse', later(record.createdAt, firstResponse)),
      breach('resolution', later(record.createdAt, resolution)),
    ].filter(({ breachedAt }) => Date.parse(breachedAt) < now);
    expect(announced.get(record.id) ?? [], `${n}`).toEqual(missed);
    expect(record.version).toBe(missed.length > 0 ? 2 : 1);
  }
  expect(announced.size).toBeGreaterThan(overdue * 0.9);
  expect(skipped.length).toBeLessThan(overdue);
}, 600_000);

test('after a ticket uses up a whole run and fails, the next run continues with the tickets after it', async () => {
  await sweepAll();
  const acme = await tenant();
  const damaged = await newTicketOf(acme.directKey, { priority: 'urgent' });
  const key = recordKey(acme.accountId, 'TICKET', damaged.id);
  const item = await getItem(key);
  await transact([putItem({ ...item, ...key, clock: undefined })], Date.now() + 10_000);
  // Eight tickets of each priority. One urgent ticket is in the shard of the damaged ticket and due after it.
  const ids = await storeCopies(acme, priorities.length * dueShards, () => later(damaged.createdAt, 10));
  const behind = ids.findLast((id) => id % dueShards === damaged.id % dueShards) ?? 0;
  after(hour);
  const lags: number[] = [];
  for (let run = 0; run < 2; run += 1) {
    expect(await dataOf(acme, behind)).toEqual([]);
    metrics.length = 0;
    let late = 0;
    const realNow = Date.now.bind(Date);
    const now = clock.now();
    const time = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + late);
    vi.mocked(console.error).mockImplementation((line: string) => {
      // Simulates that the damaged ticket uses up the time of the run.
      if (line.includes(`${damaged.id}`)) late = 40_000;
    });
    await slaSweep.run(now, realNow() + 30_000);
    time.mockRestore();
    lags.push(Math.max(...metrics.map(({ SlaSweepLag }) => SlaSweepLag)));
  }
  expect(await dataOf(acme, behind)).toHaveLength(1);
  // The metric still includes the damaged ticket, although the second run starts with the ticket after it.
  for (const lag of lags) expect(lag).toBeGreaterThan(44 * 60);
  await transact([putItem({ ...item, ...key })], Date.now() + 10_000);
  // The second run finished, so this sweep starts with the oldest ticket again.
  await sweep();
  expect(await dataOf(acme, damaged.id)).toHaveLength(1);
});

test('a damaged ticket blocks no other ticket, even in its shard', async () => {
  await sweepAll();
  const acme = await tenant();
  const damaged = await newTicketOf(acme.directKey, { priority: 'urgent' });
  const key = recordKey(acme.accountId, 'TICKET', damaged.id);
  const item = await getItem(key);
  after(minute);
  // Stores more than one page of tickets that are due after the damaged ticket, in the same shard.
  const ids = await storeCopies(acme, 60, (n) => later(damaged.createdAt, n / 60), dueShards, damaged);
  for (const damage of [{ clock: undefined }, { version: undefined }, { description: undefined }]) {
    await transact([putItem({ ...item, ...key, ...damage })], Date.now() + 10_000);
    skipped.length = 0;
    metrics.length = 0;
    after(20 * minute);
    await sweep();
    expect(skipped, JSON.stringify(damage)).toEqual([
      `SLA sweep skipped ticket ${damaged.id} of account ${acme.accountId}:`,
    ]);
    // The metric still reports the damaged ticket.
    expect(metrics.length).toBeGreaterThan(0);
    const urgent = (await tickets.findMany(acme.accountId, ids)).filter(
      ({ priority }) => priority === 'urgent',
    );
    expect(urgent.length).toBeGreaterThan(10);
    for (const { version } of urgent) expect(version).toBeGreaterThan(1);
  }
  await transact([putItem({ ...item, ...key })], Date.now() + 10_000);
  skipped.length = 0;
  await sweep();
  expect(skipped).toEqual([]);
  expect(await dataOf(acme, damaged.id)).toEqual([breach('firstResponse', later(damaged.createdAt, 15))]);
});

test('a full page of skipped tickets is not read again, and the ticket after it is swept', async () => {
  await sweepAll();
  const acme = await tenant();
  const longAgo = new Date(clock.now().getTime() - 30 * day).toISOString();
  const [first = expect.unreachable()] = await storeCopies(acme, 51, () => longAgo, dueShards);
  const shard = { noun: tickets.noun, shard: first % dueShards, before: clock.now() };
  const due = await readDue({ ...shard, limit: 100 });
  expect(due).toHaveLength(51);
  const intact = await Promise.all(
    due.slice(0, 50).map(async ({ id }) => {
      const key = recordKey(acme.accountId, 'TICKET', Number(id));
      return { ...(await getItem(key)), ...key };
    }),
  );
  expect(await putAll(intact.map((item) => ({ ...item, clock: undefined })))).toEqual([]);
  await slaSweep.run(clock.now(), Date.now() + 20_000);
  expect(skipped).toHaveLength(50);
  expect((await tickets.get(acme.accountId, Number(due[50]?.id))).version).toBe(2);
  expect(await putAll(intact)).toEqual([]);
  await sweepAll();
});

test('a sweep that marks breaches emits cron_triggered once an hour in each account, with its counts', async () => {
  const [acme, other] = [await tenant(), await tenant()];
  const runs = async ({ accountId }: Tenant) =>
    (await storedEvents(accountId)).filter(({ kind }) => kind === 'cron_triggered');
  // The sweep runs at 15 minutes past an hour.
  after(hour - (clock.now().getTime() % hour));
  for (const by of [acme, acme, other]) await newTicketOf(by.directKey, { priority: 'urgent' });
  after(15 * minute);
  const start = new Date(Math.floor(clock.now().getTime() / hour) * hour).toISOString();
  await Promise.all([sweep(), sweep(), sweep()]);
  const [event, ...more] = await runs(acme);
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    actor: { user: 'system', apiKey: null },
    subject: { type: 'account', id: acme.accountId },
    data: { schedule: 'sla-sweep', hour: start, counts: { tickets: expect.any(Number) } },
  });
  expect(await runs(other)).toHaveLength(1);
  // A sweep without work emits nothing, nor does a second sweep in the same hour.
  await newTicketOf(acme.directKey, { priority: 'urgent' });
  after(15 * minute + 1);
  await sweep();
  expect((await breaches(acme)).length).toBeGreaterThan(2);
  expect(await runs(acme)).toHaveLength(1);
  after(5 * hour);
  await sweep();
  expect(await runs(acme)).toHaveLength(2);
  after(2 * hour);
  await sweep();
  expect(await runs(acme)).toHaveLength(2);
});

test('if cron_triggered cannot be written, the breach is still marked, and the next run in the hour emits the event', async () => {
  const acme = await tenant();
  const runs = async () =>
    (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'cron_triggered').length;
  after(hour - (clock.now().getTime() % hour));
  for (const _ of [1, 2]) await newTicketOf(acme.directKey, { priority: 'urgent' });
  after(15 * minute);
  const allow = watchWire({
    refuse: ({ input }) => (JSON.stringify(input).includes('#SCHEDULE"') ? 'not now' : undefined),
  });
  await sweep().finally(allow);
  expect([(await breaches(acme)).length, await runs()]).toEqual([2, 0]);
  expect(String(skipped)).toContain('cron_triggered of sla-sweep');
  await newTicketOf(acme.directKey, { priority: 'urgent' });
  after(15 * minute + 1);
  await sweep();
  expect([(await breaches(acme)).length, await runs()]).toEqual([3, 1]);
});

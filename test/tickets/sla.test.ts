import { expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import readTicketSla from '../../functions/tickets/read-ticket-sla.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { policyFor } from '../../shared/support/tickets/read-ticket.ts';
import type { TicketSla } from '../../shared/support/tickets/sla-schema.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import { clock } from '../harness/clock.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { newTicketOf } from './new-tickets.ts';

const minute = 60_000;
const hour = 60 * minute;
const sla = ({ directKey }: Tenant, ticketId: unknown): Promise<TicketSla> =>
  directKey.ok(readTicketSla, { params: { ticketId: String(ticketId) } });
const change = ({ directKey }: Tenant, id: number, body: object) =>
  directKey.ok(updateTicket, { params: { ticketId: String(id) }, body });

test('each figure of a ticket is the sum of its intervals, and the ledger determines the intervals', async () => {
  const acme = await tenant();
  const { id } = await newTicketOf(acme.directKey, { priority: 'high' });
  clock.advance(20 * minute);
  await acme.directKey.ok(createTicketComment, {
    params: { ticketId: String(id) },
    body: { body: 'We are on it.' },
  });
  clock.advance(10 * minute);
  await change(acme, id, { status: 'waiting_customer' });
  clock.advance(2 * hour);
  await change(acme, id, { status: 'in_progress' });
  clock.advance(hour);
  await change(acme, id, { status: 'waiting_customer' });
  clock.advance(5 * minute);
  await change(acme, id, { priority: 'urgent', status: 'resolved' });
  clock.advance(hour);
  const ticket = await acme.directKey.ok(readTicket, { params: { ticketId: String(id) } });
  const { figures, intervals, entries, policy, until } = await sla(acme, id);
  expect(entries.map(({ n, kind, status, priority }) => [n, kind, status ?? priority])).toEqual([
    [1, 'created', 'open'],
    [2, 'response', undefined],
    [3, 'status', 'waiting_customer'],
    [4, 'status', 'in_progress'],
    [5, 'status', 'waiting_customer'],
    [6, 'status', 'resolved'],
    [7, 'priority', 'urgent'],
  ]);
  expect(intervals.map(({ kind, milliseconds }) => [kind, Math.floor(milliseconds / minute)])).toEqual([
    ['running', 20],
    ['running', 10],
    ['paused', 120],
    ['running', 60],
    ['paused', 5],
  ]);
  for (const { milliseconds, minutes, intervals: summed } of Object.values(figures)) {
    const sum = summed.reduce((total, n) => total + (intervals[n]?.milliseconds ?? Number.NaN), 0);
    expect([milliseconds, minutes]).toEqual([sum, Math.floor(sum / minute)]);
  }
  expect(figures).toMatchObject({
    used: { intervals: [0, 1, 3] },
    paused: { intervals: [2, 4] },
    slaTotalPausedTime: { minutes: ticket.slaTotalPausedTime, intervals: [2, 4] },
    firstResponseTime: { minutes: ticket.firstResponseTime, intervals: [0] },
    resolutionTime: { minutes: ticket.resolutionTime, intervals: [0, 1, 3] },
  });
  expect(policy).toMatchObject({ number: 1, timezone: 'UTC', targets: { high: { firstResponse: 60 } } });
  expect(intervals[0]?.from).toBe(ticket.createdAt);
  expect(intervals.at(-1)?.to).toBe(ticket.resolvedAt);
  expect(Date.parse(until)).toBeGreaterThan(Date.parse(ticket.resolvedAt ?? ''));
});

test('the intervals include closed hours, and each interval uses the business hours of the ticket’s policy at that time', async () => {
  const acme = await tenant();
  const hours = (from: string, to: string) => {
    const daily = [{ from, to }];
    return {
      businessHours: {
        ...{ monday: daily, tuesday: daily, wednesday: daily, thursday: daily, friday: daily },
        ...{ saturday: daily, sunday: daily },
      },
    };
  };
  const patch = async (body: object) => {
    const { accountId, adminEmail: email, adminPassword: password } = acme;
    // Signs in for each change, because the test clock advances past the expiry of a session.
    const authorization = await signIn({ email, password });
    const admin = client({ 'x-account-id': accountId, authorization });
    return admin.ok(updateAccount, { params: { id: accountId }, body });
  };
  await patch(hours('09:00', '17:00'));
  // Advances the clock to 16:30 UTC on the next day.
  const midnight = Math.ceil(clock.now().getTime() / (24 * hour)) * 24 * hour;
  clock.advance(midnight + 16.5 * hour - clock.now().getTime());
  const { id } = await newTicketOf(acme.directKey, { priority: 'low' });
  await patch(hours('08:00', '12:00'));
  clock.advance(midnight + 33.5 * hour - clock.now().getTime());
  await change(acme, id, { priority: 'medium' });
  clock.advance(midnight + 37 * hour - clock.now().getTime());
  const { intervals, entries, policy, figures } = await sla(acme, id);
  expect(intervals.map(({ kind, from, to }) => [kind, from.slice(11, 16), to.slice(11, 16)])).toEqual([
    ['running', '16:30', '17:00'],
    ['closed', '17:00', '09:00'],
    ['running', '09:00', '09:30'],
    ['running', '09:30', '12:00'],
    ['closed', '12:00', '13:00'],
  ]);
  expect(figures.used.intervals).toEqual([0, 2, 3]);
  expect(entries.map((entry) => entry.policy)).toEqual([2, 3]);
  expect(policy).toMatchObject({ number: 3, ...hours('08:00', '12:00') });
});

test('the policy of a ticket is found even if it came into force after the request read the account', async () => {
  const acme = await tenant();
  const target = (resolution: number) =>
    acme.admin.ok(updateAccount, {
      params: { id: acme.accountId },
      body: { slaTargets: { low: { firstResponse: 5, resolution } } },
    });
  const asRead = await accounts.get(acme.accountId);
  await target(77);
  const { id } = await newTicketOf(acme.directKey, { priority: 'low' });
  const ticket = await tickets.get(acme.accountId, id);
  const policy = { number: ticket.clock.policy, targets: { low: { resolution: 77 } } };
  expect(await policyFor(ticket, asRead)).toMatchObject(policy);
  await target(78);
  expect(await policyFor(ticket, asRead)).toMatchObject(policy);
});

test('the ledger of a ticket is found by each reference, but not after deletion or from another account', async () => {
  const acme = await tenant();
  const { id, uniqueId, ticketNumber } = await newTicketOf(acme.directKey, { status: 'waiting_customer' });
  for (const name of [id, uniqueId, ticketNumber.toLowerCase()])
    expect(await sla(acme, name)).toMatchObject({
      ticketId: id,
      uniqueId,
      entries: [{ kind: 'created' }, { kind: 'status' }],
      figures: { used: { milliseconds: 0, intervals: [] } },
    });
  const stranger = await tenant();
  const statusOf = async ({ directKey }: Tenant) =>
    (await directKey.call(readTicketSla, { params: { ticketId: String(id) } })).status;
  expect(await statusOf(stranger)).toBe(404);
  await acme.directKey.ok(deleteTicket, { params: { ticketId: String(id) } });
  expect(await statusOf(acme)).toBe(404);
});

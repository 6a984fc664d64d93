import { expect, test } from 'vitest';
import jobs from '../../events/consumers/jobs.ts';
import createApplication from '../../functions/applications/create-application.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import readReassignment from '../../functions/reassignments/read-reassignment.ts';
import updateUser from '../../functions/users/update-user.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';
import { killedAt, minute, pass, triggerRun } from '../work-queue/world.ts';

/** More leads than a step reads at once. */
const count = 45;
const ownedCount = 10;

test('a reassignment whose worker is killed again and again changes each record exactly once', async () => {
  const acme = await tenant();
  const { admin, accountId } = acme;
  const [leaver, stays] = [await member(acme), await member(acme)];
  const assignedTo = String(leaver.user.id);
  const body = { firstName: 'Ada', lastName: 'Byron', assignedTo };
  for (let n = 0; n < count; n += 5)
    await inParallel(Array.from({ length: 5 }, () => admin.ok(createLead, { body })));
  const ticketIds = [];
  for (const status of ['open', 'in_progress', 'waiting_internal', 'resolved'] as const)
    ticketIds.push((await newTicketOf(admin, { assignedTo, status })).id);

  const ownerId = assignedTo;
  const applicationIds: string[] = [];
  const merchantIds: number[] = [];
  for (let n = 0; n < ownedCount; n += 1) {
    const { id: applicationId } = await admin.ok(createApplication, { body: {} });
    await admin.ok(setApplicationOwner, { params: { applicationId }, body: { ownerId } });
    applicationIds.push(applicationId);
    const { id: merchantId } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
    await admin.ok(setMerchantOwner, { params: { merchantId }, body: { ownerId } });
    merchantIds.push(merchantId);
  }
  await drain();

  const { reassignment } = await admin.ok(updateUser, {
    params: { email: leaver.user.email },
    query: { reassignTo: stays.user.email },
    body: { active: false },
  });
  const work = () => triggerRun(jobs, { account: accountId, name: 'JOBS' });
  let kills = 0;
  for (const [n, request] of [3, 9, 17, 30, 45, 55, 14, 17, 20, 26, 32, 40, 50, 60].entries()) {
    // The lease of a killed worker expires in the meantime.
    pass(2 * minute);
    if (await killedAt(request, n % 2 === 0 ? 'before' : 'after', work)) kills += 1;
  }
  expect(kills).toBeGreaterThan(3);
  pass(2 * minute);
  await work();

  const job = await admin.ok(readReassignment, { params: { id: reassignment?.id ?? 0 } });
  expect(job).toMatchObject({
    status: 'completed',
    leads: { total: count, remaining: 0 },
    openTickets: { total: 3, remaining: 0 },
  });
  const to = String(stays.user.id);
  const found = await leads.newest(accountId, count + 1);
  expect(found.map((lead) => [lead.version, lead.assignedTo])).toEqual(Array(count).fill([2, to]));
  const left = await tickets.findMany(accountId, ticketIds);
  expect(left.map((ticket) => ticket.assignedTo)).toEqual([to, to, to, assignedTo]);
  const events = await storedEvents(accountId);
  const assigned = (kind: string) => events.filter((event) => event.kind === kind).length;
  expect([assigned('lead_assigned'), assigned('lead_updated')]).toEqual([count, count]);
  expect([assigned('ticket_assigned'), assigned('ticket_updated')]).toEqual([3, 3]);
  const owned = [
    ...(await applications.findMany(accountId, applicationIds)),
    ...(await merchants.findMany(accountId, merchantIds)),
  ];
  expect(owned.map((record) => [record.version, record.ownerId])).toEqual(
    Array(2 * ownedCount).fill([3, to]),
  );
  // One event for the first owner, and one for the reassignment.
  expect([assigned('application_updated'), assigned('merchant_updated')]).toEqual(
    Array(2).fill(2 * ownedCount),
  );
});

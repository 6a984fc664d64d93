import { describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import setApplicationParticipants from '../../functions/applications/set-application-participants.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import createReassignment from '../../functions/reassignments/create-reassignment.ts';
import readReassignment from '../../functions/reassignments/read-reassignment.ts';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import readTicketAssignment from '../../functions/tickets/read-ticket-assignment.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import leaveAccount from '../../functions/users/leave-account.ts';
import removeUserFromAccount from '../../functions/users/remove-user-from-account.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { completeApplication } from '../harness/filled-application.ts';
import { joins, member, provesAgain } from '../harness/member.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { newTicketOf, newTypeOf } from '../tickets/new-tickets.ts';

const lead = { firstName: 'Ada', lastName: 'Byron' };

/** An account with a user who has three leads (one archived), two open tickets and a closed ticket. */
async function desk({ rotations = true } = {}) {
  const acme = await tenant();
  const { admin } = acme;
  const [leaver, stays] = [await member(acme), await member(acme)];
  const assignedTo = String(leaver.user.id);
  const leads: Lead[] = [];
  for (let n = 0; n < 3; n += 1) leads.push(await admin.ok(createLead, { body: { ...lead, assignedTo } }));
  const type = await newTypeOf(admin, { autoAssignmentEnabled: true });
  const tickets = [
    await newTicketOf(admin, { assignedTo, ticketTypeId: type.uniqueId }),
    await newTicketOf(admin, { assignedTo, status: 'waiting_customer' }),
    await newTicketOf(admin, { assignedTo, status: 'closed' }),
  ];
  if (rotations) {
    const userRotationArray = [leaver, stays].map(({ user }) => ({ userId: String(user.id), weight: 1 }));
    await admin.ok(createLeadRotation, { body: { name: 'Leads', userRotationArray } });
    const ticketTypeId = type.uniqueId;
    await admin.ok(createTicketRotation, { body: { name: 'Tickets', ticketTypeId, userRotationArray } });
  }
  const params = { email: leaver.user.email };
  const assigneesOfLeads = () =>
    Promise.all(
      leads.map(async ({ id }) => (await admin.ok(readLead, { params: { leadId: id } })).assignedTo),
    );
  const assigneesOfTickets = () =>
    Promise.all(
      tickets.map(async ({ uniqueId }) => {
        const { assignedTo } = await admin.ok(readTicket, { params: { ticketId: uniqueId } });
        return assignedTo;
      }),
    );
  return {
    acme,
    admin,
    leaver,
    stays,
    id: assignedTo,
    leads,
    tickets,
    params,
    assigneesOfLeads,
    assigneesOfTickets,
  };
}

const counts = {
  leads: 3,
  openTickets: 2,
  applications: 0,
  merchants: 0,
  leadRotations: 1,
  ticketRotations: 1,
};
const progress = (remaining: { leads: number; openTickets: number }) => ({
  leads: { total: 3, remaining: remaining.leads },
  openTickets: { total: 2, remaining: remaining.openTickets },
});
const begun = progress({ leads: 3, openTickets: 2 });
const finished = { status: 'completed', ...progress({ leads: 0, openTickets: 0 }) };

const jobOf = ({ admin }: Tenant, { id = 0 }: { id?: number } = {}) =>
  admin.ok(readReassignment, { params: { id } });

describe('a user who leaves or is deactivated', () => {
  test('keeps leads and tickets without reassignTo, and the response and the dry run of DELETE /users/{email} count them', async () => {
    const { admin, params, id, assigneesOfLeads, assigneesOfTickets } = await desk();
    const preview = await admin.ok(deleteUser, { params, query: { dryRun: true } });
    expect(preview).toMatchObject({ answer: { assigned: counts } });
    expect(await admin.ok(deleteUser, { params })).toMatchObject({ assigned: counts });
    await drain();
    expect(await assigneesOfLeads()).toEqual([id, id, id]);
    expect(await assigneesOfTickets()).toEqual([id, id, id]);
  });

  test('that is deactivated hands leads and open tickets to another user in a job, with the events of each change', async () => {
    const { acme, admin, params, stays, id, leads, tickets, ...of } = await desk();
    const to = String(stays.user.id);
    const query = { reassignTo: stays.user.email };
    const { reassignment, assigned } = await admin.ok(updateUser, { params, query, body: { active: false } });
    expect(assigned).toEqual(counts);
    expect(reassignment).toMatchObject({
      from: id,
      to,
      status: 'running',
      createdBy: acme.adminEmail,
      ...begun,
    });
    expect(await jobOf(acme, reassignment)).toMatchObject({ status: 'running', ...begun });
    await drain();
    expect(await jobOf(acme, reassignment)).toMatchObject(finished);
    expect(await of.assigneesOfLeads()).toEqual([to, to, to]);
    expect(await of.assigneesOfTickets()).toEqual([to, to, id]);
    const read = await admin.ok(readLead, { params: { leadId: leads[0]?.id ?? 0 } });
    expect(read).toMatchObject({ version: 2, updatedBy: acme.adminEmail });
    expect(read.auditLog.slice(0, 2)).toMatchObject([
      { event: 'lead_assigned', user: acme.adminEmail, data: { from: id, to } },
      { event: 'lead_updated', user: acme.adminEmail, data: { changes: { assignedTo: { from: id, to } } } },
    ]);
    const [ticket = { id: 0, uniqueId: '' }] = tickets;
    const kinds = (await eventsAbout(acme.accountId, ticket.id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'ticket_created').sort()).toEqual([
      'ticket_assigned',
      'ticket_updated',
    ]);
    const assignment = await admin.ok(readTicketAssignment, { params: { ticketId: ticket.uniqueId } });
    expect(assignment).toMatchObject({ how: 'reassigned', by: acme.adminEmail, assignedTo: to });
  });

  test('that is removed hands leads and tickets to the rotation, which skips the user', async () => {
    const { acme, admin, params, stays, id, ...of } = await desk();
    const other = { ...params, accountId: acme.accountId };
    const query = { reassignTo: 'rotation' };
    const { reassignment } = await admin.ok(removeUserFromAccount, { params: other, query });
    await drain();
    expect(await jobOf(acme, reassignment)).toMatchObject({ to: 'rotation', ...finished });
    const to = String(stays.user.id);
    expect(await of.assigneesOfLeads()).toEqual([to, to, to]);
    // The second ticket has no type, so no rotation assigns it.
    expect(await of.assigneesOfTickets()).toEqual([to, undefined, id]);
  });

  test('that leaves the account can unassign leads and tickets only with the permissions to change them', async () => {
    const { acme, admin, id, ...of } = await desk({ rotations: false });
    const [guest, agent] = [await tenant(), await member(await tenant())];
    expect(guest.accountId).not.toBe(acme.accountId);
    await joins(agent, acme);
    await admin.ok(updateUser, { params: { email: agent.user.email }, body: { accountAdmin: true } });
    const body = { ...lead, assignedTo: agent.user.email };
    const own = await admin.ok(createLead, { body });
    const params = { email: agent.user.email, accountId: acme.accountId };
    const query = { reassignTo: 'none' };
    await admin.ok(updateUser, { params: { email: agent.user.email }, body: { accountAdmin: false } });
    const refused = await agent.client.call(leaveAccount, { params, query });
    expect([refused.status, refused.body.error]).toEqual([403, 'permission_denied']);
    await admin.ok(updateUser, { params: { email: agent.user.email }, body: { accountAdmin: true } });
    const { reassignment, assigned } = await agent.client.ok(leaveAccount, { params, query });
    expect(assigned).toMatchObject({ leads: 1, openTickets: 0 });
    await drain();
    expect(await jobOf(acme, reassignment)).toMatchObject({ status: 'completed' });
    expect((await admin.ok(readLead, { params: { leadId: own.id } })).assignedTo).toBeUndefined();
    expect(await of.assigneesOfLeads()).toEqual([id, id, id]);
  });

  test.each([
    ['nobody@tenant.test', 'an unknown user'],
    ['self', 'the user who leaves'],
  ])('is not removed with reassignTo %s (%s)', async (target) => {
    const { admin, params } = await desk({ rotations: false });
    const query = { reassignTo: target === 'self' ? params.email : target };
    const { status, body } = await admin.call(deleteUser, { params, query });
    expect([status, body.error, body.details?.[0]?.field]).toEqual([400, 'user_unknown', 'reassignTo']);
  });

  test('is not changed by reassignTo without `active: false`', async () => {
    const { admin, params } = await desk({ rotations: false });
    const { status, body } = await admin.call(updateUser, {
      params,
      query: { reassignTo: 'none' },
      body: { teamId: null },
    });
    expect([status, body.error]).toEqual([400, 'invalid_input']);
  });

  test('is counted and reassigned only with the permissions for leads, tickets and rotations', async () => {
    const { acme, params } = await desk();
    const clerk = await member(acme, ['writeUsers', 'readLeads', 'writeLeads']);
    const { status } = await clerk.client.call(deleteUser, { params, query: { reassignTo: 'none' } });
    expect(status).toBe(403);
    const { assigned } = await clerk.client.ok(deleteUser, { params });
    expect(assigned).toEqual({ leads: 3 });
  });
});

/** An account with a user who owns two applications, one of them from a lead, and a merchant. */
async function ownerOfRecords() {
  const acme = await tenant();
  const { admin } = acme;
  const [leaver, stays] = [await member(acme), await member(acme)];
  const ownerId = String(leaver.user.id);
  const owned = await admin.ok(createLead, { body: { ...lead, assignedTo: ownerId } });
  const converted = await admin.ok(convertLead, { params: { leadId: owned.id } });
  const applicationIds = [converted.application.id, (await admin.ok(createApplication, { body: {} })).id];
  for (const applicationId of applicationIds)
    await admin.ok(setApplicationOwner, { params: { applicationId }, body: { ownerId } });
  const { id: merchantId } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
  await admin.ok(setMerchantOwner, { params: { merchantId }, body: { ownerId } });
  const owners = async () => {
    const read = applicationIds.map((applicationId) =>
      admin.ok(readApplication, { params: { applicationId } }),
    );
    const applications = await Promise.all(read);
    const merchant = await admin.ok(readMerchant, { params: { merchantId } });
    return [...applications, merchant].map((record) => record.ownerId);
  };
  const params = { email: leaver.user.email };
  const leave = (reassignTo: string, client = admin) =>
    client.ok(updateUser, { params, query: { reassignTo }, body: { active: false } });
  const to = String(stays.user.id);
  return {
    acme,
    admin,
    leaver,
    stays,
    to,
    ownerId,
    leadId: owned.id,
    applicationIds,
    merchantId,
    owners,
    params,
    leave,
  };
}

describe('the applications and merchants of a user', () => {
  const held = { applications: { total: 2, remaining: 2 }, merchants: { total: 1, remaining: 1 } };
  const none = { applications: { total: 2, remaining: 0 }, merchants: { total: 1, remaining: 0 } };

  test('are counted and get another owner, each with an event', async () => {
    const { acme, to, owners, leave, ownerId, merchantId, applicationIds } = await ownerOfRecords();
    await drain();
    // The events are now too old to be read.
    clock.advance(20 * 60_000);
    await provesAgain(acme.admin);
    const { reassignment, assigned } = await leave(to);
    expect(assigned).toMatchObject({ applications: 2, merchants: 1 });
    expect(reassignment).toMatchObject({ types: ['lead', 'ticket', 'application', 'merchant'], ...held });
    await drain();
    expect(await jobOf(acme, reassignment)).toMatchObject({ status: 'completed', ...none });
    expect(await owners()).toEqual([to, to, to]);
    for (const id of [merchantId, ...applicationIds]) {
      const [event] = (await eventsAbout(acme.accountId, id))
        .filter(({ kind }) => String(kind).endsWith('_updated'))
        .slice(-1);
      const change = { ownerId: { from: ownerId, to } };
      expect(event).toMatchObject({ actor: { user: acme.adminEmail }, data: { changes: change } });
    }
  });

  test('get another owner even if the search index does not contain them yet', async () => {
    const { to, owners, leave } = await ownerOfRecords();
    await leave(to);
    await drain({ stopped: 'search' });
    expect(await owners()).toEqual([to, to, to]);
    await drain();
  });

  test('get the user of their lead or application by rotation, or else the next user of the lead rotation', async () => {
    const { acme, admin, to, stays, ownerId, leadId, leaver, applicationIds, owners, leave } =
      await ownerOfRecords();
    const [applicationId = ''] = applicationIds;
    const approved = { params: { applicationId } };
    await admin.ok(updateApplication, { ...approved, body: completeApplication });
    await admin.ok(submitApplication, { ...approved, body: {} });
    const decided = await admin.ok(decideApplication, { ...approved, body: { decision: 'approved' } });
    const merchant = { params: { merchantId: decided.admin.merchantId ?? 0 } };
    expect((await admin.ok(readMerchant, merchant)).ownerId).toBe(ownerId);
    const userRotationArray = [leaver, stays].map(({ user }) => ({ userId: String(user.id), weight: 1 }));
    await admin.ok(createLeadRotation, { body: { name: 'Leads', userRotationArray } });
    const ofLead = String((await member(acme)).user.id);
    await admin.ok(assignLead, { params: { leadId }, body: { assignedTo: ofLead } });
    await leave('rotation');
    await drain();
    expect(await owners()).toEqual([ofLead, to, to]);
    expect((await admin.ok(readMerchant, merchant)).ownerId).toBe(ofLead);
  });

  test('have no owner after a reassignment to none, and keep team, underwriter and participants', async () => {
    const { admin, stays, applicationIds, ownerId, owners, leave } = await ownerOfRecords();
    const [applicationId = ''] = applicationIds;
    const participants = [ownerId, String(stays.user.id)];
    await admin.ok(setApplicationParticipants, { params: { applicationId }, body: { participants } });
    await admin.ok(updateUnderwriting, { params: { applicationId }, body: { assignedTo: ownerId } });
    await leave('none');
    await drain();
    expect(await owners()).toEqual([undefined, undefined, undefined]);
    const kept = await admin.ok(readApplication, { params: { applicationId } });
    expect(kept).toMatchObject({ participants, admin: { assignedTo: ownerId } });
  });

  test('keep their owner if the caller may not change all of them', async () => {
    const { acme, to, ownerId, owners, leave } = await ownerOfRecords();
    await drain();
    const clerk = await member(acme, [
      ...(['writeUsers', 'writeLeads', 'writeTickets'] as const),
      ...(['readApplications', 'writeOwnApplications', 'writeMerchants'] as const),
    ]);
    const { reassignment, assigned } = await leave(to, clerk.client);
    expect(assigned).toEqual({ applications: 2 });
    expect(reassignment?.types).toEqual(['lead', 'ticket', 'merchant']);
    expect(reassignment).not.toHaveProperty('applications');
    expect(reassignment).not.toHaveProperty('merchants');
    await drain();
    expect(await owners()).toEqual([ownerId, ownerId, to]);
  });

  test('can be reassigned after their owner was removed', async () => {
    const { acme, admin, to, ownerId, leadId, owners, params } = await ownerOfRecords();
    await admin.ok(assignLead, { params: { leadId }, body: { assignedTo: to } });
    expect((await admin.ok(deleteUser, { params })).assigned).toMatchObject({ leads: 0 });
    await drain();
    const job = await admin.ok(createReassignment, { body: { from: ownerId, to } });
    await drain();
    expect(await jobOf(acme, job)).toMatchObject({ status: 'completed', ...none });
    expect(await owners()).toEqual([to, to, to]);
  });
});

describe('POST /reassignments', () => {
  test('gives a user who was deleted and created again the records of the former id', async () => {
    const { acme, admin, params, id, ...of } = await desk({ rotations: false });
    await admin.ok(deleteUser, { params });
    const again = await admin.ok(createUser, { body: params });
    expect(String(again.id)).not.toBe(id);
    const body = { from: id, to: params.email };
    const job = await admin.ok(createReassignment, { body });
    expect(job).toMatchObject({ from: id, to: String(again.id), status: 'running', ...begun });
    await drain();
    expect(await jobOf(acme, job)).toMatchObject(finished);
    expect(await of.assigneesOfLeads()).toEqual(Array(3).fill(String(again.id)));
  });

  test('rejects an active user, and an unknown user without records', async () => {
    const { admin, params, stays } = await desk({ rotations: false });
    for (const from of [params.email, '17', 'nobody@tenant.test']) {
      const { status, body } = await admin.call(createReassignment, { body: { from, to: stays.user.email } });
      expect([status, body.error, body.details?.[0]?.field], from).toEqual([400, 'user_unknown', 'from']);
    }
  });

  test('is cancelled if the user becomes active again, and fails if the new assignee is no longer active', async () => {
    const { acme, admin, params, stays } = await desk({ rotations: false });
    const query = { reassignTo: stays.user.email };
    const first = await admin.ok(updateUser, { params, query, body: { active: false } });
    await admin.ok(updateUser, { params, body: { active: true } });
    await drain();
    expect(await jobOf(acme, first.reassignment)).toMatchObject({ status: 'cancelled', ...begun });
    const second = await admin.ok(updateUser, { params, query, body: { active: false } });
    await admin.ok(updateUser, { params: { email: stays.user.email }, body: { active: false } });
    await drain();
    expect(await jobOf(acme, second.reassignment)).toMatchObject({ status: 'failed', error: 'user_unknown' });
  });
});

describe('the filter assignedTo of GET /leads', () => {
  const list = async ({ admin }: Tenant, query: object) => {
    const { data, totalCount } = await admin.ok(listLeads, { query });
    return { ids: data.map(({ id }) => id), totalCount };
  };

  test('finds the leads of users, of inactive and removed users, and unassigned leads, with and without a cursor', async () => {
    const { acme, admin, stays, params, id, leads } = await desk({ rotations: false });
    const theirs = leads.map((one) => one.id).reverse();
    const held = await admin.ok(createLead, { body: { ...lead, assignedTo: stays.user.email } });
    const free = await admin.ok(createLead, { body: lead });
    const check = async (expected: Record<string, number[]>) => {
      for (const [assignedTo, ids] of Object.entries(expected))
        for (const more of [{}, { cursor: '' }, { sort: '-createdAt' }])
          expect((await list(acme, { assignedTo: assignedTo.split(','), ...more })).ids, assignedTo).toEqual(
            ids,
          );
    };
    const always = { [id]: theirs, none: [free.id], [`none,${id}`]: [free.id, ...theirs] };
    await check({ ...always, inactive: [], 'none,inactive': [free.id] });
    expect(await list(acme, { assignedTo: id, pageSize: 1 })).toEqual({ ids: [theirs[0]], totalCount: 3 });
    await admin.ok(updateUser, { params, body: { active: false } });
    await check({ ...always, inactive: theirs });
    await admin.ok(deleteUser, { params });
    await check({ ...always, inactive: theirs, [`inactive,${stays.user.id}`]: [held.id, ...theirs] });
    expect((await list(acme, { assignedTo: ['inactive'] })).totalCount).toBe(3);
    for (const one of (await admin.ok(listLeads, { query: { assignedTo: 'inactive' } })).data)
      expect(one).not.toHaveProperty('isWanted');
  });
});

test('assignedTo=inactive finds the tickets and applications of deactivated and removed users, and not of active users', async () => {
  const acme = await tenant();
  const { admin, accountId } = acme;
  const users = [await member(acme), await member(acme), await member(acme)].map(({ user }) => user);
  const [tickets, applications]: [number[], string[]] = [[], []];
  for (const assignedTo of [...users.map(({ id }) => String(id)), undefined]) {
    tickets.unshift((await newTicketOf(admin, { assignedTo })).id);
    const { id: applicationId } = await admin.ok(createApplication, { body: {} });
    if (assignedTo) await admin.ok(updateUnderwriting, { params: { applicationId }, body: { assignedTo } });
    applications.unshift(applicationId);
  }
  const [deactivated = '', removed = ''] = users.map(({ email }) => email);
  await admin.ok(updateUser, { params: { email: deactivated }, body: { active: false } });
  await admin.ok(removeUserFromAccount, { params: { email: removed, accountId } });
  // The lists begin with the records without an assignee and of the active user.
  const query = { assignedTo: 'inactive' };
  const listed = [await admin.ok(listTickets, { query }), await admin.ok(listApplications, { query })];
  const found = listed.map(({ data }) => data.map(({ id }) => id));
  expect(found).toEqual([tickets.slice(2), applications.slice(2)]);
});

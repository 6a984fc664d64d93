import { describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import deleteLeadSource from '../../functions/lead-sources/delete-lead-source.ts';
import archiveLead from '../../functions/leads/archive-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import deleteTicketType from '../../functions/ticket-types/delete-ticket-type.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import removeUser from '../../functions/users/remove-user-from-account.ts';
import countViews from '../../functions/views/count-views.ts';
import createView from '../../functions/views/create-view.ts';
import listViewRecords from '../../functions/views/list-view-records.ts';
import updateView from '../../functions/views/update-view.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { clock } from '../harness/clock.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const team = await admin.ok(createTeam, { body: { name: 'West' } });
const ada = await member(acme, ['readLeads', 'readTickets'], { teamId: team.id });
const bob = await member(acme, ['readLeads', 'readTickets']);
const lead = (fields: object = {}) =>
  admin.ok(createLead, {
    query: { skipTeamAndSourceRequirement: true },
    body: { firstName: 'Ada', lastName: 'Byron', ...fields },
  });

const idsIn = async (by: Client, id: number) =>
  (await by.ok(listViewRecords, { params: { id } })).data.map((one) => one.id);
const viewOf = (by: Client, resource: 'lead' | 'application' | 'merchant' | 'ticket', query: object) =>
  by.ok(createView, { body: { resource, name: 'A view', query: { ...query }, sharedWith: 'everyone' } });

describe('the records of a view', () => {
  test('are the pages of the list, with the same bytes and headers, for each record type', async () => {
    for (const company of ['Acme', 'acme ', 'Other', 'Acme'])
      await lead({ company, assignedTo: String(ada.user.id) });
    await newTicketOf(admin, { subject: 'No receipt', tags: ['Paper'], assignedTo: String(ada.user.id) });
    await admin.ok(createApplication, { body: { basics: { dbaName: 'Harbor Street', dbaCity: 'Oslo' } } });
    await admin.ok(createMerchant, { body: { merchantName: 'Harbor Street', dba: 'Harbor' } });
    const cases = [
      ['lead', listLeads, { company: 'ACME', archived: false }, '-createdAt'],
      ['lead', listLeads, { assignedTo: String(ada.user.id) }, 'company,-lastName'],
      ['ticket', listTickets, { tags: ['paper'], search: 'receipt' }, undefined],
      ['application', listApplications, { dbaCity: ['oslo'] }, '-dbaName'],
      ['merchant', listMerchants, { search: 'har' }, undefined],
    ] as const;
    for (const [resource, list, query, sort] of cases) {
      const body = { resource, name: 'A view', query: { ...query }, sort, sharedWith: 'me' as const };
      const { id } = await admin.ok(createView, { body });
      for (const page of [{}, { pageSize: 1, page: 2 }]) {
        const ofView = await admin.call(listViewRecords, { params: { id }, query: page });
        const ofList = await admin.call(
          list as Endpoint,
          {
            query: { ...query, ...(sort && { sort }), ...page },
          } as never,
        );
        expect(ofView.status).toBe(200);
        expect(JSON.stringify(ofView.body)).toBe(JSON.stringify(ofList.body));
        expect(ofView.body.data.length + ofView.body.totalCount).toBeGreaterThan(0);
        expect(ofView.headers['x-list-window']).toBe(ofList.headers['x-list-window']);
      }
    }
  });

  test('can be read by cursor, and get the errors of the list', async () => {
    const { id } = await viewOf(admin, 'lead', { company: 'acme' });
    const first = await admin.ok(listViewRecords, { params: { id }, query: { cursor: '', pageSize: 2 } });
    expect(first.data).toHaveLength(2);
    const next = { cursor: String(first.nextCursor), pageSize: 2 };
    const second = await admin.ok(listViewRecords, { params: { id }, query: next });
    expect(second).toMatchObject({ data: [{ company: 'Acme' }], nextCursor: null });
    const wrong = { params: { id }, query: { ...next, page: 2 } };
    expect((await admin.call(listViewRecords, wrong)).body).toEqual(
      (await admin.call(listLeads, { query: { company: 'acme', ...wrong.query } })).body,
    );
  });

  test('depend on the caller: me, myTeam and internal fields', async () => {
    const mine = await lead({ assignedTo: String(bob.user.id), teamId: team.id });
    const ofMe = await viewOf(ada.client, 'lead', { assignedTo: 'me', company: 'acme' });
    expect(await idsIn(ada.client, ofMe.id)).toHaveLength(3);
    expect(await idsIn(bob.client, ofMe.id)).toEqual([]);
    const rejected = await acme.key.call(listViewRecords, { params: { id: ofMe.id } });
    expect(rejected.body.details?.[0]?.field).toBe('assignedTo');
    const ofTeam = await viewOf(ada.client, 'lead', { teamId: 'myTeam' });
    expect(await idsIn(ada.client, ofTeam.id)).toEqual([mine.id]);
    const withoutTeam = await bob.client.call(listViewRecords, { params: { id: ofTeam.id } });
    expect(withoutTeam.body.details?.[0]?.field).toBe('teamId');
  });

  test('depend on the time of the request', async () => {
    const { id } = await viewOf(admin, 'lead', { updatedAfter: '-2d', source: 'clock' });
    const { id: leadId } = await lead({ source: 'Clock' });
    expect(await idsIn(acme.directKey, id)).toEqual([leadId]);
    clock.advance(3 * 86_400_000);
    expect(await idsIn(acme.directKey, id)).toEqual([]);
  });
});

describe('the built-in views', () => {
  test('find own and unassigned tickets, breached ones, and those that are due today', async () => {
    const own = await tenant();
    const cal = await member(own, ['readTickets']);
    const assigned = await newTicketOf(own.admin, { assignedTo: String(cal.user.id), priority: 'low' });
    const free = await newTicketOf(own.admin, { priority: 'urgent' });
    expect(await idsIn(cal.client, 1)).toEqual([assigned.id]);
    expect(await idsIn(cal.client, 2)).toEqual([free.id]);
    expect(await idsIn(cal.client, 4)).toEqual([]);
    clock.advance(Date.parse(free.slaResolutionDue) - clock.now().getTime() + 1000);
    expect(await idsIn(own.directKey, 4)).toContain(free.id);
    expect(await idsIn(own.directKey, 3)).toContain(free.id);
  });

  test('find own leads that are not archived, and leads without contact for 14 days', async () => {
    const own = await tenant();
    const dee = await member(own, ['readLeads']);
    const body = { firstName: 'Ada', lastName: 'Byron', assignedTo: String(dee.user.id) };
    const { id } = await own.admin.ok(createLead, { body });
    const archived = await own.admin.ok(createLead, { body });
    await own.admin.ok(archiveLead, { params: { leadId: archived.id } });
    expect(await idsIn(dee.client, 5)).toEqual([id]);
    expect(await idsIn(dee.client, 6)).toEqual([]);
    clock.advance(15 * 86_400_000);
    const lastContacted = clock.now().toISOString();
    await own.directKey.ok(createLead, { body: { ...body, lastContacted } });
    expect(await idsIn(own.directKey, 6)).toEqual([id]);
  });

  test('find applications to decide, and those that wait for information', async () => {
    const own = await tenant();
    const { id: applicationId } = await own.admin.ok(createApplication);
    const params = { applicationId };
    expect([await idsIn(own.admin, 7), await idsIn(own.admin, 8)]).toEqual([[], []]);
    await own.admin.ok(submitApplication, { params });
    expect([await idsIn(own.admin, 7), await idsIn(own.admin, 8)]).toEqual([[applicationId], []]);
    const decision = { decision: 'info_requested', reason: 'Please send the contract.' } as const;
    await own.admin.ok(decideApplication, { params, body: decision });
    expect([await idsIn(own.admin, 7), await idsIn(own.admin, 8)]).toEqual([[], [applicationId]]);
  });
});

describe('a view of a deleted record', () => {
  test('has an empty page with a hint and the count 0, for each reference', async () => {
    const acme = await tenant();
    const { admin } = acme;
    const team = await admin.ok(createTeam, { body: { name: 'East' } });
    const type = await admin.ok(createTicketType, {
      body: { name: 'Terminals', description: 'Terminals', category: 'technical' },
    });
    const source = await admin.ok(createLeadSource, { body: { name: 'Fair' } });
    const { user } = await member(acme, ['readLeads']);
    const views: { id: number }[] = [];
    for (const [resource, query] of [
      ['lead', { teamId: team.id }],
      ['lead', { leadSourceId: source.id }],
      ['lead', { assignedTo: String(user.id) }],
      ['lead', { teamId: [team.id], archived: false, search: 'ada' }],
      ['ticket', { assignedTeamId: team.id }],
      ['ticket', { ticketTypeId: type.uniqueId }],
      ['ticket', { assignedTo: user.email, status: ['open'] }],
      ['application', { assignedTo: String(user.id) }],
    ] as const)
      views.push(await viewOf(admin, resource, query));
    const pagesOf = () => Promise.all(views.map(({ id }) => admin.call(listViewRecords, { params: { id } })));
    for (const { status, body } of await pagesOf()) {
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('hint');
    }
    await admin.ok(deleteTeam, { params: { id: team.id } });
    await admin.ok(deleteTicketType, { params: { id: type.id } });
    await admin.ok(deleteLeadSource, { params: { id: source.id } });
    await admin.ok(removeUser, { params: { email: user.email, accountId: acme.accountId } });
    for (const [n, { status, body }] of (await pagesOf()).entries())
      expect({ n, status, body }).toMatchObject({
        status: 200,
        body: { data: [], totalCount: 0, hint: expect.stringMatching(/^No record of the filter \w+ exists/) },
      });
    const { data } = await admin.ok(countViews);
    for (const { id } of views) expect(data.find((one) => one.id === id)?.count).toBe(0);
    const [view = expect.fail()] = views;
    expect(await admin.call(listLeads, { query: { teamId: [team.id] } })).toMatchObject({ status: 400 });
    expect(
      await admin.call(updateView, { params: { id: view.id }, body: { query: { teamId: team.id } } }),
    ).toMatchObject({ status: 400 });
    await admin.ok(updateView, { params: { id: view.id }, body: { sort: 'company', name: 'Renamed' } });
    const other = await admin.ok(createTeam, { body: { name: 'South' } });
    await admin.ok(updateView, { params: { id: view.id }, body: { query: { teamId: other.id } } });
    expect(await admin.ok(listViewRecords, { params: { id: view.id } })).not.toHaveProperty('hint');
  });
});

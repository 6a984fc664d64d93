import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createTeam from '../../functions/teams/create-team.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import countViews from '../../functions/views/count-views.ts';
import createView from '../../functions/views/create-view.ts';
import listViewRecords from '../../functions/views/list-view-records.ts';
import type { ViewedName } from '../../shared/resources/registry.ts';
import { measure } from '../costs/meter.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

const viewOf = async (by: Client, resource: ViewedName, query: object): Promise<number> => {
  const body = {
    resource,
    name: JSON.stringify(query).slice(0, 200),
    query: { ...query },
    sharedWith: 'me' as const,
  };
  return (await by.ok(createView, { body })).id;
};
const countsFor = async (by: Client) =>
  new Map((await by.ok(countViews)).data.map(({ id, count }) => [id, count]));

/** Queries with one to three of these filters. */
const upToThree = (filters: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc
    .tuple(fc.record(filters), fc.subarray(Object.keys(filters), { minLength: 1, maxLength: 3 }))
    .map(([values, names]) => Object.fromEntries(names.map((name) => [name, values[name]])));

describe('the counts of views', () => {
  test('are the totals of the lists, for any filters', async () => {
    const acme = await tenant();
    const { admin } = acme;
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'West' } });
    const ada = await member(acme, ['readLeads', 'readTickets', 'readMerchants'], {
      teamId,
    });
    const [mine, of] = [
      String(ada.user.id),
      <T>(values: readonly T[], n: number) => values[n % values.length],
    ];
    const query = { skipTeamAndSourceRequirement: true };
    for (let n = 0; n < 45; n++) {
      const body = {
        ...{
          firstName: of(['Ada', 'Anna', 'Zoe'], n),
          lastName: 'Byron',
          company: of(['Navy Yard', 'Yard'], n),
        },
        ...{ processStage: of(['new', 'won'], n), source: of(['Fair', 'Web', 'fair'], n) },
        ...(n % 3 === 0 && { assignedTo: mine }),
        ...(n % 4 === 0 && { teamId }),
      };
      await admin.ok(createLead, { query, body: body as never });
    }
    for (let n = 0; n < 30; n++) {
      const { uniqueId } = await newTicketOf(admin, {
        ...{ priority: of(['low', 'urgent'], n), tags: [of(['Paper', 'Ink', 'Till'], n) ?? ''] },
        ...(n % 3 === 0 && { assignedTo: mine }),
        ...(n % 4 === 0 && { assignedTeamId: teamId }),
      });
      const status = of(['open', 'in_progress', 'closed'] as const, n >> 1);
      await admin.ok(updateTicket, { params: { ticketId: uniqueId }, body: { status } });
    }
    await drain();
    const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
    const ofLeads = upToThree({
      assignedTo: some('me', 'none', mine),
      teamId: fc.constantFrom('myTeam', teamId),
      company: some('navy yard', 'YARD'),
      processStage: some('new', 'won', 'lost'),
      source: fc.constantFrom('fair', 'web'),
      archived: fc.boolean(),
      search: fc.constantFrom('ann', 'a byron', 'zoe yard', 'nobody'),
      createdFrom: fc.constantFrom('-1h', '+1h', 'today-1d'),
      lastContactedBefore: fc.constantFrom('+1h', '-1h'),
      updatedAfter: fc.constantFrom('-1h', '+1h', 'today-1d'),
    });
    const ofTickets = upToThree({
      status: some('open', 'in_progress', 'closed'),
      assignedTo: some('me', 'none'),
      assignedTeamId: fc.constantFrom('myTeam', teamId),
      priority: some('low', 'urgent'),
      tags: fc.constantFrom('paper', 'INK', 'none'),
      slaResolutionDueBefore: fc.constantFrom('today', '+900w'),
      slaStatus: some('on_time', 'at_risk', 'breached'),
      search: fc.constantFrom('print', 'ada', 'nobody'),
    });
    const views = [
      ...fc.sample(ofLeads, 25).map((query) => ['lead', query] as const),
      ...fc.sample(ofTickets, 25).map((query) => ['ticket', query] as const),
    ];
    for (const [resource, query] of views) await viewOf(ada.client, resource, query);
    const counts = await countsFor(ada.client);
    expect(counts.size).toBe(views.length + 6);
    let found = 0;
    for (const [id, count] of counts) {
      const params = { id };
      const { totalCount } = await ada.client.ok(listViewRecords, { params, query: { pageSize: 100 } });
      expect(count, JSON.stringify(views[[...counts.keys()].indexOf(id) - 6])).toBe(totalCount);
      if (totalCount > 0) found += 1;
    }
    expect(found).toBeGreaterThan(10);
  });

  test('need two round trips, also for filters of inactive users', async () => {
    const acme = await tenant();
    const ada = await member(acme, ['readLeads', 'readTickets', 'readApplications']);
    const body = { firstName: 'Ada', lastName: 'Byron', assignedTo: String(ada.user.id) };
    await acme.admin.ok(createLead, { body });
    await newTicketOf(acme.admin, { assignedTo: ada.user.email });
    for (const query of [
      { search: 'ada' },
      { assignedTo: ada.user.email },
      { assignedTo: ['me', 'inactive'] },
      { company: 'Navy Yard', archived: false },
      { updatedAfter: '-7d' },
    ])
      await viewOf(ada.client, 'lead', query);
    await countsFor(ada.client);
    const { sequence, result } = await measure(() => ada.client.ok(countViews));
    expect(sequence).toBe(2);
    expect(result.data.map(({ count }) => count)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1]);
  });

  test('are null if the list rejects the query for the caller', async () => {
    const { key } = await tenant();
    const counts = await countsFor(key);
    expect([...counts].filter(([, count]) => count === null).map(([id]) => id)).toEqual([1, 5]);
  });

  test('of merchants with a MID are counted', async () => {
    const { admin } = await tenant();
    const { id: merchantId } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor' } });
    await admin.ok(createMid, { params: { merchantId }, body: { mid: '4445012340001' } });
    const id = await viewOf(admin, 'merchant', { mid: '4445012340001' });
    expect((await countsFor(admin)).get(id)).toBe(1);
  });
});

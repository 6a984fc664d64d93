import { describe, expect, test } from 'vitest';
import listApplications from '../../functions/applications/list-applications.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import setLeadParticipants from '../../functions/leads/set-lead-participants.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import createTeam from '../../functions/teams/create-team.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { AnyContract, Endpoint } from '../../shared/endpoints/endpoint.ts';
import { limitedPermissions, reachedRecords } from '../../shared/resources/derived.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { measure } from '../costs/meter.ts';
import { writesIn } from '../costs/units.ts';
import { drain } from '../harness/drain.ts';
import { countLeads, indexedLead } from '../harness/indexed-lead.ts';
import { type Member, member } from '../harness/member.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { putRange } from '../harness/seed.ts';
import { tenant } from '../harness/tenant.ts';
import { newRecords } from './reached-records.ts';

const acme = await tenant();
const { id: teamId } = await acme.admin.ok(createTeam, { body: { name: 'West' } });
const all = await member(acme, ['readLeads'], { teamId });
const own = await member(acme, ['readOwnLeads'], { teamId });
const team = await member(acme, ['readTeamLeads'], { teamId });

const lead = await acme.admin.ok(createLead, {
  query: { skipTeamAndSourceRequirement: true },
  body: { firstName: 'Ada', lastName: 'Byron', assignedTo: String(own.user.id), teamId },
});

test('a lead costs a caller with a limited permission as much as any caller', async () => {
  const params = { leadId: lead.id };
  const costs = [];
  for (const { client } of [all, own, team]) {
    await client.ok(readLead, { params });
    const { read, exchanges } = await measure(() => client.ok(readLead, { params }));
    const sent = exchanges.map(({ operation }) => operation).filter((one) => one !== 'UpdateItem');
    costs.push([read, sent.sort()]);
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[2]).toEqual(costs[0]);
});

describe('a list of own leads', () => {
  const reader = member(acme, ['readOwnLeads']);
  const leadOf = (user: { id: number }, n: number) =>
    acme.admin.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'Grace', lastName: `Hopper ${n}`, assignedTo: String(user.id) },
    });

  test('contains the leads in which the user takes part, in order, with exact totals and cursors', async () => {
    const one = await reader;
    const { client, user } = await member(acme, ['readOwnLeads']);
    const leads = [];
    for (let n = 0; n < 9; n++) {
      const lead = await leadOf(n % 3 ? user : one.user, n);
      leads.push(lead.id);
      if (n % 3 === 0)
        await acme.admin.ok(setLeadParticipants, {
          params: { leadId: lead.id },
          body: { participants: [String(user.id)] },
        });
    }
    await drain();
    leads.reverse();
    const list = (query: object) => client.ok(listLeads, { query: { pageSize: 4, ...query } });
    const pages = [await list({ page: 1 }), await list({ page: 2 }), await list({ page: 3 })];
    expect(pages.map(({ totalCount, totalIsLowerBound }) => [totalCount, totalIsLowerBound])).toEqual(
      Array(3).fill([9, undefined]),
    );
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(leads);
    const walked = [];
    for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
      const { data, nextCursor }: Awaited<ReturnType<typeof list>> = await list({ cursor });
      walked.push(...data.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(walked).toEqual(leads);
  });
});

const lists = {
  lead: listLeads,
  application: listApplications,
  merchant: listMerchants,
  ticket: listTickets,
};
const types = Object.keys(lists) as (keyof typeof lists)[];

/**
 * The read units that a page of 15 own records costs more than one of all records. The index `holder` contains leads by their
 * owner, and tickets by owner and status: six reads of at least half a unit. Applications and merchants are found by the
 * search index and read one by one, at one unit each.
 */
const furtherUnits = { lead: 0.5, application: 15, merchant: 15, ticket: 3 };

test.each(types)(
  'a list of own records of the type %s costs a caller with a limited permission at most the stated units more',
  async (type) => {
    const of = await tenant();
    const { own: limit = 'readLeads' } = limitedPermissions[reachedRecords[type].read] ?? {};
    const every = await member(of, [reachedRecords[type].read]);
    const one = await member(of, [limit]);
    for (let n = 0; n < 30; n++) {
      const record = await newRecords[type](of.admin);
      await record.give(of.admin, { owner: String((n % 2 ? one : every).user.id) });
    }
    await drain();
    const read = ({ client }: Member) =>
      measure(() => client.ok<AnyContract>(lists[type] as Endpoint, { query: { pageSize: 15 } } as object));
    const [plain, held] = [await read(every), await read(one)];
    const page = held.result as unknown as { data: object[]; totalCount: number };
    expect([page.data.length, page.totalCount]).toEqual([15, 15]);
    // A list of all records is read while the caller is authenticated. The search index needs a second round trip.
    const isIndexed = type === 'application' || type === 'merchant';
    expect(held.sequence).toBeLessThanOrEqual(plain.sequence + (isIndexed ? 2 : 1));
    expect(held.read).toBeLessThanOrEqual(plain.read + furtherUnits[type]);
  },
);

describe('a move of a user to another team', async () => {
  const of = await tenant();
  const { accountId, admin } = of;
  const [west, east] = [
    await admin.ok(createTeam, { body: { name: 'West' } }),
    await admin.ok(createTeam, { body: { name: 'East' } }),
  ];
  const newMover = () => member(of, ['readTeamLeads'], { teamId: west.id });
  const [without, owner] = [await newMover(), await newMover()];
  const at = '2026-01-01T00:00:00.000Z';
  const owned = Array.from({ length: 300 }, () => ({
    ...{
      firstName: 'Ada',
      lastName: 'Byron',
      createdAt: at,
      createdBy: 'import',
      updatedAt: at,
      updatedBy: 'import',
    },
    ...{ assignedTo: String(owner.user.id), teamId: west.id },
  }));
  await putRange(0, owned.length, (n) => indexedLead(accountId, 4_000_000_000_000_000 + n, owned[n] ?? {}));
  expect(await putAll(countLeads(accountId, owned))).toEqual([]);
  const leadOf = ({ id: teamId }: { id: number }) =>
    admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron', teamId } });
  const [inWest, inEast] = [await leadOf(west), await leadOf(east)];
  const move = ({ user: { email } }: Member) =>
    admin.ok(updateUser, { params: { email }, body: { teamId: east.id } });

  test('costs the same without records as with 300, and writes the membership, its event and a counter', async () => {
    await inQuietMinute(() => admin.ok(listLeads));
    const [free, paid] = [await measure(() => move(without)), await measure(() => move(owner))];
    expect([paid.write, paid.read, paid.sequence]).toEqual([free.write, free.read, free.sequence]);
    const written = paid.exchanges.flatMap(writesIn).map(({ key }) => key.pk?.S);
    const of = (noun: string) => expect.stringContaining(`#${noun}`);
    expect(written).toEqual([of('MEMBER'), of('EVENT'), of('TOTALS')]);
  });

  test('takes effect at the next request, and the user keeps the own records', async () => {
    const mover = await newMover();
    const seen = ({ client }: Member) =>
      Promise.all(
        [inWest, inEast].map(
          async ({ id }) => (await client.call(readLead, { params: { leadId: id } })).status,
        ),
      );
    expect(await seen(mover)).toEqual([200, 404]);
    await move(mover);
    expect(await seen(mover)).toEqual([404, 200]);
    await move(owner);
    expect(await seen(owner)).toEqual([404, 200]);
    const { totalCount } = await owner.client.ok(listLeads, { query: { assignedTo: String(owner.user.id) } });
    expect(totalCount).toBe(300);
  });
});

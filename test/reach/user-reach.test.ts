import { expect, test } from 'vitest';
import createTeam from '../../functions/teams/create-team.ts';
import updateTeam from '../../functions/teams/update-team.ts';
import readUserReach from '../../functions/users/read-user-reach.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import { countedTypes, type ReadAccess } from '../../shared/people/users/count-reach.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { drain } from '../harness/drain.ts';
import { type Member, member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { type Holding, newRecords } from './reached-records.ts';

const acme = await tenant();
const { admin } = acme;
const { id: above } = await admin.ok(createTeam, { body: { name: 'Region' } });
const { id: west } = await admin.ok(createTeam, { body: { name: 'West', parentTeamId: above } });
const { id: east } = await admin.ok(createTeam, { body: { name: 'East' } });

const limitedTo = (limit: 'Own' | 'Team'): Permission[] => [
  ...([`read${limit}Leads`, `read${limit}Applications`] as const),
  ...([`read${limit}Merchants`, `read${limit}Tickets`] as const),
];
const agent = await member(acme, limitedTo('Own'), { teamId: west });
const lead = await member(acme, limitedTo('Team'), { teamId: west });
const manager = await member(acme, limitedTo('Team'));
const queue = await member(acme, ['readUnassignedLeads', 'readUnassignedTickets']);
const everything = await member(acme, ['readLeads', 'readApplications', 'readMerchants', 'readTickets']);
await admin.ok(updateTeam, { params: { id: above }, body: { managerIds: [manager.user.id] } });

const [mine, others] = [String(agent.user.id), String(everything.user.id)];
/** Of each type: two records of the agent, three more of West, one of East, and one of nobody. */
const holdings: Holding[] = [
  ...[west, east].map((teamId) => ({ owner: mine, teamId })),
  ...[west, west, west, east].map((teamId) => ({ owner: others, teamId })),
  {},
];
for (const type of countedTypes)
  for (const holding of holdings) {
    const record = await newRecords[type](admin);
    expect(await record.give(admin, holding)).toMatchObject({ status: 200 });
  }
await drain();

const reachOf = ({ user: { email } }: Pick<Member, 'user'>) => admin.ok(readUserReach, { params: { email } });
/** The reach of a user with the same access to all four types. */
const ofAllTypes = (access: ReadAccess[], count: number) =>
  Object.fromEntries(countedTypes.map((type) => [type, { access, count, isExact: true }]));

test.each<[string, Member, ReadAccess[], number]>([
  ['own', agent, ['own'], 2],
  ['team', lead, ['team'], 4],
  ['managed teams', manager, ['team'], 4],
  ['all', everything, ['all'], 7],
])('a user who reaches %s records has these counts of all four types', async (_, one, access, count) => {
  expect(await reachOf(one)).toEqual(ofAllTypes(access, count));
});

test('only leads and tickets can be counted as unassigned', async () => {
  const unassigned = { access: ['unassigned'], count: 1, isExact: true };
  const none = { access: [], count: 0, isExact: true };
  expect(await reachOf(queue)).toEqual({
    ...{ lead: unassigned, application: none, merchant: none, ticket: unassigned },
  });
});

test('changed permissions change the counts at the next request', async () => {
  const one = await member(acme, limitedTo('Own'), { teamId: west });
  expect(await reachOf(one)).toEqual(ofAllTypes(['own'], 0));
  await admin.ok(setUserPermissions, {
    params: { email: one.user.email },
    body: { flatPermissionsList: limitedTo('Team') },
  });
  expect(await reachOf(one)).toEqual(ofAllTypes(['team'], 4));
});

import { describe, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import createTeam from '../../functions/teams/create-team.ts';
import updateTeam from '../../functions/teams/update-team.ts';
import { countedTypes } from '../../shared/people/users/count-reach.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { reachReasons } from '../../shared/security/reach.ts';
import { member } from '../harness/member.ts';
import { client, tenant } from '../harness/tenant.ts';
import { newRecords, type ReachedRecord } from './reached-records.ts';

/** Returns the permissions with these prefixes for all types of records. Only leads and tickets have `Unassigned`. */
const ofAllTypes = (...prefixes: string[]): Permission[] =>
  allPermissions.filter((name) =>
    prefixes.some((prefix) =>
      ['Leads', 'Applications', 'Merchants', 'Tickets'].some((noun) => name === `${prefix}${noun}`),
    ),
  );

const acme = await tenant();
const { admin } = acme;
const { id: region } = await admin.ok(createTeam, { body: { name: 'Region' } });
const { id: west } = await admin.ok(createTeam, { body: { name: 'West', parentTeamId: region } });
const { id: east } = await admin.ok(createTeam, { body: { name: 'East' } });
const own = ofAllTypes('readOwn', 'writeOwn');
const members = {
  all: await member(acme, ofAllTypes('read', 'write')),
  owner: await member(acme, own, { teamId: west }),
  participant: await member(acme, own),
  underwriter: await member(acme, own),
  team: await member(acme, ofAllTypes('readTeam', 'writeOwn'), { teamId: west }),
  manager: await member(acme, ofAllTypes('readTeam', 'writeTeam')),
  otherTeam: await member(acme, ofAllTypes('readTeam', 'writeTeam'), { teamId: east }),
  writer: await member(acme, ofAllTypes('writeTeam'), { teamId: west }),
  queue: await member(acme, ofAllTypes('readUnassigned', 'writeUnassigned')),
  nobody: await member(acme, ['readUsers']),
};
const everybody = Object.entries(members);
const idOf = (name: keyof typeof members) => String(members[name].user.id);
await admin.ok(updateTeam, { params: { id: region }, body: { managerIds: [members.manager.user.id] } });

const limitedKey = await admin.ok(createApiKey, {
  body: { description: 'Import', flatPermissionsList: own },
});
const key = client({
  'x-account-id': acme.accountId,
  'x-api-key': limitedKey.apiKey,
  'x-api-secret': limitedKey.apiSecret,
});

/** Returns the reasons of each member with access, after comparing all of them with what the callers can do. */
async function accessOf(record: ReachedRecord) {
  const { users, apiKeys = [] } = await record.access(admin);
  const callers = [
    ...everybody.map(([name, { client: by, user }]) => ({
      ...{ name, by, shown: users.find(({ id }) => id === user.id) },
    })),
    { name: 'administrator', by: admin, shown: users.find(({ email }) => email === acme.adminEmail) },
    { name: 'key', by: key, shown: apiKeys.find(({ id }) => id === limitedKey.id) },
    { name: 'other key', by: acme.key, shown: apiKeys.find(({ id }) => id !== limitedKey.id) },
  ];
  for (const { name, by, shown: { read, change } = { read: [], change: [] } } of callers) {
    const can = [(await record.read(by)).status === 200, (await record.change(by)).status === 200];
    expect([name, ...can]).toEqual([name, read.length > 0, change.length > 0]);
  }
  return Object.fromEntries(
    callers.flatMap(({ name, shown }) => (shown ? [[name, [shown.read, shown.change]]] : [])),
  );
}

/** The reasons of the callers who reach every record. */
const always = {
  all: [['all'], ['all']],
  administrator: [['administrator'], ['administrator']],
  'other key': [['all'], ['all']],
};
/** The reasons of the other callers, each for reading and for changing the record. */
const reasons = {
  held: {
    owner: [['owner'], ['owner']],
    participant: [['participant'], ['participant']],
    team: [['team'], []],
    manager: [['manager'], ['manager']],
    writer: [[], ['team']],
  },
  ofOtherTeam: { otherTeam: [['team'], ['team']] },
  ofKey: { key: [['creator'], ['creator']] },
  unassigned: { queue: [['unassigned'], ['unassigned']] },
  underwritten: { underwriter: [['underwriter'], ['underwriter']] },
};

test('the tests below contain each reason of the contract', () => {
  const all = [always, ...Object.values(reasons)].flatMap((one) => Object.values(one).flat(2));
  expect([...new Set(all)].sort()).toEqual(['administrator', 'all', ...reachReasons].sort());
});

describe.each(countedTypes)('the reasons are those of what each caller can do: %s', (type) => {
  const newRecord = newRecords[type];

  test('with an owner, a team and a participant', async () => {
    const record = await newRecord(admin);
    await record.share(admin, [idOf('participant')]);
    await record.give(admin, { owner: idOf('owner'), teamId: west });
    expect(await accessOf(record)).toEqual({ ...always, ...reasons.held });
  });

  test('of another team', async () => {
    const record = await newRecord(admin);
    await record.give(admin, { owner: idOf('all'), teamId: east });
    expect(await accessOf(record)).toEqual({ ...always, ...reasons.ofOtherTeam });
  });

  test('created by an API key, without owner and team', async () => {
    const hasUnassigned = type === 'lead' || type === 'ticket';
    const expected = { ...always, ...reasons.ofKey, ...(hasUnassigned && reasons.unassigned) };
    expect(await accessOf(await newRecord(key))).toEqual(expected);
  });
});

test('the reasons are those of what each caller can do: application of an underwriter', async () => {
  const record = await newRecords.application(admin);
  await admin.ok(updateUnderwriting, {
    params: { applicationId: String(record.id) },
    body: { assignedTo: idOf('underwriter') },
  });
  expect(await accessOf(record)).toEqual({ ...always, ...reasons.underwritten });
});

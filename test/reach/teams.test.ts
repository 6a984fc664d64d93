import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import activateTeam from '../../functions/teams/activate-team.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import readTeam from '../../functions/teams/read-team.ts';
import updateTeam from '../../functions/teams/update-team.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import readUser from '../../functions/users/read-user.ts';
import removeUserFromAccount from '../../functions/users/remove-user-from-account.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { teamTrees } from '../../shared/people/team-trees/store.ts';
import { managedTeams } from '../../shared/people/team-trees/team-tree.ts';
import { mostChangedManagers } from '../../shared/people/teams/place-team.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { newMembership } from '../../shared/people/users/make-user.ts';
import type { Membership } from '../../shared/people/users/schema.ts';
import { memberships } from '../../shared/people/users/store.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { measure } from '../costs/meter.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { byChoice, interleave } from '../harness/interleave.ts';
import { joins, type Member, member } from '../harness/member.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';
import { outcome } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const account = acme.accountId as AccountId;

let created = 0;
const newTeam = (fields: { parentTeamId?: number; managerIds?: number[] } = {}, by: Client = admin) => {
  created += 1;
  return by.ok(createTeam, { body: { name: `Team ${created}`, ...fields } });
};
const change = (id: number, body: object) => admin.call(updateTeam, { params: { id }, body });
const managedBy = async (user: { id: number }, of: AccountId = account) =>
  (await memberships.get(of, user.id)).managedTeamIds ?? [];
const manager = (of: Tenant = acme) => member(of, ['readTeamLeads']);

/** Adds memberships without users and sessions, for tests that need many. */
async function crowd(count: number): Promise<Membership[]> {
  const origin = { account, ...authoredBy('admin@acme.test', clock.now()) };
  return concurrently(count, async (n) => {
    const id = 1000 + n;
    const one = newMembership({ id, email: `crowd${n}@acme.test` }, {}, origin);
    await transact(memberships.insert(one), Date.now() + 10_000);
    return one;
  });
}

describe('a manager', async () => {
  const one = await manager();
  const team = await newTeam();
  const below = await newTeam({ parentTeamId: team.id });
  const lead = await admin.ok(createLead, {
    body: { firstName: 'Ada', lastName: 'Byron', teamId: below.id },
    query: { skipTeamAndSourceRequirement: true },
  });
  const reads = async () => (await one.client.call(readLead, { params: { leadId: lead.id } })).status;

  test('reads the records of the teams below at the next request, until the managers change', async () => {
    expect(await reads()).toBe(404);
    const after = await admin.ok(updateTeam, {
      params: { id: team.id },
      body: { managerIds: [one.user.id] },
    });
    expect(after).toMatchObject({ managerIds: [one.user.id], version: 2 });
    expect(await reads()).toBe(200);
    await change(team.id, { managerIds: [] });
    expect(await reads()).toBe(404);
  });

  test('loses and gains the records of a team that moves, or whose parent is deleted', async () => {
    await change(team.id, { managerIds: [one.user.id] });
    await change(below.id, { parentTeamId: null });
    expect(await reads()).toBe(404);
    const middle = await newTeam({ parentTeamId: team.id });
    await change(below.id, { parentTeamId: middle.id });
    expect(await reads()).toBe(200);
    await admin.ok(deleteTeam, { params: { id: middle.id } });
    expect(await reads()).toBe(404);
    expect(await admin.ok(readTeam, { params: { id: below.id } })).not.toHaveProperty('parentTeamId');
    await change(below.id, { parentTeamId: team.id });
    expect(await reads()).toBe(200);
  });

  test('keeps the access to a team that is deactivated', async () => {
    await admin.ok(deactivateTeam, { params: { id: below.id } });
    expect(await reads()).toBe(200);
    expect(await admin.ok(activateTeam, { params: { id: below.id } })).toMatchObject({
      parentTeamId: team.id,
      managerIds: [],
    });
  });

  test('has no access while the membership is inactive, and none after a removal and a new invitation', async () => {
    const email = one.user.email;
    await admin.ok(updateUser, { params: { email }, body: { active: false } });
    expect(await reads()).toBe(403);
    await admin.ok(updateUser, { params: { email }, body: { active: true } });
    const other = await member(acme, ['readTeamLeads']);
    await change(team.id, { managerIds: [one.user.id, other.user.id] });
    const params = { email: other.user.email, accountId: acme.accountId };
    await joins(other, await tenant());
    await admin.ok(removeUserFromAccount, { params });
    expect(await admin.ok(readTeam, { params: { id: team.id } })).toMatchObject({
      managerIds: [one.user.id],
    });
    await admin.ok(addUserToAccount, { params: { email: params.email }, body: {} });
    await change(team.id, { description: 'Moved', parentTeamId: (await newTeam()).id });
    expect(await managedBy(other.user)).toEqual([]);
    expect(await managedBy(one.user)).toEqual([team.id, below.id]);
  });

  test('is not shown in the responses and events of users', async () => {
    expect(await admin.ok(readUser, { params: { email: one.user.email } })).not.toHaveProperty(
      'managedTeamIds',
    );
    const events = await storedEvents(acme.accountId);
    expect(JSON.stringify(events)).not.toContain('managedTeamIds');
  });
});

describe('a change of a team', () => {
  test('is in the event team_updated, and the list contains the new place', async () => {
    const [above, one] = [await newTeam(), await manager()];
    const team = await newTeam();
    await change(team.id, { parentTeamId: above.id, managerIds: [one.user.id] });
    const events = (await storedEvents(acme.accountId)).filter(
      ({ kind, subject }) => kind === 'team_updated' && (subject as { id: number }).id === team.id,
    );
    expect(events.map(({ data }) => data)).toEqual([
      {
        changes: {
          parentTeamId: { to: above.id },
          managerIds: { from: [], to: [one.user.id] },
        },
      },
    ]);
    const { data } = await admin.ok(listTeams);
    expect(data.find(({ id }) => id === team.id)).toMatchObject({
      parentTeamId: above.id,
      managerIds: [one.user.id],
    });
    expect((await change(team.id, { managerIds: [one.user.id] })).body).toMatchObject({ version: 2 });
  });

  test('is rejected for users and teams of other accounts, and for the same user twice', async () => {
    const other = await tenant();
    const theirs = await newTeam({}, other.admin);
    const stranger = await member(other);
    const team = await newTeam();
    expect(await outcome(change(team.id, { parentTeamId: theirs.id }))).toBe('400 parentTeamId');
    expect(await outcome(change(team.id, { parentTeamId: 1 }))).toBe('400 parentTeamId');
    expect(await outcome(change(team.id, { managerIds: [stranger.user.id] }))).toBe('400 managerIds');
    expect(await outcome(change(team.id, { managerIds: [7, 7] }))).toBe('400 managerIds');
    const many = Array.from({ length: 21 }, (_, n) => n + 1);
    expect(await outcome(change(team.id, { managerIds: many }))).toBe('400 managerIds');
  });

  test('is rejected if a team would be below itself, or on a sixth level', async () => {
    const chain = [await newTeam()];
    for (let level = 2; level <= 5; level += 1) chain.push(await newTeam({ parentTeamId: chain.at(-1)?.id }));
    const [first, second, , , last] = chain.map(({ id }) => id);
    if (!first || !second || !last) return expect.unreachable();
    for (const parentTeamId of [first, second, last])
      expect((await change(first, { parentTeamId })).body.details).toEqual([
        { field: 'parentTeamId', message: 'must not be the team itself or a team below it' },
      ]);
    const deep = await admin.call(createTeam, { body: { name: 'Deep', parentTeamId: last } });
    expect(deep.body.details?.[0]?.message).toContain('more than 5 levels');
    expect(await outcome(change(first, { parentTeamId: (await newTeam()).id }))).toBe('400 parentTeamId');
  });

  test('is rejected if a user would manage more than 50 teams, or more than 90 managers were affected', async () => {
    const top = await newTeam();
    const one = await manager();
    await concurrently(10, () => newTeam({ parentTeamId: top.id }));
    const rest = await concurrently(40, () => newTeam());
    await change(top.id, { managerIds: [one.user.id] });
    for (const { id } of rest.slice(0, 39)) await change(id, { parentTeamId: top.id });
    expect(await managedBy(one.user)).toHaveLength(50);
    const refused = await change(rest[39]?.id ?? 0, { parentTeamId: top.id });
    expect(refused).toMatchObject({ status: 400, body: { error: 'quota_exceeded' } });
    expect(refused.body.message).toContain('at most 50 teams');

    const members = await crowd(5 * 20);
    let parentTeamId: number | undefined;
    for (let level = 0; level < 4; level += 1) {
      const managerIds = members.slice(level * 20, level * 20 + 20).map(({ id }) => id);
      parentTeamId = (await newTeam({ ...(parentTeamId && { parentTeamId }), managerIds })).id;
    }
    const own = members.slice(80).map(({ id }) => id);
    const leaf = await newTeam({ parentTeamId });
    expect(await outcome(change(leaf.id, { parentTeamId: null, managerIds: own }))).toBe(
      '400 quota_exceeded',
    );
    await admin.ok(updateTeam, { params: { id: leaf.id }, body: { parentTeamId: null } });
    expect(mostChangedManagers).toBe(90);
    expect(await managedBy(members[0] ?? { id: 0 })).toHaveLength(4);
  });

  test('two concurrent changes create no cycle, and each membership contains the teams of the resulting tree', async () => {
    const people = await concurrently(3, () => manager());
    const [first, second, third] = people.map(({ user }) => user.id);
    const managersIn = (...ids: (number | undefined)[]) => ids.filter((id) => id !== undefined);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1), { minLength: 1, maxLength: 12 }), async (choices) => {
        const [one, other] = [
          await newTeam({ managerIds: managersIn(first) }),
          await newTeam({ managerIds: managersIn(second) }),
        ];
        const below = await newTeam({ parentTeamId: other.id });
        const results = await interleave(
          [
            () => change(one.id, { parentTeamId: below.id, managerIds: managersIn(first, third) }),
            () => change(other.id, { parentTeamId: one.id, managerIds: managersIn(second, third) }),
          ],
          byChoice(choices),
        );
        expect(results.map(({ status }) => status).sort()).toEqual([200, 400]);
        const managed = managedTeams(await teamTrees.find(account));
        for (const { user } of people) expect(await managedBy(user)).toEqual(managed.get(user.id) ?? []);
        for (const { id } of [one, other, below]) await admin.ok(deleteTeam, { params: { id } });
      }),
      { numRuns: 15 },
    );
  });

  test('does not change what a request of a manager or a new team of a user costs', async () => {
    const [one, other] = [await manager(), await manager()];
    const lead = await admin.ok(createLead, {
      body: { firstName: 'Ada', lastName: 'Byron' },
      query: { skipTeamAndSourceRequirement: true },
    });
    const costsOf = async ({ user, client }: Member, teamId: number) => {
      const read = () => client.call(readLead, { params: { leadId: lead.id } });
      const move = () => admin.ok(updateUser, { params: { email: user.email }, body: { teamId } });
      await inQuietMinute(read);
      await inQuietMinute(() => admin.ok(listTeams));
      const costs = [await measure(read), await measure(move)];
      return costs.map(({ requests, sequence, read, write }) => ({ requests, sequence, read, write }));
    };
    const team = await newTeam({ managerIds: [one.user.id] });
    expect(await costsOf(one, team.id)).toEqual(await costsOf(other, team.id));
    expect(await managedBy(one.user)).toEqual([team.id]);
  });
});

/** A change of the tree, with positions in the lists of teams and users. */
type Step =
  | { kind: 'create'; parent: number; managers: number[] }
  | { kind: 'move'; team: number; parent: number | null }
  | { kind: 'managers'; team: number; managers: number[] }
  | { kind: 'delete'; team: number }
  | { kind: 'leave'; user: number };

const position = fc.nat(20);
const managers = fc.uniqueArray(fc.nat(3), { maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), parent: position, managers }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      team: position,
      parent: fc.option(position, { freq: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('managers' as const), team: position, managers }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), team: position }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), user: fc.nat(3) }) },
);

test('after any changes of teams, each membership contains the managed teams and those below them', async () => {
  const of = await tenant();
  const inAccount = of.accountId as AccountId;
  const known: { id: number; parent?: number; managers: number[] }[] = [];

  /** Compares the memberships and responses with a computation that walks up from each team. */
  const compare = async (people: readonly Member[]) => {
    for (const { user } of people) {
      const manages = (id: number | undefined): boolean => {
        const team = known.find((one) => one.id === id);
        return team !== undefined && (team.managers.includes(user.id) || manages(team.parent));
      };
      const expected = known.map(({ id }) => id).filter(manages);
      const found = await memberships.find(inAccount, user.id);
      expect(found?.managedTeamIds ?? []).toEqual(expected.sort((one, other) => one - other));
    }
    const { data } = await of.admin.ok(listTeams, { query: { pageSize: 100 } });
    const places = data.map(({ id, parentTeamId, managerIds }) => [id, parentTeamId, managerIds]);
    expect(places).toEqual(
      known
        .map(({ id, parent, managers }) => [id, parent, managers])
        .sort(([one], [other]) => Number(other) - Number(one)),
    );
  };

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      for (const { id } of known.splice(0)) await of.admin.ok(deleteTeam, { params: { id } });
      const people = await concurrently(4, () => member(of));
      const idsOf = (positions: readonly number[]) =>
        positions.map((n) => people[n]?.user.id ?? 0).filter((id) => !left.has(id));
      const left = new Set<number>();
      for (const one of steps) {
        const at = (n: number) => known[n % Math.max(known.length, 1)];
        switch (one.kind) {
          case 'create': {
            const parent = one.parent % 3 === 0 ? undefined : at(one.parent)?.id;
            const managerIds = idsOf(one.managers);
            const { status, body } = await of.admin.call(createTeam, {
              body: { name: 'Team', managerIds, ...(parent && { parentTeamId: parent }) },
            });
            if (status === 201) known.push({ id: body.id, parent, managers: managerIds });
            else expect(body.error).toBe('invalid_input');
            break;
          }
          case 'move': {
            const team = at(one.team);
            if (!team) break;
            const parent = one.parent === null ? undefined : at(one.parent)?.id;
            const { status } = await of.admin.call(updateTeam, {
              params: { id: team.id },
              body: { parentTeamId: parent ?? null },
            });
            if (status === 200) team.parent = parent;
            break;
          }
          case 'managers': {
            const team = at(one.team);
            if (!team) break;
            const managerIds = idsOf(one.managers);
            await of.admin.ok(updateTeam, { params: { id: team.id }, body: { managerIds } });
            team.managers = managerIds;
            break;
          }
          case 'delete': {
            const team = at(one.team);
            if (!team) break;
            await of.admin.ok(deleteTeam, { params: { id: team.id } });
            known.splice(known.indexOf(team), 1);
            for (const other of known) if (other.parent === team.id) other.parent = undefined;
            break;
          }
          case 'leave': {
            const leaving = people[one.user];
            if (!leaving || left.has(leaving.user.id)) break;
            const params = { email: leaving.user.email, accountId: of.accountId };
            await of.admin.ok(removeUserFromAccount, { params });
            left.add(leaving.user.id);
            for (const team of known) team.managers = team.managers.filter((id) => id !== leaving.user.id);
            break;
          }
        }
      }
      await compare(people);
    }),
    { numRuns: 25 },
  );
  expect(await teams.total(inAccount)).toBe(known.length);
});

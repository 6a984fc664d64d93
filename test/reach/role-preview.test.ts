import fc from 'fast-check';
import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createRole from '../../functions/roles/create-role.ts';
import setRolePermissions from '../../functions/roles/set-role-permissions.ts';
import createTeam from '../../functions/teams/create-team.ts';
import updateUser from '../../functions/users/update-user.ts';
import { differenceOf } from '../../shared/people/users/preview-reach.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { admin } = acme;

const roleOf = async (of: Tenant, name: string, flatPermissionsList: Permission[]) =>
  of.admin.ok(createRole, { body: { name, flatPermissionsList } });

const previewBy = async (by: Client, id: number, flatPermissionsList: Permission[]) => {
  const { answer } = await by.dryRun(setRolePermissions, { params: { id }, body: { flatPermissionsList } });
  return answer.reach;
};
const exact = (count: number) => ({ count, isExact: true });

test('the preview of each change counts the leads that a user gains and loses, and equals the change of the list', async () => {
  const { id: west } = await admin.ok(createTeam, { body: { name: 'West' } });
  const { id: east } = await admin.ok(createTeam, { body: { name: 'East' } });
  const role = await roleOf(acme, 'Agent', []);
  const agent = await member(acme, [], { teamId: west, roles: ['Agent'] });
  const colleague = await member(acme);
  for (const [assignedTo, teamId] of [
    [agent.user.email, west],
    [agent.user.email, east],
    [colleague.user.email, west],
    [colleague.user.email, east],
    [undefined, west],
    [undefined, undefined],
  ] as const) {
    const body = { firstName: 'Ada', lastName: 'Byron', assignedTo, teamId };
    await admin.ok(createLead, { query: { skipTeamAndSourceRequirement: true }, body });
  }
  await drain();
  const params = { id: role.id };
  const set = (flatPermissionsList: Permission[]) =>
    admin.ok(setRolePermissions, { params, body: { flatPermissionsList } });
  const listed = async () => {
    const { status, body } = await agent.client.call(listLeads);
    return new Set<number>(status === 403 ? [] : body.data.map(({ id }) => id));
  };
  const own: Permission[] = ['readOwnLeads'];
  const team: Permission[] = ['readTeamLeads'];
  const unassigned: Permission[] = ['readUnassignedLeads'];
  const all: Permission[] = ['readLeads'];
  const changes = [
    ...[own, team, unassigned, [...own, ...unassigned], all, [...own, ...unassigned]],
    ...[[...team, ...unassigned], own, unassigned, team, all, all, own, []],
  ];
  let had = await listed();
  for (const [n, after] of changes.entries()) {
    const previewed = await previewBy(admin, role.id, after);
    await set(after);
    const has = await listed();
    const without = (some: Set<number>, others: Set<number>) =>
      exact([...some].filter((id) => !others.has(id)).length);
    const counts = { before: exact(had.size), after: exact(has.size) };
    const change = { id: agent.user.id, email: agent.user.email, type: 'lead', ...counts };
    const expected = { ...change, gained: without(has, had), lost: without(had, has) };
    const isSame = after === changes[n - 1];
    expect(previewed, `${changes[n - 1]} to ${after}`).toMatchObject({
      affectedUsers: isSame ? 0 : 1,
      changes: isSame ? [] : [expected],
    });
    had = has;
  }
});

test('only active users whose other permissions do not include the records are affected, and at most 20 are counted', async () => {
  const of = await tenant();
  const role = await roleOf(of, 'Support', ['readOwnTickets']);
  const members = [];
  for (let n = 0; n < 21; n += 1) members.push(await member(of, [], { roles: ['Support'] }));
  const emails = members.map(({ user }) => user.email).sort();
  await member(of, ['readTickets'], { roles: ['Support'] });
  await member(of, [], { roles: ['Support'], active: false });
  await member(of);
  const previewed = await previewBy(of.admin, role.id, ['readTeamTickets', 'readTeams']);
  expect(previewed?.affectedUsers).toBe(21);
  expect(previewed?.changes?.map(({ email }) => email)).toEqual(emails.slice(0, 20));
  expect(previewed?.changes?.[0]).toMatchObject({
    ...{ type: 'ticket', accessBefore: ['own'], accessAfter: ['team'] },
    ...{ gained: exact(0), lost: exact(0) },
  });
  const unchanged = await previewBy(of.admin, role.id, ['readOwnTickets', 'readTeams']);
  expect(unchanged).toEqual({ affectedUsers: 0, changes: [] });
});

test('a caller gets no counts of records that it may not read, and no users without readUsers', async () => {
  const of = await tenant();
  await of.admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
  const role = await roleOf(of, 'Desk', []);
  const clerk = await member(of, [], { roles: ['Desk'] });
  const granted: Permission[] = ['readMerchants', 'readOwnLeads'];
  const limited = await member(of, ['writeRoles', 'readUsers', 'readMerchants', 'readOwnLeads']);
  const change = { id: clerk.user.id, email: clerk.user.email, accessBefore: [] };
  expect(await previewBy(limited.client, role.id, granted)).toEqual({
    affectedUsers: 1,
    changes: [
      { ...change, type: 'lead', accessAfter: ['own'] },
      {
        ...{ ...change, type: 'merchant', accessAfter: ['all'], before: exact(0), after: exact(1) },
        ...{ gained: exact(1), lost: exact(0) },
      },
    ],
  });
  const noUsers = await member(of, ['writeRoles', 'readMerchants', 'readOwnLeads']);
  expect(await previewBy(noUsers.client, role.id, granted)).toEqual({ affectedUsers: 1 });
  await of.admin.ok(updateUser, { params: { email: clerk.user.email }, body: { active: false } });
  expect(await previewBy(limited.client, role.id, granted)).toEqual({ affectedUsers: 0, changes: [] });
  const params = { id: role.id };
  const real = await limited.client.ok(setRolePermissions, {
    params,
    body: { flatPermissionsList: granted },
  });
  expect(real).not.toHaveProperty('reach');
});

test('a difference of two counts is exact if both are, and otherwise a lower bound', () => {
  const size = fc.nat(20);
  fc.assert(
    fc.property(size, size, size, size, (common, more, shownOfWide, shownOfNarrow) => {
      const counted = (count: number, shown: number) => ({
        count: Math.min(count, shown),
        isExact: count <= shown,
      });
      const wide = counted(common + more, shownOfWide);
      const narrow = counted(common, shownOfNarrow);
      const { count, isExact } = differenceOf(wide, narrow);
      expect(isExact).toBe(wide.isExact && narrow.isExact);
      if (isExact) expect(count).toBe(more);
      else expect(count).toBeLessThanOrEqual(more);
    }),
  );
});

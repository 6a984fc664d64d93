import { afterEach, describe, expect, test } from 'vitest';
import createRole from '../../functions/roles/create-role.ts';
import deleteRole from '../../functions/roles/delete-role.ts';
import listRoles from '../../functions/roles/list-roles.ts';
import readRole from '../../functions/roles/read-role.ts';
import setRolePermissions from '../../functions/roles/set-role-permissions.ts';
import updateRole from '../../functions/roles/update-role.ts';
import readUser from '../../functions/users/read-user.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import type { Role } from '../../shared/people/roles/schema.ts';
import { rolesKey } from '../../shared/people/roles/store.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import { getItem } from '../../shared/table/read.ts';
import { concurrently } from '../harness/concurrently.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { roles as count } from '../harness/heavy.ts';
import { member } from '../harness/member.ts';
import { storeRoles } from '../harness/stored-roles.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { kindsOf } from './event-kinds.ts';

afterEach(noFaults);

const make = (by: Client, name: string, flatPermissionsList: string[] = []) =>
  by.call(createRole, { body: { name, flatPermissionsList } });
const rename = (by: Client, { id }: { id: number }, name: string) =>
  by.call(updateRole, { params: { id }, body: { name } });
const permit = (by: Client, { id }: { id: number }, flatPermissionsList: string[]) =>
  by.call(setRolePermissions, { params: { id }, body: { flatPermissionsList } });
const remove = (by: Client, { id }: { id: number }) => by.call(deleteRole, { params: { id } });
const namesOf = async (by: Client) => {
  const { data } = (await by.ok(listRoles, { query: { pageSize: 100 } })) as { data: Role[] };
  return data.map(({ name }) => name).sort();
};
/** Counts equal responses, for example `{ '201': 1, '400 role_name_taken': 49 }`. */
const delta = (responses: { status: number; body: { error?: string } }[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of responses) {
    const response = status < 400 ? String(status) : `${status} ${body.error}`;
    counts[response] = (counts[response] ?? 0) + 1;
  }
  return counts;
};

/** Returns the responses of concurrent requests, and how often the requests read the roles. */
async function decisionsIn<R>(crowd: () => Promise<R>): Promise<{ responses: R; decisions: number }> {
  let decisions = 0;
  const stop = watchWire({
    done({ operation, input }) {
      const { sk } = (input.Key ?? {}) as { sk?: { S?: string } };
      if (operation === 'GetItem' && sk?.S === 'ROLES') decisions += 1;
    },
  });
  const responses = await crowd();
  stop();
  return { responses, decisions };
}

test(`${count} concurrent requests create, change, rename and delete roles without retries, although overlapping transactions are cancelled`, async () => {
  const { admin } = await tenant();
  const first = (await make(admin, 'Role 0')).body;
  injectFaults({ overlap: true });
  const others = await decisionsIn(() => concurrently(count - 1, (n) => make(admin, `Role ${n + 1}`)));
  expect(delta(others.responses)).toEqual({ 201: count - 1 });
  expect(others.decisions).toBe(count - 1);
  expect(injected.overlaps).toBeGreaterThan(0);

  const all = [first, ...others.responses.map(({ body }) => body)];
  const change = (role: Role, n: number) =>
    n % 2 ? permit(admin, role, ['readLeads']) : rename(admin, role, `Renamed ${n}`);
  for (const step of [change, (role: Role) => remove(admin, role)]) {
    const { responses, decisions } = await decisionsIn(() => Promise.all(all.map(step)));
    expect(delta(responses)).toEqual({ 200: count });
    expect(decisions).toBe(count);
  }
  expect(await namesOf(admin)).toEqual([]);
  expect(delta([await make(admin, 'Role 2'), await make(admin, 'Renamed 2')])).toEqual({ 201: 2 });
});

test('concurrent requests create the first roles of an account, although overlapping transactions are cancelled', async () => {
  const { admin } = await tenant();
  injectFaults({ overlap: true });
  expect(delta(await concurrently(25, (n) => make(admin, `Role ${n}`)))).toEqual({ 201: 25 });
  expect(await namesOf(admin)).toHaveLength(25);
});

test('roles are listed newest first', async () => {
  const acme = await tenant();
  const made = [];
  // All roles of an account are fields of one item, and the table returns the fields in any order.
  for (let n = 0; n < 8; n++)
    made.unshift(await acme.admin.ok(createRole, { body: { name: `Role ${n}`, flatPermissionsList: [] } }));
  expect((await acme.admin.ok(listRoles)).data).toEqual(made);
});

test('a hundred roles of maximum size fit into one item', async () => {
  const { admin, accountId } = await tenant();
  await make(admin, '😀'.repeat(100), [...allPermissions]);
  const item = await getItem(rolesKey(accountId));
  const [longestEmail, longestAccountId] = [254, 64];
  const largest = Buffer.byteLength(JSON.stringify(item)) + 2 * longestEmail + longestAccountId;
  expect(100 * largest).toBeLessThan(300 * 1024);
});

test('if concurrent requests create roles whose names differ only in case, only one succeeds', async () => {
  const { admin } = await tenant();
  await make(admin, 'Another');
  injectFaults({ overlap: true });
  const made = await concurrently(50, (n) => make(admin, n % 2 ? 'Agent' : 'AGENT'));
  expect(delta(made)).toEqual({ 201: 1, '400 role_name_taken': 49 });
  expect(await namesOf(admin)).toHaveLength(2);
});

test('if roles are concurrently renamed to the same name, only one rename succeeds', async () => {
  const { admin } = await tenant();
  const made = await concurrently(20, (n) => make(admin, `Role ${n}`));
  injectFaults({ overlap: true });
  const renamed = await Promise.all(made.map(({ body }) => rename(admin, body, 'Chief')));
  expect(delta(renamed)).toEqual({ 200: 1, '400 role_name_taken': 19 });
  const names = await namesOf(admin);
  expect(names.filter((name) => name === 'Chief')).toHaveLength(1);
  expect(new Set(names).size).toBe(20);
});

test('concurrent creations never exceed the quota of roles', async () => {
  const { admin } = await tenant();
  expect(delta(await concurrently(95, (n) => make(admin, `Role ${n}`)))).toEqual({ 201: 95 });
  injectFaults({ overlap: true });
  const more = await concurrently(20, (n) => make(admin, `More ${n}`));
  expect(delta(more)).toEqual({ 201: 5, '400 quota_exceeded': 15 });
});

test('concurrent changes of a role are all applied, and only one of several concurrent deletions succeeds', async () => {
  const { admin } = await tenant();
  const role = (await make(admin, 'Contended')).body;
  injectFaults({ overlap: true });
  const permissions = allPermissions.slice(0, 20);
  const changed = await Promise.all(permissions.map((permission) => permit(admin, role, [permission])));
  expect(delta(changed)).toEqual({ 200: 20 });
  expect(changed.map(({ body }) => body.version).sort((one, other) => one - other)).toEqual(
    permissions.map((_, n) => n + 2),
  );
  expect(delta(await concurrently(10, () => remove(admin, role)))).toEqual({ 200: 1, '404 not_found': 9 });
});

test('a role name can be used again after a rename or deletion, but not after a rename that only changed its letter case', async () => {
  const { admin } = await tenant();
  const role = (await make(admin, 'Agent')).body;
  expect((await rename(admin, role, 'AGENT')).body.name).toBe('AGENT');
  expect(delta([await make(admin, 'agent')])).toEqual({ '400 role_name_taken': 1 });
  await rename(admin, role, 'Seller');
  const heir = (await make(admin, 'Agent')).body;
  expect(delta([await rename(admin, role, 'agent')])).toEqual({ '400 role_name_taken': 1 });
  await remove(admin, heir);
  expect(delta([await rename(admin, role, 'agent')])).toEqual({ 200: 1 });
});

test('roles stored without name attributes can be read, renamed and deleted, and their names must still be unique', async () => {
  const { admin, accountId } = await tenant();
  const [agent, seller] = await storeRoles(accountId, ['Agent', 'Seller']);
  if (!agent || !seller) throw new Error('No roles were stored.');
  expect(await namesOf(admin)).toEqual(['Agent', 'Seller']);
  expect(delta([await make(admin, 'agent'), await rename(admin, seller, 'AGENT')])).toEqual({
    '400 role_name_taken': 2,
  });
  expect(delta([await rename(admin, agent, 'Chief'), await make(admin, 'Agent')])).toEqual({
    200: 1,
    201: 1,
  });
  expect(delta([await remove(admin, seller), await make(admin, 'Seller')])).toEqual({ 200: 1, 201: 1 });
  expect(await namesOf(admin)).toEqual(['Agent', 'Chief', 'Seller']);
});

test('if roles stored without name attributes are concurrently renamed to the same name, only one rename succeeds', async () => {
  const { admin, accountId } = await tenant();
  const roles = await storeRoles(
    accountId,
    Array.from({ length: 10 }, (_, n) => `Role ${n}`),
  );
  injectFaults({ overlap: true });
  const responses = await Promise.all(roles.map((role) => rename(admin, role, 'Chief')));
  expect(delta(responses)).toEqual({ 200: 1, '400 role_name_taken': 9 });
});

describe('a role', () => {
  test('creating, changing and deleting a role emit one event each', async () => {
    const acme = await tenant();
    const before = await kindsOf(acme);
    const role = await acme.admin.ok(createRole, {
      body: { name: 'Agent', flatPermissionsList: ['readLeads'] },
    });
    const params = { id: role.id };
    expect(await acme.admin.ok(readRole, { params })).toEqual(role);
    const permissions = { flatPermissionsList: ['writeLeads', 'readLeads', 'readLeads'] };
    const allowed = await acme.admin.ok(setRolePermissions, { params, body: permissions });
    expect(allowed.flatPermissionsList).toEqual(['readLeads', 'writeLeads']);
    expect((await acme.admin.ok(updateRole, { params, body: { name: 'Seller' } })).version).toBe(3);
    expect((await acme.admin.ok(listRoles, { query: { search: 'sell' } })).totalCount).toBe(1);
    await acme.admin.ok(deleteRole, { params });
    expect((await acme.admin.call(readRole, { params })).status).toBe(404);
    expect((await kindsOf(acme)).slice(before.length)).toEqual([
      'role_created',
      'role_permissions_updated',
      'role_permissions_updated',
      'role_deleted',
    ]);
  });

  test('users keep a renamed role and lose a deleted role', async () => {
    const acme = await tenant();
    const { user } = await member(acme);
    const params = { email: user.email };
    const role = await acme.admin.ok(createRole, {
      body: { name: 'Agent', flatPermissionsList: ['readLeads'] },
    });
    await acme.admin.ok(setUserRoles, { params, body: { roles: ['Agent'] } });
    await acme.admin.ok(updateRole, { params: { id: role.id }, body: { name: 'Seller' } });
    expect(await acme.admin.ok(readUser, { params })).toMatchObject({
      flatRolesList: ['Seller'],
      flatPermissionsList: ['readLeads'],
    });
    await acme.admin.ok(deleteRole, { params: { id: role.id } });
    expect(await acme.admin.ok(readUser, { params })).toMatchObject({
      flatRolesList: [],
      flatPermissionsList: [],
    });
  });
});

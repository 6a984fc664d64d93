import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import listLeads from '../../../functions/leads/list-leads.ts';
import readProvisioning from '../../../functions/provisioning/read-provisioning.ts';
import saveProvisioning from '../../../functions/provisioning/save-provisioning.ts';
import createRole from '../../../functions/roles/create-role.ts';
import listRoles from '../../../functions/roles/list-roles.ts';
import setRolePermissions from '../../../functions/roles/set-role-permissions.ts';
import createScimGroup from '../../../functions/scim/create-scim-group.ts';
import deleteScimGroup from '../../../functions/scim/delete-scim-group.ts';
import listScimGroups from '../../../functions/scim/list-scim-groups.ts';
import patchScimGroup from '../../../functions/scim/patch-scim-group.ts';
import readScimGroup from '../../../functions/scim/read-scim-group.ts';
import replaceScimGroup from '../../../functions/scim/replace-scim-group.ts';
import createTeam from '../../../functions/teams/create-team.ts';
import { memberships } from '../../../shared/people/users/store.ts';
import { type Client, type Tenant, tenant } from '../../harness/tenant.ts';
import { operations, provider, provisioned, read, signsIn } from './provider.ts';

let acme: Tenant;
let scim: Client;
beforeAll(async () => {
  acme = await tenant();
  scim = await provider(acme);
});

let groups = 0;
/** A role that can read leads, and the id of its group. */
async function mappedRole(): Promise<{ id: string; roleId: number; displayName: string }> {
  groups += 1;
  const displayName = `Readers ${groups}`;
  const body = { name: `Lead readers ${groups}`, flatPermissionsList: ['readLeads'] };
  const { id: roleId } = await acme.admin.ok(createRole, { body });
  const { groups: others } = await acme.admin.ok(readProvisioning);
  await acme.admin.ok(saveProvisioning, { body: { groups: [...others, { displayName, roleId }] } });
  return { id: `role-${roleId}`, roleId, displayName };
}

const members = async (id: string) =>
  ((await scim.ok(readScimGroup, { params: { id } })).members ?? []).map(({ value }) => value);
const patch = (id: string, ...list: object[]) =>
  scim.ok(patchScimGroup, { params: { id }, body: operations(...list) });

describe('a group that an administrator maps', () => {
  test('gives its members the role at once, and takes it', async () => {
    const { id, displayName } = await mappedRole();
    const [one, two] = [await provisioned(scim), await provisioned(scim)];
    const person = await signsIn(one.email, acme);
    expect((await person.call(listLeads)).status).toBe(403);
    await patch(id, { op: 'Add', path: 'members', value: [{ value: one.id }, { value: two.id }] });
    expect(await members(id)).toEqual([one.id, two.id]);
    expect((await read(scim, one.id)).groups).toMatchObject([{ value: id, display: displayName }]);
    expect((await person.call(listLeads)).status).toBe(200);
    await patch(id, { op: 'Remove', path: 'members', value: [{ value: one.id }] });
    expect(await members(id)).toEqual([two.id]);
    expect((await person.call(listLeads)).status).toBe(403);
    await patch(id, { op: 'remove', path: `members[value eq "${two.id}"]` });
    expect(await members(id)).toEqual([]);
  });

  test('is found by its name, and keeps its external id', async () => {
    const { id, displayName } = await mappedRole();
    const query = { filter: `displayName eq "${displayName.toUpperCase()}"`, excludedAttributes: 'members' };
    const { Resources } = await scim.ok(listScimGroups, { query });
    expect(Resources).toMatchObject([{ id, displayName }]);
    await patch(id, { op: 'replace', value: { id, displayName: `${displayName} b`, externalId: 'g-1' } });
    expect(await scim.ok(readScimGroup, { params: { id } })).toMatchObject({
      displayName: `${displayName} b`,
      externalId: 'g-1',
    });
    await mappedRole();
    expect(await scim.ok(readScimGroup, { params: { id } })).toMatchObject({ externalId: 'g-1' });
  });

  test('can be a team', async () => {
    const { id: teamId } = await acme.admin.ok(createTeam, { body: { name: 'West' } });
    const { groups: others } = await acme.admin.ok(readProvisioning);
    await acme.admin.ok(saveProvisioning, { body: { groups: [...others, { displayName: 'West', teamId }] } });
    const { id } = await provisioned(scim);
    await patch(`team-${teamId}`, { op: 'add', path: 'members', value: [{ value: id }] });
    expect((await memberships.get(acme.accountId, Number(id))).teamId).toBe(teamId);
    const body = { displayName: 'West', members: [] };
    await scim.ok(replaceScimGroup, { params: { id: `team-${teamId}` }, body });
    expect((await memberships.get(acme.accountId, Number(id))).teamId).toBeUndefined();
  });

  test('keeps its role when the identity provider deletes the group, but the members lose it', async () => {
    const { id, roleId } = await mappedRole();
    const user = await provisioned(scim);
    await patch(id, { op: 'add', path: 'members', value: [{ value: user.id }] });
    expect((await scim.call(deleteScimGroup, { params: { id } })).status).toBe(204);
    expect((await scim.call(readScimGroup, { params: { id } })).status).toBe(404);
    expect((await memberships.get(acme.accountId, Number(user.id))).roleIds).toEqual([]);
    const { data } = await acme.admin.ok(listRoles, { query: { pageSize: 100 } });
    expect(data.map((role) => role.id)).toContain(roleId);
  });

  test('must have either a role or a team, and no other group may have them', async () => {
    const { roleId } = await mappedRole();
    const save = async (...list: object[]) => {
      const { status } = await acme.admin.call(saveProvisioning, {
        body: { groups: list } as never,
      });
      return status;
    };
    expect(await save({ displayName: 'A' })).toBe(400);
    expect(await save({ displayName: 'A', roleId, teamId: 1 })).toBe(400);
    expect(await save({ displayName: 'A', roleId: 1 })).toBe(400);
    expect(await save({ displayName: 'A', teamId: 1 })).toBe(400);
    expect(await save({ displayName: 'A', roleId }, { displayName: 'B', roleId })).toBe(400);
    expect((await acme.key.call(saveProvisioning, { body: { groups: [] } })).status).toBe(403);
  });
});

describe('a group that the identity provider creates', () => {
  let displayName = '';
  beforeEach(() => {
    groups += 1;
    displayName = `Created ${groups}`;
  });

  test('is a role without permissions, which is deleted with the group', async () => {
    const user = await provisioned(scim);
    const body = { displayName, externalId: 'g-2', members: [{ value: user.id }] };
    const group = await scim.ok(createScimGroup, { body });
    expect(group).toMatchObject({ displayName, externalId: 'g-2', members: [{ value: user.id }] });
    const person = await signsIn(user.email, acme);
    expect((await person.call(listLeads)).status).toBe(403);
    const params = { id: Number(group.id.slice('role-'.length)) };
    await acme.admin.ok(setRolePermissions, { params, body: { flatPermissionsList: ['readLeads'] } });
    expect((await person.call(listLeads)).status).toBe(200);
    expect((await scim.call(deleteScimGroup, { params: { id: group.id } })).status).toBe(204);
    expect((await person.call(listLeads)).status).toBe(403);
    expect((await read(scim, user.id)).groups).toBeUndefined();
  });

  test('can have a name in any script, which PUT /provisioning accepts as GET shows it', async () => {
    for (const name of ['\u200fמכירות', 'Größe 👩‍👩‍👧', 'a'.repeat(200)])
      await scim.ok(createScimGroup, { body: { displayName: `${name} ${groups}`.slice(0, 200) } });
    const { groups: shown } = await acme.admin.ok(readProvisioning);
    expect((await acme.admin.ok(saveProvisioning, { body: { groups: shown } })).groups).toEqual(shown);
  });

  test('needs a free name and known members', async () => {
    await scim.ok(createScimGroup, { body: { displayName } });
    const again = await scim.call(createScimGroup, { body: { displayName: displayName.toUpperCase() } });
    expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    const unknown = await scim.call(createScimGroup, {
      body: { displayName: `${displayName} b`, members: [{ value: '17' }] },
    });
    expect(unknown).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    // A role of the account is not given to an identity provider because of its name.
    const { name } = await acme.admin.ok(createRole, {
      body: { name: `Underwriters ${groups}`, flatPermissionsList: [] },
    });
    expect((await scim.call(createScimGroup, { body: { displayName: name } })).status).toBe(409);
  });

  test('with an earlier ETag is not changed', async () => {
    const { body: group, headers } = await scim.call(createScimGroup, { body: { displayName } });
    const user = await provisioned(scim);
    const params = { id: group.id };
    const send = (etag = '') =>
      scim.call(patchScimGroup, {
        params,
        body: operations({ op: 'add', path: 'members', value: [{ value: user.id }] }),
        headers: { 'if-match': etag },
      });
    expect((await send(headers.etag)).status).toBe(200);
    expect((await send(headers.etag)).status).toBe(412);
    const deletion = { params, headers: { 'if-match': headers.etag ?? '' } };
    expect((await scim.call(deleteScimGroup, deletion)).status).toBe(412);
  });

  test('can be created, changed and deleted at the same time as other groups', async () => {
    const names = [1, 2, 3, 4].map((n) => `${displayName} at once ${n}`);
    const made = await Promise.all(
      names.map((name) => scim.ok(createScimGroup, { body: { displayName: name } })),
    );
    await Promise.all(
      made.map(({ id }) => patch(id, { op: 'add', path: 'externalId', value: `external ${id}` })),
    );
    for (const { id } of made)
      expect(await scim.ok(readScimGroup, { params: { id } })).toMatchObject({
        externalId: `external ${id}`,
      });
    const same = await Promise.all(names.map(() => scim.call(createScimGroup, { body: { displayName } })));
    expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const deleted = await Promise.all(made.map(({ id }) => scim.call(deleteScimGroup, { params: { id } })));
    expect(deleted.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const { data } = await acme.admin.ok(listRoles, { query: { pageSize: 100 } });
    expect(data.map(({ name }) => name).filter((name) => names.includes(name))).toEqual([]);
  });

  test('changes forty members in one request', async () => {
    const { id } = await scim.ok(createScimGroup, { body: { displayName } });
    const all = await Promise.all(Array.from({ length: 40 }, () => provisioned(scim)));
    const ids = all.map((user) => user.id).sort();
    await patch(id, { op: 'add', path: 'members', value: ids.map((value) => ({ value })) });
    expect((await members(id)).sort()).toEqual(ids);
    const body = { displayName, members: ids.slice(0, 3).map((value) => ({ value })) };
    await scim.ok(replaceScimGroup, { params: { id }, body });
    expect((await members(id)).sort()).toEqual(ids.slice(0, 3));
  });
});

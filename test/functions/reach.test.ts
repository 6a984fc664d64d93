import { describe, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import deleteApiKey from '../../functions/apikeys/delete-api-key.ts';
import updateApiKey from '../../functions/apikeys/update-api-key.ts';
import readSession from '../../functions/auth/read-session.ts';
import createRole from '../../functions/roles/create-role.ts';
import deleteRole from '../../functions/roles/delete-role.ts';
import readRole from '../../functions/roles/read-role.ts';
import setRolePermissions from '../../functions/roles/set-role-permissions.ts';
import updateRole from '../../functions/roles/update-role.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import readUser from '../../functions/users/read-user.ts';
import removeUserFromAccount from '../../functions/users/remove-user-from-account.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import { allPermissions } from '../../shared/security/permissions.ts';
import { clock } from '../harness/clock.ts';
import { member } from '../harness/member.ts';
import { client, tenant } from '../harness/tenant.ts';

/** Nobody changes, removes, invites as, or renames what holds more than they do themselves. */
const acme = await tenant();
const inAnHour = () => new Date(clock.now().getTime() + 3_600_000).toISOString();

interface IndexFilters {
  status: number;
  body: { error: string };
}
const heard = async (...responses: Promise<IndexFilters>[]) =>
  (await Promise.all(responses)).map(({ status, body }) => `${status} ${body.error}`);

describe('with writeUsers alone', async () => {
  const clerk = (await member(acme, ['writeUsers', 'readUsers'])).client;
  const strong = await member(acme, ['writeRoles', 'readLeads']);
  const params = { email: strong.user.email };

  test('with writeUsers alone, a stronger member is neither changed, deactivated, removed nor given other roles', async () => {
    const refused = await heard(
      clerk.call(deleteUser, { params }),
      clerk.call(removeUserFromAccount, { params: { ...params, accountId: acme.accountId } }),
      clerk.call(updateUser, { params, body: { active: false } }),
      clerk.call(updateUser, { params, body: { teamId: null } }),
      clerk.call(setUserPermissions, { params, body: { flatPermissionsList: [] } }),
      clerk.call(setUserRoles, { params, body: { roles: [] } }),
    );
    expect(refused).toEqual(Array(6).fill('403 holds_more'));
    await strong.client.ok(readSession);
  });

  test('with writeUsers alone, what a member holds by a role counts, and what an inactive one would hold', async () => {
    const body = { name: 'Reader', flatPermissionsList: ['readLeads'] };
    await acme.admin.ok(createRole, { body });
    const { user } = await member(acme, [], { roles: ['Reader'] });
    await acme.admin.ok(updateUser, { params: { email: user.email }, body: { active: false } });
    const refused = clerk.call(updateUser, { params: { email: user.email }, body: { active: true } });
    expect(await heard(refused)).toEqual(['403 holds_more']);
  });

  test('with writeUsers alone, nobody becomes an administrator, and no administrator is touched', async () => {
    const { user } = await member(acme);
    const globex = await tenant();
    const stranger = await member(globex);
    const admin = { email: acme.adminEmail };
    for (const principal of [clerk, acme.key]) {
      const refused = await heard(
        principal.call(updateUser, { params: { email: user.email }, body: { accountAdmin: true } }),
        principal.call(addUserToAccount, {
          params: { email: stranger.user.email },
          body: { accountAdmin: true },
        }),
        principal.call(updateUser, { params: admin, body: { accountAdmin: false } }),
        principal.call(updateUser, { params: admin, body: { active: false } }),
        principal.call(deleteUser, { params: admin }),
        principal.call(setUserRoles, { params: admin, body: { roles: [] } }),
        principal.call(setUserPermissions, { params: admin, body: { flatPermissionsList: [] } }),
      );
      expect(refused).toEqual(Array(7).fill('403 administrator_only'));
    }
    const asAdmin = { email: 'new@example.com', accountAdmin: true } as never;
    expect(await heard(clerk.call(createUser, { body: asAdmin }))).toEqual(['400 invalid_input']);
    const { accounts } = await acme.admin.ok(readUser, { params: { email: user.email } });
    expect(accounts).toMatchObject([{ accountAdmin: false }]);
  });

  test('with writeUsers alone, members who hold as much or less are changed and removed as before', async () => {
    const { user } = await member(acme, ['readUsers']);
    const equal = { email: user.email };
    await clerk.ok(updateUser, { params: equal, body: { active: false } });
    await clerk.ok(setUserPermissions, { params: equal, body: { flatPermissionsList: ['writeUsers'] } });
    await clerk.ok(deleteUser, { params: equal });
  });
});

describe('with writeRoles alone', async () => {
  const clerk = (await member(acme, ['writeRoles', 'readRoles'])).client;
  const body = { name: 'Everything', flatPermissionsList: [...allPermissions].sort() };
  const everything = await acme.admin.ok(createRole, { body });
  const params = { id: everything.id };

  test('with writeRoles alone, a stronger role is neither renamed to what the next invitation names, emptied nor deleted', async () => {
    const refused = await heard(
      clerk.call(updateRole, { params, body: { name: 'Sales agent' } }),
      clerk.call(updateRole, { params, body: { flatPermissionsList: [] } }),
      clerk.call(setRolePermissions, { params, body: { flatPermissionsList: [] } }),
      clerk.call(deleteRole, { params }),
    );
    expect(refused).toEqual(Array(4).fill('403 holds_more'));
    expect(await acme.admin.ok(readRole, { params })).toEqual(everything);
  });

  test('with writeRoles alone, a role that allows no more than that is made, renamed, changed and deleted', async () => {
    const made = await clerk.ok(createRole, { body: { name: 'Mine', flatPermissionsList: ['readRoles'] } });
    const mine = { id: made.id };
    await clerk.ok(updateRole, { params: mine, body: { name: 'Still mine' } });
    await clerk.ok(setRolePermissions, { params: mine, body: { flatPermissionsList: ['writeRoles'] } });
    await clerk.ok(deleteRole, { params: mine });
  });
});

describe('with writeApiKeys alone', async () => {
  const clerk = (await member(acme, ['writeApiKeys', 'readApiKeys'])).client;
  const keyOf = async (fields: object) => {
    const key = await acme.admin.ok(createApiKey, { body: { description: 'For one test', ...fields } });
    const own = client({ 'x-api-key': key.apiKey, 'x-api-secret': key.apiSecret });
    return { params: { id: String(key.id) }, own };
  };

  test('with writeApiKeys alone, a stronger key that has expired is not revived, and one that lives is left alone', async () => {
    const { params, own } = await keyOf({ flatPermissionsList: ['readLeads'], expiresAt: inAnHour() });
    const attempts = () =>
      heard(
        clerk.call(updateApiKey, { params, body: { expiresAt: null } }),
        clerk.call(updateApiKey, { params, body: { description: 'Harmless' } }),
        clerk.call(deleteApiKey, { params }),
      );
    expect(await attempts()).toEqual(Array(3).fill('403 holds_more'));
    clock.advance(3_600_001);
    expect(await attempts()).toEqual(Array(3).fill('403 holds_more'));
    expect((await own.call(readSession)).status).toBe(401);
    clock.reset();
  });

  test('with writeApiKeys alone, a key changes its own end neither way, and its description as it likes', async () => {
    const { params, own } = await keyOf({ flatPermissionsList: ['writeApiKeys'], expiresAt: inAnHour() });
    for (const expiresAt of [null, '', '2099-01-01T00:00:00Z', inAnHour()])
      expect(await heard(own.call(updateApiKey, { params, body: { expiresAt } }))).toEqual([
        '403 own_expiry',
      ]);
    await own.ok(updateApiKey, { params, body: { description: 'Renamed by itself' } });
    await acme.admin.ok(updateApiKey, { params, body: { expiresAt: null } });
  });

  test('with writeApiKeys alone, the end of a key that grants no more is changed, and the key deleted', async () => {
    const { params } = await keyOf({ flatPermissionsList: ['readApiKeys'] });
    await clerk.ok(updateApiKey, { params, body: { expiresAt: inAnHour() } });
    await clerk.ok(deleteApiKey, { params });
  });
});

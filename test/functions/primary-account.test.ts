import { expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import readSession from '../../functions/auth/read-session.ts';
import createRole from '../../functions/roles/create-role.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import { measure } from '../costs/meter.ts';
import { joins, type Member, member } from '../harness/member.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { client, type Tenant, tenant } from '../harness/tenant.ts';

/** The primary account is the home while the user is active there, else the first account in which it is active. */
const [home, second, third] = [await tenant(), await tenant(), await tenant()];

/** A member of all three accounts who may write users and API keys in each. */
async function traveller(): Promise<Member> {
  const one = await member(home, ['writeUsers', 'writeApiKeys']);
  const params = { email: one.user.email };
  for (const of of [second, third]) {
    await joins(one, of);
    const flatPermissionsList = ['readLeads', 'writeApiKeys', 'writeUsers'];
    await of.admin.ok(setUserPermissions, { params, body: { flatPermissionsList } });
  }
  return one;
}
const atHome = ({ client: { headers } }: Member) => client({ authorization: headers.authorization ?? '' });
let invited = 0;
const newcomer = () => {
  invited += 1;
  return { body: { email: `newcomer${invited}@example.com` } };
};

/** The primary account of the session, and the accounts in which requests without x-account-id create records. */
async function primaryOf(one: Member) {
  const { primaryAccount, accounts } = await atHome(one).ok(readSession);
  expect(accounts.filter(({ usersPrimaryAccount }) => usersPrimaryAccount)).toEqual(
    primaryAccount ? [primaryAccount] : [],
  );
  const made = await atHome(one).call(createUser, newcomer());
  const key = await atHome(one).call(createApiKey, { body: { description: 'Made without a header' } });
  const madeIn = made.status === 201 ? made.body.accounts[0]?.accountId : made.body.error;
  return [primaryAccount?.accountId, madeIn, key.status === 201 ? key.body.accountId : key.body.error];
}
const everywhere = ({ accountId }: Tenant) => [accountId, accountId, accountId];

test('a request without x-account-id uses the primary account of the session', async () => {
  const one = await traveller();
  const params = { email: one.user.email };
  const active = (of: Tenant, yes: boolean) => of.admin.ok(updateUser, { params, body: { active: yes } });
  expect(await primaryOf(one)).toEqual(everywhere(home));
  await active(home, false);
  expect(await primaryOf(one)).toEqual(everywhere(second));
  await active(second, false);
  expect(await primaryOf(one)).toEqual(everywhere(third));
  await active(home, true);
  expect(await primaryOf(one)).toEqual(everywhere(home));
  await active(second, true);
  await home.admin.ok(deleteUser, { params });
  expect(await primaryOf(one)).toEqual(everywhere(second));
  await joins(one, home);
  await home.admin.ok(setUserPermissions, {
    params,
    body: { flatPermissionsList: ['writeApiKeys', 'writeUsers'] },
  });
  expect(await primaryOf(one), 'back at home').toEqual(everywhere(home));
  await home.admin.ok(deleteUser, { params });
  await active(second, false);
  await active(third, false);
  expect(await primaryOf(one)).toEqual([undefined, 'account_forbidden', 'account_forbidden']);
});

test('the session of a user who left its home shows the permissions in the new primary account', async () => {
  const one = await traveller();
  const params = { email: one.user.email };
  await second.admin.ok(createRole, { body: { name: 'Agent', flatPermissionsList: ['readTeams'] } });
  await second.admin.ok(setUserRoles, { params, body: { roles: ['Agent'] } });
  await home.admin.ok(deleteUser, { params });
  expect(await atHome(one).ok(readSession)).toMatchObject({
    primaryAccount: { accountId: second.accountId, usersPrimaryAccount: true, accountAdmin: false },
    flatRolesList: ['Agent'],
    flatPermissionsList: ['readLeads', 'readTeams', 'writeApiKeys', 'writeUsers'],
  });
});

test('requests in the new primary account need its permissions, are in its event log, and are replayed from it', async () => {
  const one = await traveller();
  const params = { email: one.user.email };
  await home.admin.ok(deleteUser, { params });
  const sent = { ...newcomer(), headers: { 'idempotency-key': 'without-a-header' } };
  const first = await atHome(one).ok(createUser, sent);
  const named = client({ ...one.client.headers, 'x-account-id': second.accountId });
  for (const caller of [atHome(one), named]) {
    const again = await caller.call(createUser, sent);
    expect([again.status, again.headers['idempotency-replayed'], again.body.id]).toEqual([
      201,
      'true',
      first.id,
    ]);
  }
  const recorded = async (of: Tenant) => (await eventsAbout(of.accountId, first.id)).length > 0;
  expect([await recorded(second), await recorded(home)]).toEqual([true, false]);
  await second.admin.ok(setUserPermissions, { params, body: { flatPermissionsList: [] } });
  const denied = await atHome(one).call(createUser, newcomer());
  expect([denied.status, denied.body.error]).toEqual([403, 'permission_denied']);
});

test('x-account-id with the home that a user left is refused', async () => {
  const one = await traveller();
  await home.admin.ok(deleteUser, { params: { email: one.user.email } });
  const named = client({ ...one.client.headers, 'x-account-id': home.accountId });
  expect((await named.call(createUser, newcomer())).status).toBe(403);
});

test('only requests of users who left their home need more reads', async () => {
  const one = await traveller();
  await atHome(one).ok(createUser, newcomer());
  const usual = await measure(() => atHome(one).ok(createUser, newcomer()));
  expect(usual.sequence).toBe(2);
  await home.admin.ok(deleteUser, { params: { email: one.user.email } });
  const moved = await measure(() => atHome(one).ok(createUser, newcomer()));
  // One read finds the account. Another reads its roles again, because those read early were the home's.
  expect(moved.sequence).toBe(4);
});

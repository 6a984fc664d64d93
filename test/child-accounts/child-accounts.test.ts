import { describe, expect, test } from 'vitest';
import createAccountType from '../../functions/account-types/create-account-type.ts';
import deleteAccountType from '../../functions/account-types/delete-account-type.ts';
import updateAccountType from '../../functions/account-types/update-account-type.ts';
import createChildAccount from '../../functions/accounts/create-child-account.ts';
import listChildAccounts from '../../functions/accounts/list-child-accounts.ts';
import moveChildAccount from '../../functions/accounts/move-child-account.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import reportChildAccount from '../../functions/accounts/report-child-account.ts';
import setChildPermissions from '../../functions/accounts/set-child-permissions.ts';
import setChildType from '../../functions/accounts/set-child-type.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import listApiKeys from '../../functions/apikeys/list-api-keys.ts';
import readSession from '../../functions/auth/read-session.ts';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import listNotifications from '../../functions/notifications/list-notifications.ts';
import listPermissions from '../../functions/permissions/list-permissions.ts';
import createRole from '../../functions/roles/create-role.ts';
import readRole from '../../functions/roles/read-role.ts';
import createUser from '../../functions/users/create-user.ts';
import readUser from '../../functions/users/read-user.ts';
import setPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import listDeliveries from '../../functions/webhooks/list-webhook-deliveries.ts';
import recoverWebhook from '../../functions/webhooks/recover-webhook.ts';
import redeliver from '../../functions/webhooks/redeliver-webhook-delivery.ts';
import { eraseAccount } from '../../infra/operations/erase-account.ts';
import { allPermissions, limitedPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { accountType, type ChildTenant, childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { joins, member } from '../harness/member.ts';
import { nextMinute } from '../harness/quiet-minute.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { type Client, client, type Tenant, tenant } from '../harness/tenant.ts';
import { unreachableWebhook } from '../routes/records.ts';

const acme = await tenant();
const query = { skipTeamAndSourceRequirement: true };
const ada = { firstName: 'Ada', lastName: 'Byron' };
/** All permissions except one, and except those for some of its records. */
const without = (name: Permission): Permission[] => {
  const missing = [name, ...Object.values(limitedPermissions[name] ?? {})];
  return allPermissions.filter((one) => !missing.includes(one));
};
const kindsIn = async ({ admin }: Pick<Tenant, 'admin'>) =>
  (await admin.ok(listEvents, { query: { pageSize: 100 } })).data.map(({ kind }) => kind);
const limitTo = ({ admin }: Pick<Tenant, 'admin'>, child: ChildTenant, permissions: readonly string[]) =>
  admin.ok(setChildPermissions, { params: { id: child.accountId }, body: { permissions: [...permissions] } });
const statusOf = async (by: Client) => (await by.call(listLeads)).status;
const ownRecord = ({ admin, accountId }: Pick<Tenant, 'admin' | 'accountId'>) =>
  admin.ok(readAccount, { params: { id: accountId } });

describe('POST /accounts', () => {
  test('creates a child account and invites its administrator, with events in both logs', async () => {
    const type = await accountType(acme, { permissions: ['readLeads'], limits: { users: 3 } });
    const body = { name: 'Harbor Agents', accountTypeId: type.id, adminEmail: 'agent@harbor.test' };
    const child = await acme.admin.ok(createChildAccount, { body });
    expect(child).toMatchObject({
      name: 'Harbor Agents',
      accountTypeId: type.id,
      status: 'active',
      permissions: ['readLeads'],
      limits: { users: 3 },
    });
    expect(await kindsIn(acme)).toContain('account_created');
    const { data } = await acme.admin.ok(listChildAccounts, { query: { accountTypeId: [type.id] } });
    expect(data).toEqual([child]);
  });

  test('shows the child its parent, type, permissions and limits, and emits its invitation in its own log', async () => {
    const child = await childAccount(acme, { limits: { apiKeys: 2 } });
    expect(await ownRecord(child)).toMatchObject({
      parentAccountId: acme.accountId,
      accountTypeId: child.type.id,
      permissions: allPermissions,
      limits: { apiKeys: 2 },
    });
    expect(await kindsIn(child)).toEqual(expect.arrayContaining(['account_created', 'user_created']));
  });

  test('invites a user of another account, who keeps the other account', async () => {
    const type = await accountType(acme);
    const { user } = await member(await tenant());
    const body = { name: 'Pier Agents', accountTypeId: type.id, adminEmail: user.email };
    const { id } = await acme.admin.ok(createChildAccount, { body });
    const invited = await acme.admin.call(createChildAccount, { body: { ...body, name: 'Twice' } });
    expect(invited.status).toBe(201);
    expect(id).not.toBe(invited.body.id);
  });

  test('refuses an unknown type, a fourth level, and callers who are not administrators', async () => {
    const body = { name: 'X', accountTypeId: 1, adminEmail: 'x@harbor.test' };
    expect((await acme.admin.call(createChildAccount, { body })).body).toMatchObject({
      error: 'invalid_input',
    });
    expect((await acme.key.call(createChildAccount, { body })).body).toMatchObject({
      error: 'administrator_only',
    });
    const third = await childAccount(await childAccount(acme));
    const type = await accountType(third);
    const deep = await third.admin.call(createChildAccount, { body: { ...body, accountTypeId: type.id } });
    expect(deep.body).toMatchObject({ error: 'accounts_too_deep' });
  });
});

describe('the permissions of a child account', () => {
  test('apply at once to administrators, members and keys, and return when the parent gives them back', async () => {
    const child = await childAccount(acme);
    const seller = await member(child, ['readLeads']);
    const callers = [child.admin, child.key, child.directKey, seller.client];
    for (const by of callers) expect(await statusOf(by)).toBe(200);
    await limitTo(acme, child, without('readLeads'));
    for (const by of callers) expect(await statusOf(by)).toBe(403);
    await limitTo(acme, child, allPermissions);
    for (const by of callers) expect(await statusOf(by)).toBe(200);
    expect(await kindsIn(acme)).toContain('account_permissions_updated');
    expect(await kindsIn(child)).toContain('account_permissions_updated');
  });

  test('are what roles, keys, users, sessions and GET /permissions show as effective', async () => {
    const child = await childAccount(acme);
    const flatPermissionsList = ['readLeads', 'readTeams'];
    const { id, name } = await child.admin.ok(createRole, { body: { name: 'Seller', flatPermissionsList } });
    const seller = await member(child);
    const email = seller.user.email;
    await child.admin.ok(setUserRoles, { params: { email }, body: { roles: [name] } });
    await limitTo(acme, child, without('readLeads'));

    expect(await child.admin.ok(readRole, { params: { id } })).toMatchObject({
      flatPermissionsList,
      effectivePermissions: ['readTeams'],
    });
    const [key] = await child.admin.ok(listApiKeys);
    expect(key?.permissions).toHaveLength(allPermissions.length);
    expect(key?.effectivePermissions).toHaveLength(without('readLeads').length);
    const { flatPermissionsList: ofUser } = await child.admin.ok(readUser, { params: { email } });
    expect(ofUser).toEqual(['readTeams']);
    for (const by of [child.admin, child.key])
      expect((await by.ok(readSession)).flatPermissionsList).not.toContain('readLeads');
    for (const by of [child.admin, child.key, seller.client]) {
      const { data } = await by.ok(listPermissions);
      expect(data).toHaveLength(without('readLeads').length);
    }
  });

  test('limit what its administrators can grant', async () => {
    const child = await childAccount(acme, { permissions: without('readLeads') });
    const flatPermissionsList = ['readLeads'];
    const refused = [
      await child.admin.call(createRole, { body: { name: 'Seller', flatPermissionsList } }),
      await child.admin.call(createApiKey, { body: { description: 'Import', flatPermissionsList } }),
    ];
    for (const { body } of refused) expect(body).toMatchObject({ error: 'grant_exceeds_own' });
  });

  test('are at most those of the parent and of the type', async () => {
    const child = await childAccount(acme, { permissions: ['readLeads', 'writeApiKeys'] });
    const params = { id: child.accountId };
    const send = (permissions: string[]) =>
      acme.admin.call(setChildPermissions, { params, body: { permissions } });
    expect((await send(['readTickets'])).body).toMatchObject({ error: 'grant_exceeds_type' });
    expect((await send(['readEverything'])).body).toMatchObject({ error: 'permission_unknown' });
    const grandchild = await childAccount(child, { permissions: ['readLeads', 'writeApiKeys'] });
    const exceeding = await child.admin.call(createAccountType, {
      body: { name: 'More', permissions: ['readTickets'] },
    });
    expect(exceeding.body).toMatchObject({ error: 'grant_exceeds_own' });
    const ofGrandchild = await acme.admin.call(setChildPermissions, {
      params: { id: grandchild.accountId },
      body: { permissions: [] },
    });
    expect(ofGrandchild.status).toBe(404);
  });

  test('narrow the child accounts of the account, also after a change of its type', async () => {
    const child = await childAccount(acme);
    const grandchild = await childAccount(child);
    await limitTo(acme, child, without('readLeads'));
    await drain();
    expect((await ownRecord(grandchild)).permissions).toEqual(without('readLeads'));
    expect(await statusOf(grandchild.admin)).toBe(403);
    expect(await kindsIn(grandchild)).toContain('account_permissions_updated');

    await limitTo(acme, child, allPermissions);
    const params = { id: child.type.id };
    const body = { permissions: without('readTeams'), limits: { users: 7 } };
    await acme.admin.ok(updateAccountType, { params, body });
    await drain();
    for (const one of [child, grandchild])
      expect(await ownRecord(one)).toMatchObject({
        permissions: without('readTeams'),
        limits: { users: 7 },
      });
    expect(await statusOf(grandchild.admin)).toBe(200);
  });

  test('follow another type', async () => {
    const child = await childAccount(acme);
    const { id } = await accountType(acme, { permissions: ['readLeads'], limits: { webhooks: 1 } });
    const params = { id: child.accountId };
    const changed = await acme.admin.ok(setChildType, { params, body: { accountTypeId: id } });
    expect(changed).toMatchObject({
      accountTypeId: id,
      permissions: ['readLeads'],
      limits: { webhooks: 1 },
    });
    const { data } = await acme.admin.ok(listChildAccounts, { query: { accountTypeId: [id] } });
    expect(data.map((one) => one.id)).toEqual([child.accountId]);
  });

  test('decide which events its webhooks receive and of which events its users are notified', async () => {
    const child = await childAccount(acme);
    const sink = await receiver(behaviours.responds(200));
    await child.admin.ok(createWebhook, { body: { url: sink.url, events: ['lead_created'] } });
    const rules = [{ event: 'lead_created' as const, deliveryPref: ['website' as const] }];
    const seller = await member(child, ['readLeads', 'readNotifications'], {
      notificationPreferences: rules,
    });
    await child.admin.ok(setPreferences, { params: { email: child.adminEmail }, body: rules });
    const notified = async () => {
      await child.key.ok(createLead, { query, body: ada });
      await drain();
      const inboxes = [child.admin, seller.client].map((by) => by.ok(listNotifications));
      return (await Promise.all(inboxes)).map(({ totalCount }) => totalCount);
    };
    expect(await notified()).toEqual([1, 1]);
    expect(sink.received).toHaveLength(1);

    await limitTo(acme, child, without('readLeads'));
    expect(await notified()).toEqual([1, 1]);
    expect(sink.received).toHaveLength(1);
    const { data } = await child.admin.ok(listNotifications);
    expect(JSON.stringify(data)).not.toContain('Byron');
  });

  test('cancel waiting deliveries whose events it may no longer read, also if they are requested again', async () => {
    const child = await childAccount(acme);
    const sink = await receiver(behaviours.responds(500));
    const body = { url: sink.url, events: ['lead_created' as const] };
    const { id } = await child.admin.ok(createWebhook, { body });
    const since = clock.now().toISOString();
    await child.key.ok(createLead, { query, body: ada });
    await drain();
    const delivery = async () => (await child.admin.ok(listDeliveries, { params: { id } })).data[0];
    expect(await delivery()).toMatchObject({ status: 'waiting', attempts: [{ status: 500 }] });

    await limitTo(acme, child, without('readLeads'));
    clock.advance(10_000);
    await drain();
    const denied = { error: 'permission_denied' };
    expect(await delivery()).toMatchObject({ status: 'cancelled', attempts: [{ status: 500 }, denied] });
    const params = { id, did: (await delivery())?.id ?? 0 };
    expect((await child.admin.call(redeliver, { params })).status).toBe(202);
    await drain();
    expect((await delivery())?.attempts.at(-1)).toMatchObject({ ...denied, redelivery: true });
    await child.admin.ok(recoverWebhook, { params: { id }, body: { since } });
    await drain();
    expect((await delivery())?.status).toBe('cancelled');
    expect(sink.received).toHaveLength(1);

    await limitTo(acme, child, allPermissions);
    await child.admin.ok(recoverWebhook, { params: { id }, body: { since } });
    await drain();
    expect(sink.received).toHaveLength(2);
  });
});

describe('the limits of a child account', () => {
  test('bound its users, even if they are invited at once', async () => {
    const child = await childAccount(acme, { limits: { users: 3 } });
    const invite = (n: number) =>
      child.admin.call(createUser, { body: { email: `seller${n}@limited.test` } });
    const statuses = (await Promise.all([1, 2, 3, 4].map(invite))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(2);
    expect((await invite(5)).body).toMatchObject({ error: 'quota_exceeded' });
  });

  test('bound its API keys and webhooks', async () => {
    const child = await childAccount(acme, { limits: { apiKeys: 1, webhooks: 1 } });
    const key = await child.admin.call(createApiKey, { body: { description: 'Second' } });
    expect(key.body).toMatchObject({ error: 'quota_exceeded' });
    await child.admin.ok(createWebhook, { body: unreachableWebhook });
    const second = await child.admin.call(createWebhook, { body: unreachableWebhook });
    expect(second.body).toMatchObject({ error: 'quota_exceeded' });
  });

  test('bound the requests of all its users and keys together, and emit one event', async () => {
    const child = await childAccount(acme, { limits: { requestsPerMinute: 20 } });
    nextMinute();
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1)
      for (const by of [child.admin, child.key]) statuses.push(await statusOf(by));
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    expect(statuses.slice(20)).toEqual(Array(4).fill(429));
    clock.advance(61_000);
    const { headers } = await child.admin.call(listLeads);
    expect(headers).toMatchObject({ 'ratelimit-limit': '20', 'ratelimit-remaining': '19' });
    const kinds = await kindsIn(child);
    expect(kinds.filter((kind) => kind === 'api_rate_limited')).toHaveLength(1);
    clock.reset();
  });

  test('of a type are at most the limits of the account itself', async () => {
    const child = await childAccount(acme, { limits: { users: 5 } });
    const body = { name: 'More', permissions: [], limits: { users: 6 } };
    const { body: refused } = await child.admin.call(createAccountType, { body });
    expect(refused).toMatchObject({ error: 'invalid_input', details: [{ field: 'limits.users' }] });
    expect((await ownRecord(await childAccount(child))).limits).toEqual({ users: 5 });
  });
});

describe('a type', () => {
  test('cannot be deleted while an account has it', async () => {
    const child = await childAccount(acme);
    const params = { id: child.type.id };
    expect((await acme.admin.call(deleteAccountType, { params })).body).toMatchObject({
      error: 'account_type_in_use',
    });
    const { id } = await accountType(acme);
    const of = { params: { id: child.accountId }, body: { accountTypeId: id } };
    await acme.admin.ok(setChildType, of);
    await acme.admin.ok(deleteAccountType, { params });
  });
});

test('an erased account is no longer in the list of its parent, and its type can be deleted', async () => {
  const child = await childAccount(acme);
  const nothing = async () => 0;
  const rawMails = async () => undefined;
  const queues = async () => ({ held: [], delayed: 0 });
  await eraseAccount(child.accountId, { files: nothing, deadLetters: nothing, rawMails, queues }, 0);
  const { data } = await acme.admin.ok(listChildAccounts);
  expect(data.map(({ id }) => id)).not.toContain(child.accountId);
  await acme.admin.ok(deleteAccountType, { params: { id: child.type.id } });
});

test('of a concurrent creation and deletion of its type, only one succeeds', async () => {
  const type = await accountType(acme);
  const body = { name: 'Late', accountTypeId: type.id, adminEmail: 'late@harbor.test' };
  const statuses = await Promise.all([
    acme.admin.call(createChildAccount, { body }),
    acme.admin.call(deleteAccountType, { params: { id: type.id } }),
  ]);
  expect(statuses.map(({ status }) => status).sort()).toSatisfy(
    ([one, other]) => (one === 200 && other === 400) || (one === 201 && other === 400),
  );
});

describe('POST /accounts/{id}/move', () => {
  test('moves an account below another child, which then sets its type and permissions', async () => {
    const [target, child] = [await childAccount(acme), await childAccount(acme)];
    await limitTo(acme, child, ['readLeads', 'readTeams']);
    await limitTo(acme, target, ['readLeads', 'readUsers']);
    const params = { id: child.accountId };
    const body = { parentAccountId: target.accountId };
    const moved = await acme.admin.ok(moveChildAccount, { params, body });
    expect(moved).toMatchObject({ permissions: ['readLeads'] });
    expect(moved.accountTypeId).toBeUndefined();
    expect((await acme.admin.call(reportChildAccount, { params })).status).toBe(404);
    expect((await target.admin.ok(listChildAccounts)).data).toEqual([moved]);
    const type = await accountType(target, { permissions: ['readLeads', 'readUsers'] });
    await target.admin.ok(setChildType, { params, body: { accountTypeId: type.id } });
    await acme.admin.ok(deleteAccountType, { params: { id: child.type.id } });
  });

  test('moves an account up to the parent of its parent, and gives its own children their new level', async () => {
    const middle = await childAccount(acme);
    const child = await childAccount(middle);
    const params = { id: child.accountId };
    const move = { params, body: { parentAccountId: acme.accountId } };
    const ofMiddle = await middle.admin.call(moveChildAccount, move);
    expect([ofMiddle.status, ofMiddle.body.error]).toEqual([403, 'administrator_only']);
    // An administrator of the middle account who is only a user of the new parent, then an administrator of both.
    const both = await member(acme);
    await joins(both, middle, { accountAdmin: true });
    const inMiddle = client({ ...both.client.headers, 'x-account-id': middle.accountId });
    expect((await inMiddle.call(moveChildAccount, move)).status).toBe(403);
    expect((await middle.admin.ok(listChildAccounts)).totalCount).toBe(1);
    await acme.admin.ok(updateUser, { params: { email: both.user.email }, body: { accountAdmin: true } });
    await inMiddle.ok(moveChildAccount, move);
    expect((await ownRecord(child)).parentAccountId).toBe(acme.accountId);
    await childAccount(child);
  });

  test('refuses other accounts, and a move that would create a fourth level', async () => {
    const [target, child] = [await childAccount(acme), await childAccount(acme)];
    await childAccount(child);
    const params = { id: child.accountId };
    const send = (parentAccountId: string) =>
      acme.admin.call(moveChildAccount, { params, body: { parentAccountId } });
    expect((await send(target.accountId)).body).toMatchObject({ error: 'accounts_too_deep' });
    for (const id of [child.accountId, acme.accountId, (await tenant()).accountId, 'acc_nowhere'])
      expect((await send(id)).body).toMatchObject({ error: 'invalid_input' });
  });
});

describe('a parent', () => {
  test('cannot call an endpoint for its child account', async () => {
    const child = await childAccount(acme);
    for (const [by, accountId] of [
      [acme.admin, child.accountId],
      [acme.key, child.accountId],
      [child.admin, acme.accountId],
      [child.key, acme.accountId],
    ] as const) {
      const { body } = await by.call(listLeads, { headers: { 'x-account-id': accountId } });
      expect(body).toMatchObject({ error: 'account_forbidden' });
    }
  });

  test('sees counts and its own merchants of the child in one report', async () => {
    const child = await childAccount(acme);
    await child.admin.ok(createLead, { query, body: ada });
    await child.admin.ok(createMerchant, { body: { merchantName: 'Of the child' } });
    const body = { merchantName: 'Harbor', agentAccountId: child.accountId };
    const { id } = await acme.admin.ok(createMerchant, { body });
    await drain();
    const report = await acme.admin.ok(reportChildAccount, { params: { id: child.accountId } });
    expect(report).toMatchObject({
      accountTypeName: 'Agent',
      counts: { users: 1, leads: 1, applications: 0, merchants: 1, tickets: 0 },
      agentMerchants: { data: [{ id, merchantName: 'Harbor' }], totalCount: 1 },
    });
    expect(JSON.stringify(report)).not.toContain('Of the child');
  });
});

import { beforeEach, expect, test } from 'vitest';
import createChildAccount from '../../functions/accounts/create-child-account.ts';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import readSession from '../../functions/auth/read-session.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import leaveAccount from '../../functions/users/leave-account.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { invitationMailsOfRootKey, invitationsKey, userKey } from '../../shared/people/users/keys.ts';
import { invitationsIn, users } from '../../shared/people/users/store.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { getItem } from '../../shared/table/read.ts';
import { measure } from '../costs/meter.ts';
import { accountType, childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { mailedToken, member, provesAgain } from '../harness/member.ts';
import { client, type Tenant } from '../harness/tenant.ts';
import { newTenant, to } from '../messages/world.ts';

const hour = 3600_000;
const acme = await newTenant();
const globex = await newTenant();

beforeEach(() => Promise.all([acme, globex].map(({ admin }) => provesAgain(admin))));

/** Returns a function that creates a child account of a parent with this administrator. */
async function childrenOf(parent: Pick<Tenant, 'admin'>, adminEmail: string) {
  const { id: accountTypeId } = await accountType(parent);
  return (n = 0) =>
    parent.admin.call(createChildAccount, { body: { name: `Child ${n}`, accountTypeId, adminEmail } });
}

async function stored(email: string) {
  const user = (await users.findByEmailAcrossAccounts(email)) ?? expect.unreachable();
  const person = await getItem(userKey(user.home, user.id));
  const invitations = invitationsIn(user, await users.storedInvitations(user));
  return { user, size: JSON.stringify(person).length, invitations };
}

test('an address gets at most 20 invitations in an hour, if one account creates 60 child accounts at once', async () => {
  const email = 'flooded@mailbox.test';
  const create = await childrenOf(acme, email);
  const responses = await Promise.all(Array.from({ length: 60 }, (_, n) => create(n)));
  const refused = responses.filter(({ status }) => status !== 201);
  expect(responses.length - refused.length).toBe(20);
  for (const { status, body, headers } of refused)
    expect([status, body.error, headers['retry-after']]).toEqual([429, 'too_many_requests', '3600']);
  await drain();
  expect(to(email)).toHaveLength(20);
  clock.advance(hour);
  expect((await create()).status).toBe(201);
}, 120_000);

test('the invitations of an address are counted over all accounts, and over all requests that mail one', async () => {
  const email = 'everywhere@mailbox.test';
  const params = { email };
  const ofAcme = await childrenOf(acme, email);
  const withRight = (of: Tenant, ...flatPermissionsList: string[]) =>
    of.admin.call(setUserPermissions, { params, body: { flatPermissionsList } });
  const active = (value: boolean) => acme.admin.call(updateUser, { params, body: { active: value } });
  const mailing = [
    () => acme.admin.call(createUser, { body: { email } }),
    () => globex.admin.call(addUserToAccount, { params, body: {} }),
    () => withRight(globex, 'readLeads'),
    () => withRight(globex, 'readLeads', 'readTeams'),
    () => active(true),
    () => ofAcme(),
  ];
  let mails = 0;
  for (const send of mailing) {
    if (send === mailing[4]) await active(false);
    const { status } = await send();
    expect(status).toBeLessThan(300);
    mails += 1;
  }
  await active(false);
  for (; mails < 20; mails += 1) expect((await ofAcme(mails)).status).toBe(201);
  const before = await stored(email);
  const refused = [
    () => globex.admin.call(createUser, { body: { email: ` ${email.toUpperCase()}`.trim() } }),
    () => withRight(globex, 'readLeads', 'readTeams', 'readTickets'),
    () => active(true),
    () => ofAcme(),
  ];
  for (const send of refused.slice(1)) expect((await send()).status).toBe(429);
  expect(await stored(email)).toEqual(before);
  // Requests that mail no invitation are not affected.
  expect((await withRight(globex, 'readLeads')).status).toBe(200);
  expect((await globex.admin.call(deleteUser, { params })).status).toBe(200);
  await drain();
  expect(to(email).filter(({ subject }) => subject.startsWith('Invitation')).length).toBeLessThanOrEqual(20);
}, 120_000);

test('the invitations of an account are counted together with those of all accounts below it', async () => {
  const root = await newTenant();
  const child = await childAccount(root);
  const grandchild = await childAccount(child);
  const key = invitationMailsOfRootKey(root.accountId);
  expect((await getItem(key))?.count).toBe(2);
  await putAll([{ ...key, count: 997, expiresAtSeconds: asSeconds(clock.now()) + 1800 }]);
  const invite = (of: Pick<Tenant, 'admin'>, name: string) =>
    of.admin.call(createUser, { body: { email: `${name}@mailbox.test` } });
  const statuses = await Promise.all(
    [root, child, grandchild, grandchild, child, root].map(
      async (of, n) => (await invite(of, `spread${n}`)).status,
    ),
  );
  expect(statuses.sort()).toEqual([201, 201, 201, 429, 429, 429]);
  expect((await invite(globex, 'spread.elsewhere')).status).toBe(201);
  clock.advance(hour / 2);
  expect((await invite(grandchild, 'spread.later')).status).toBe(201);
});

test('a user with 50 open invitations cannot be invited, and neither the session nor the person grows', async () => {
  const known = await member(acme);
  const { email } = known.user;
  const create = await childrenOf(globex, email);
  const cost = async () => {
    await known.client.ok(readSession);
    const { requests, sequence, read } = await measure(() => known.client.ok(readSession));
    return { requests, sequence, read };
  };
  const before = { cost: await cost(), size: (await stored(email)).size };
  const ids: string[] = [];
  for (let n = 0; n < 50; n += 1) {
    if (n > 0 && n % 20 === 0) clock.advance(hour);
    const { status, body } = await create(n);
    expect(status).toBe(201);
    ids.push(body.id);
  }
  expect(await cost()).toEqual(before.cost);
  const { size, invitations } = await stored(email);
  expect(size).toBeLessThan(before.size + 60);
  expect(invitations).toEqual(ids);
  expect((await known.client.ok(listAccounts)).invitations).toHaveLength(50);
  clock.advance(hour);
  const full = await create();
  expect([full.status, full.body.error]).toEqual([400, 'quota_exceeded']);
  await provesAgain(globex.admin);
  const added = await globex.admin.call(addUserToAccount, { params: { email }, body: {} });
  expect([added.status, added.body.error]).toEqual([400, 'quota_exceeded']);
  const [first = ''] = ids;
  await known.client.ok(leaveAccount, { params: { email, accountId: first } });
  expect((await create()).status).toBe(201);
}, 120_000);

test('invitations that an earlier version stored in the person can be answered, and move to their own item', async () => {
  const known = await member(acme);
  const { email } = known.user;
  const create = await childrenOf(globex, email);
  const ids: AccountId[] = [];
  for (const n of [0, 1, 2]) ids.push((await create(n)).body.id as AccountId);
  /** Stores the invitations as the earlier version did. */
  const asBefore = async () => {
    const { user, invitations } = await stored(email);
    const item = (await getItem(userKey(user.home, user.id))) ?? expect.unreachable();
    await putAll([{ ...item, invitedTo: invitations }]);
    await putAll([{ ...invitationsKey(user.home, user.id), type: 'open-invitations', accounts: [] }]);
  };
  const shown = async () =>
    (await known.client.ok(listAccounts)).invitations.map(({ accountId }) => accountId).sort();
  const [first, second, third] = ids;
  await asBefore();
  expect(await shown()).toEqual([...ids].sort());
  expect((await acme.admin.call(updateUser, { params: { email }, body: { name: 'Kept' } })).status).toBe(200);
  expect(await shown()).toEqual([...ids].sort());

  const token = await mailedToken(email, { accountId: first ?? expect.unreachable() });
  await client({}).ok(acceptMembership, { params: { email, accountId: String(first) }, body: { token } });
  expect((await stored(email)).user).not.toHaveProperty('invitedTo');
  expect(await shown()).toEqual([second, third].sort());

  await asBefore();
  await known.client.ok(leaveAccount, { params: { email, accountId: String(second) } });
  expect((await stored(email)).user).not.toHaveProperty('invitedTo');
  expect(await shown()).toEqual([third]);

  await asBefore();
  await acme.admin.ok(deleteUser, { params: { email } });
  const { user, invitations } = await stored(email);
  expect([user.accountIds, user.invitedTo, invitations]).toEqual([[first], undefined, [third]]);
});

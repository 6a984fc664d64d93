import { afterEach, describe, expect, test } from 'vitest';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import changePassword from '../../functions/auth/change-password.ts';
import createFactor from '../../functions/auth/create-factor.ts';
import deleteFactor from '../../functions/auth/delete-factor.ts';
import listFactors from '../../functions/auth/list-factors.ts';
import logOut from '../../functions/auth/log-out.ts';
import logOutEverywhere from '../../functions/auth/log-out-everywhere.ts';
import readSession from '../../functions/auth/read-session.ts';
import renewRecoveryCodes from '../../functions/auth/renew-recovery-codes.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createRole from '../../functions/roles/create-role.ts';
import updateSsoConnection from '../../functions/sso-connections/update-sso-connection.ts';
import createTeam from '../../functions/teams/create-team.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import leaveAccount from '../../functions/users/leave-account.ts';
import readUser from '../../functions/users/read-user.ts';
import resetFactors from '../../functions/users/reset-factors.ts';
import unlinkIdentity from '../../functions/users/unlink-identity.ts';
import updateUser from '../../functions/users/update-user.ts';
import { identities } from '../../shared/people/identities/store.ts';
import { readOpenImpersonations } from '../../shared/people/impersonation-records/open-impersonations.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import type { SsoConnection } from '../../shared/single-sign-on/schema.ts';
import { authoredBy, revise } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { joins, mailedToken, member, memberPassword } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { client, type Tenant, tenant } from '../harness/tenant.ts';
import { LyingProvider } from './provider.ts';
import { codeFor, connected, exchanged, holdDomain, sessionFor, signedIn } from './world.ts';

const [acme, rival] = [await tenant(), await tenant()];
const provider = await LyingProvider.start();
await holdDomain(acme, 'acme.example.com');
await holdDomain(rival, 'rival.example.com');
const { name: agents } = await acme.admin.ok(createRole, {
  body: { name: 'Agents', flatPermissionsList: ['readLeads'] },
});
const { name: managers } = await acme.admin.ok(createRole, {
  body: { name: 'Managers', flatPermissionsList: ['readLeads', 'writeLeads'] },
});
const team = await acme.admin.ok(createTeam, { body: { name: 'Sales' } });
const connection = await connected(acme, provider, {
  domains: ['acme.example.com'],
  provisioning: true,
  defaultRoles: [agents],
  roleMappings: [{ claim: 'groups', value: 'managers', roles: [managers], teamId: team.id }],
});
const ofRival = await connected(rival, provider, { domains: ['rival.example.com'], provisioning: true });

afterEach(clock.reset);

let people = 0;
const newAddress = () => `person${++people}@acme.example.com`;
const claimsOf = (email: string) => ({ sub: `sub of ${email}`, email, email_verified: true });
const refused = (message: RegExp) => ({
  status: 403,
  body: { error: 'sign_on_not_allowed', message: expect.stringMatching(message) },
});

describe('a session by single sign-on', () => {
  test('acts for the account only, and never changes what the person has elsewhere', async () => {
    const ada = await member(acme, ['readLeads'], { email: newAddress() });
    await joins(ada, rival);
    const session = await sessionFor(provider, connection, claimsOf(ada.user.email));
    await session.ok(listLeads);
    const elsewhere = client({ ...session.headers, 'x-account-id': rival.accountId });
    const refusedElsewhere = [
      elsewhere.call(listLeads),
      elsewhere.call(readSession),
      elsewhere.call(listAccounts),
    ];
    for (const { body } of await Promise.all(refusedElsewhere)) expect(body.error).toBe('account_forbidden');
    expect((await session.ok(readSession)).accounts).toMatchObject([{ accountId: acme.accountId }]);
    expect((await session.ok(listAccounts)).data).toMatchObject([{ accountId: acme.accountId }]);
    const code = { body: { currentPassword: memberPassword, newPassword: 'a new password of mine' } };
    const own = [
      session.call(changePassword, code),
      session.call(listFactors),
      session.call(createFactor, { body: { type: 'totp', name: 'Phone' } }),
      session.call(deleteFactor),
      session.call(renewRecoveryCodes),
      session.call(logOutEverywhere),
      session.call(leaveAccount, { params: { email: ada.user.email, accountId: rival.accountId } }),
    ];
    for (const { status, body } of await Promise.all(own))
      expect({ status, error: body.error }).toEqual({ status: 403, error: 'own_session_required' });
    // The account learns nothing about the account that stores the person, and the profile of the person stays.
    const before = await users.findByEmailAcrossAccounts(ada.user.email);
    await session.ok(updateUser, { params: { email: ada.user.email }, body: { name: 'Ada of Acme' } });
    expect(await users.findByEmailAcrossAccounts(ada.user.email)).toEqual(before);
    await session.ok(logOut);
    expect((await session.call(listLeads)).status).toBe(401);
    await ada.client.ok(listLeads);
  });

  test('of an administrator changes neither the own password nor the own factors', async () => {
    const ada = await member(acme, [], { email: newAddress() });
    const params = { email: ada.user.email };
    await acme.admin.ok(updateUser, { params, body: { accountAdmin: true } });
    const session = await sessionFor(provider, connection, claimsOf(ada.user.email));
    for (const attempt of [
      session.call(resetFactors, { params }),
      session.call(forceUserPassword, { params, body: { password: 'a new password of mine' } }),
    ])
      expect((await attempt).body).toMatchObject({ error: 'own_session_required' });
  });

  test('ends with the membership, and its events name the method', async () => {
    const email = newAddress();
    const session = await sessionFor(provider, connection, claimsOf(email));
    await session.ok(listLeads);
    const { id } = await acme.admin.ok(readUser, { params: { email } });
    expect((await storedEvents(acme.accountId)).slice(-3)).toMatchObject([
      { kind: 'user_created', subject: { id } },
      { kind: 'no_event_name', data: { happening: 'sso_identity_linked', detail: { email } } },
      { kind: 'user_logged_in', data: { method: 'single_sign_on' } },
    ]);
    await acme.admin.ok(updateUser, { params: { email }, body: { active: false } });
    expect((await session.call(listLeads)).status).toBe(403);
    expect((await session.call(readSession)).status).toBe(401);
    expect((await session.call(listAccounts)).status).toBe(401);
    expect(await signedIn(provider, connection, claimsOf(email))).toMatchObject(refused(/not active/));
    await acme.admin.ok(updateUser, { params: { email }, body: { active: true } });
    expect((await session.call(readSession)).status).toBe(401);
  });

  test('ends also if the member has as many sessions and impersonations as possible', async () => {
    const own = await tenant();
    await holdDomain(own, 'many.example.com');
    const many = await connected(own, provider, { domains: ['many.example.com'], provisioning: true });
    const claims = claimsOf('ada@many.example.com');
    const params = { email: claims.email };
    const session = await sessionFor(provider, many, claims);
    for (let n = 1; n < 20; n++) await sessionFor(provider, many, claims);
    await own.admin.ok(updateUser, { params, body: { accountAdmin: true } });
    for (const { user } of await Promise.all([1, 2, 3, 4].map(() => member(own))))
      for (let n = 0; n < 20; n++)
        await session.ok(impersonateUser, { params: { email: user.email }, body: { reason: 'To stay' } });
    await own.admin.ok(deleteUser, { params });
    expect((await session.call(readSession)).status).toBe(401);
    const { list } = await readOpenImpersonations(own.accountId);
    expect(list).toEqual([]);
  }, 120_000);

  test('ends for good if the member is removed, and the address of the member does not stay', async () => {
    const ada = await member(acme, ['readLeads'], { email: newAddress() });
    const { email } = ada.user;
    await joins(ada, rival);
    const session = await sessionFor(provider, connection, claimsOf(email));
    await acme.admin.ok(deleteUser, { params: { email } });
    const identity = { issuer: provider.issuer, subject: claimsOf(email).sub };
    expect(await identities.find(acme.accountId, identity)).toBeUndefined();
    await joins(ada, acme);
    expect((await session.call(listLeads)).status).toBe(401);
    await ada.client.ok(readSession);
  });

  test('does not begin if the member is deactivated or unlinked between the read and the write', async () => {
    const ada = claimsOf(newAddress());
    await sessionFor(provider, connection, ada);
    const params = { email: ada.email };
    for (const [happen, status] of [
      [() => acme.admin.ok(unlinkIdentity, { params }), 200],
      [() => acme.admin.ok(updateUser, { params, body: { active: false } }), 403],
    ] as const) {
      const { code = '', codeVerifier } = await codeFor(provider, connection, ada);
      beforeNextTransaction(happen);
      expect((await exchanged(code, codeVerifier)).status).toBe(status);
    }
  });

  test('ends when another identity replaces the identity of the member', async () => {
    const own = await tenant();
    const successor = await LyingProvider.start();
    await holdDomain(own, 'moved.example.com');
    const moving = await connected(own, provider, { domains: ['moved.example.com'], provisioning: true });
    const claims = claimsOf('ada@moved.example.com');
    const former = await sessionFor(provider, moving, claims);
    await former.ok(readSession);
    await own.admin.ok(updateSsoConnection, {
      params: { id: moving.id },
      body: { issuer: successor.issuer, clientSecret: 'another secret' },
    });
    const session = await sessionFor(successor, moving, claims);
    expect((await storedEvents(own.accountId)).slice(-2)).toMatchObject([
      { data: { happening: 'sso_identity_linked', detail: { host: new URL(successor.issuer).host } } },
      { kind: 'user_logged_in' },
    ]);
    expect((await former.call(readSession)).status).toBe(401);
    await session.ok(readSession);
    const earlier = { issuer: provider.issuer, subject: claims.sub };
    expect(await identities.find(own.accountId, earlier)).toBeUndefined();
  });

  test('counts as a second factor only as far as the connection says', async () => {
    const strict = await tenant();
    const own = await connected(strict, provider);
    const ofStrict = await member(strict, ['readLeads']);
    const claims = claimsOf(ofStrict.user.email);
    await linked(strict, own, ofStrict.user.email);
    const plain = await sessionFor(provider, own, claims);
    const strong = await sessionFor(provider, own, { ...claims, amr: ['pwd', 'mfa'] });
    await strict.admin.ok(updateSsoConnection, { params: { id: own.id }, body: { secondFactor: 'always' } });
    const trusted = await sessionFor(provider, own, claims);
    await strict.admin.ok(updateAccount, {
      params: { id: strict.accountId },
      body: { mfa: { policy: 'required' } },
    });
    expect((await plain.call(listLeads)).body).toMatchObject({ error: 'factor_required' });
    await strong.ok(listLeads);
    await trusted.ok(listLeads);
  });
});

/** Links a member by an invitation, without a domain. */
async function linked(of: Tenant, by: SsoConnection, email: string): Promise<void> {
  const person = await users.findByEmailAcrossAccounts(email);
  if (!person) throw new Error(email);
  const membership = await memberships.get(of.accountId, person.id);
  const after = revise(membership, { invitationId: 1 }, authoredBy('test', clock.now()));
  await transact(memberships.replace(membership, after), Date.now() + 10_000);
  const token = await mailedToken(email, of);
  expect((await signedIn(provider, by, claimsOf(email), token)).status).toBe(200);
}

describe('the first sign-in', () => {
  test('creates a member with the mapped roles and team only, and mails nothing', async () => {
    const [plain, manager] = [newAddress(), newAddress()];
    await signedIn(provider, connection, { ...claimsOf(plain), groups: 'others', name: 'Plain' });
    await signedIn(provider, connection, {
      ...claimsOf(manager),
      groups: ['managers', 'administrators'],
      roles: ['Managers'],
      accountAdmin: true,
    });
    expect(await acme.admin.ok(readUser, { params: { email: plain } })).toMatchObject({
      name: 'Plain',
      flatRolesList: [agents],
      flatPermissionsList: ['readLeads'],
      invited: false,
    });
    expect(await acme.admin.ok(readUser, { params: { email: manager } })).toMatchObject({
      teamId: team.id,
      flatRolesList: [agents, managers],
      flatPermissionsList: ['readLeads', 'writeLeads'],
    });
    const person = await users.findByEmailAcrossAccounts(plain);
    expect(person).toMatchObject({ accountIds: [acme.accountId] });
    expect(person?.passwordHash).toBeUndefined();
  });

  test('maps claims of userinfo, also if the ID token contains the address', async () => {
    const own = await tenant();
    const splitting = await LyingProvider.start();
    splitting.userinfo = { sub: 'split', groups: ['managers'] };
    await holdDomain(own, 'split.example.com');
    await own.admin.ok(createRole, { body: { name: 'Managers', flatPermissionsList: ['readLeads'] } });
    const mapped = await connected(own, splitting, {
      domains: ['split.example.com'],
      provisioning: true,
      roleMappings: [{ claim: 'groups', value: 'managers', roles: ['Managers'] }],
    });
    const email = 'ada@split.example.com';
    await sessionFor(splitting, mapped, { sub: 'split', email, email_verified: true });
    expect((await own.admin.ok(readUser, { params: { email } })).flatRolesList).toEqual(['Managers']);
  });

  test('of concurrent browsers creates one member', async () => {
    const email = newAddress();
    const results = await Promise.all([1, 2, 3].map(() => signedIn(provider, connection, claimsOf(email))));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('needs a domain that this account holds and that is in its connection', async () => {
    const email = 'somebody@rival.example.com';
    expect(await signedIn(provider, connection, claimsOf(email))).toMatchObject(
      refused(/not proved the domain/),
    );
    expect(await signedIn(provider, ofRival, claimsOf(newAddress()))).toMatchObject(refused(/not proved/));
    expect((await signedIn(provider, ofRival, claimsOf(email))).status).toBe(200);
    // Another account proves the domain, as a new owner can do.
    const [loser, winner] = [await tenant(), await tenant()];
    await holdDomain(loser, 'sold.example.com');
    const own = await connected(loser, provider, { domains: ['sold.example.com'], provisioning: true });
    const before = claimsOf('before@sold.example.com');
    expect((await signedIn(provider, own, before)).status).toBe(200);
    await holdDomain(winner, 'sold.example.com', loser);
    expect(await signedIn(provider, own, claimsOf('after@sold.example.com'))).toMatchObject(
      refused(/not proved/),
    );
    // A member that is linked is known by the subject.
    expect((await signedIn(provider, own, before)).status).toBe(200);
  });

  test('creates nobody without `provisioning`', async () => {
    const closed = await tenant();
    await holdDomain(closed, 'closed.example.com');
    const own = await connected(closed, provider, { domains: ['closed.example.com'] });
    expect(await signedIn(provider, own, claimsOf('new@closed.example.com'))).toMatchObject(
      refused(/not a member/),
    );
  });

  test('never joins a person of another account without an invitation that the person accepts', async () => {
    const email = newAddress();
    await rival.admin.ok(createUser, { body: { email } });
    expect(await signedIn(provider, connection, claimsOf(email))).toMatchObject(refused(/invitation/));
    await acme.admin.ok(addUserToAccount, { params: { email } });
    // The invitation alone is not enough, and not its token, while another account may know the password.
    expect(await signedIn(provider, connection, claimsOf(email))).toMatchObject(refused(/invitation/));
    const token = await mailedToken(email, acme);
    expect(await signedIn(provider, connection, claimsOf(email), token)).toMatchObject({
      status: 400,
      body: { error: 'password_required' },
    });
    expect((await users.findByEmailAcrossAccounts(email))?.accountIds).toEqual([rival.accountId]);
  });

  test('accepts an invitation with its mailed token, whatever address the provider sends', async () => {
    const ada = await member(rival, []);
    await acme.admin.ok(addUserToAccount, { params: { email: ada.user.email }, body: { roles: [agents] } });
    const claims = { sub: 'with a token', email: 'another@elsewhere.example' };
    const token = await mailedToken(ada.user.email, acme);
    expect(await signedIn(provider, ofRival, claims, token)).toMatchObject({
      body: { error: 'token_invalid' },
    });
    const { status, body } = await signedIn(provider, connection, claims, token);
    expect({ status, email: body.email }).toEqual({ status: 200, email: ada.user.email });
    expect(await signedIn(provider, connection, { sub: 'thief' }, token)).toMatchObject({
      body: { error: 'token_invalid' },
    });
    // From now on, the subject is enough.
    await (await sessionFor(provider, connection, claims)).ok(listLeads);
    expect(await users.findByEmailAcrossAccounts(ada.user.email)).toMatchObject({
      accountIds: [rival.accountId, acme.accountId],
    });
  });

  test('accepts the invitation of the account that created the person', async () => {
    const email = 'invited@elsewhere.example';
    await acme.admin.ok(createUser, { body: { email, roles: [agents] } });
    expect(await signedIn(provider, connection, { sub: 'invited' })).toMatchObject(refused(/invitation/));
    const token = await mailedToken(email, acme);
    expect((await signedIn(provider, connection, { sub: 'invited' }, token)).status).toBe(200);
    await (await sessionFor(provider, connection, { sub: 'invited' })).ok(listLeads);
  });

  test('is an acceptance, so the membership stays when the person accepts another account', async () => {
    const email = newAddress();
    await signedIn(provider, connection, claimsOf(email));
    await rival.admin.ok(addUserToAccount, { params: { email } });
    const token = await mailedToken(email, rival);
    await client({}).ok(acceptMembership, {
      params: { email, accountId: rival.accountId },
      body: { token, password: memberPassword },
    });
    await (await sessionFor(provider, connection, claimsOf(email))).ok(listLeads);
  });

  test('rejects a reset token', async () => {
    const ada = await member(acme, []);
    const token = await mailedToken(ada.user.email);
    expect(await signedIn(provider, connection, { sub: 'resetter' }, token)).toMatchObject({
      body: { error: 'token_invalid' },
    });
  });
});

test('a later sign-in sets the roles only if the connection says so, and never of an administrator', async () => {
  const own = await tenant();
  await holdDomain(own, 'roles.example.com');
  for (const name of ['One', 'Two'])
    await own.admin.ok(createRole, { body: { name, flatPermissionsList: ['readLeads'] } });
  const mapped = await connected(own, provider, {
    domains: ['roles.example.com'],
    provisioning: true,
    roleMappings: ['One', 'Two'].map((value) => ({ claim: 'groups', value, roles: [value] })),
  });
  const email = 'ada@roles.example.com';
  const rolesWith = async (groups: unknown) => {
    await signedIn(provider, mapped, { ...claimsOf(email), groups });
    return (await own.admin.ok(readUser, { params: { email } })).flatRolesList;
  };
  expect(await rolesWith(['One'])).toEqual(['One']);
  expect(await rolesWith(['Two'])).toEqual(['One']);
  await own.admin.ok(updateSsoConnection, { params: { id: mapped.id }, body: { rolesAtEverySignIn: true } });
  expect(await rolesWith(['Two'])).toEqual(['Two']);
  expect((await storedEvents(own.accountId)).slice(-2)).toMatchObject([
    { kind: 'user_roles_updated', data: { from: ['One'], to: ['Two'] } },
    { kind: 'user_logged_in' },
  ]);
  expect(await rolesWith(undefined)).toEqual([]);
  await own.admin.ok(updateUser, { params: { email }, body: { accountAdmin: true } });
  expect(await rolesWith(['One'])).toEqual([]);
});

test('an administrator removes a link, and the next sign-in with the address links the member again', async () => {
  const email = newAddress();
  const session = await sessionFor(provider, connection, claimsOf(email));
  const recreated = { ...claimsOf(email), sub: `recreated ${email}` };
  expect(await signedIn(provider, connection, recreated)).toMatchObject(refused(/linked to another user/));
  await acme.admin.ok(unlinkIdentity, { params: { email } });
  expect((await session.call(listLeads)).status).toBe(401);
  await (await sessionFor(provider, connection, recreated)).ok(listLeads);
  expect(await signedIn(provider, connection, claimsOf(email))).toMatchObject(
    refused(/linked to another user/),
  );
});

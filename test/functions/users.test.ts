import { describe, expect, test } from 'vitest';
import changePassword from '../../functions/auth/change-password.ts';
import logIn from '../../functions/auth/log-in.ts';
import logOut from '../../functions/auth/log-out.ts';
import logOutEverywhere from '../../functions/auth/log-out-everywhere.ts';
import readSession from '../../functions/auth/read-session.ts';
import requestPasswordReset from '../../functions/auth/request-password-reset.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import listEvents from '../../functions/events/list-events.ts';
import createRole from '../../functions/roles/create-role.ts';
import createTeam from '../../functions/teams/create-team.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import listUsers from '../../functions/users/list-users.ts';
import readPreferences from '../../functions/users/read-notification-preferences.ts';
import readUser from '../../functions/users/read-user.ts';
import removeUserFromAccount from '../../functions/users/remove-user-from-account.ts';
import setPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import { clock } from '../harness/clock.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { joins, member, memberPassword } from '../harness/member.ts';
import { scanTable } from '../harness/raw-table.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const globex = await tenant();
const anybody = client({});

const kindsOf = async (of = acme) =>
  (await of.admin.ok(listEvents, { query: { pageSize: 100 } })).data.map(({ kind }) => kind);

describe('POST /users', () => {
  test('POST /users responds with every field and an invitation token', async () => {
    const team = await acme.admin.ok(createTeam, { body: { name: 'West' } });
    await acme.admin.ok(createRole, { body: { name: 'Agent', flatPermissionsList: ['readLeads'] } });
    const user = await acme.admin.ok(createUser, {
      body: {
        email: 'Full@Example.com',
        name: 'Full User',
        teamId: team.id,
        phone: '+1 555 0100',
        imgSrc: 'https://example.com/a.png',
        active: true,
        notificationPreferences: [{ event: 'lead_created', deliveryPref: ['email', 'website'] }],
        roles: ['Agent'],
      },
    });
    expect(user).toEqual({
      id: expect.any(Number),
      email: 'full@example.com',
      name: 'Full User',
      active: true,
      invited: false,
      teamId: team.id,
      phone: '+1 555 0100',
      imgSrc: 'https://example.com/a.png',
      notificationPreferences: { default: { lead_created: ['email', 'website'] } },
      version: 1,
      createdBy: acme.adminEmail,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      accounts: [
        {
          accountId: acme.accountId,
          accountName: expect.any(String),
          usersPrimaryAccount: true,
          accountAdmin: false,
        },
      ],
      flatRolesList: ['Agent'],
      flatPermissionsList: ['readLeads'],
      token: expect.stringMatching(/^mo_pw_/),
    });
  });

  test('POST /users refuses invalid input with 400 and the error code', async () => {
    const refused = async (body: object, code: string) => {
      const response = await acme.admin.call(createUser, { body: body as never });
      expect([response.status, response.body.error]).toEqual([400, code]);
      return response.body.details;
    };
    expect(await refused({ name: 'x' }, 'invalid_input')).toEqual([
      { field: 'email', message: 'is required' },
    ]);
    await refused({ email: 'not an email' }, 'invalid_input');
    await refused({ email: 'a@example.com', teamId: 1 }, 'team_unknown');
    await refused({ email: 'a@example.com', roles: ['Nobody'] }, 'role_unknown');
    const lead = { event: 'lead_created', deliveryPref: ['email'] };
    await refused({ email: 'a@example.com', notificationPreferences: [lead, lead] }, 'preferences_invalid');
    await refused(
      { email: 'a@example.com', notificationPreferences: [{ ...lead, accountId: globex.accountId }] },
      'preferences_invalid',
    );
    await refused(
      { email: 'a@example.com', notificationPreferences: [{ ...lead, event: 'tea_served' }] },
      'invalid_input',
    );
    await refused(
      { email: 'a@example.com', notificationPreferences: [{ ...lead, deliveryPref: ['pigeon'] }] },
      'invalid_input',
    );
  });

  test('races are safe: 30 concurrent POST /users with one email in different case create one user', async () => {
    const emails = ['crowd@example.com', 'Crowd@Example.com', 'CROWD@EXAMPLE.COM', 'crowD@example.COM'];
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        acme.admin.call(createUser, { body: { email: emails[n % 4] ?? '' } }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(29);
    expect(responses.find(({ status }) => status === 400)?.body.error).toBe('email_exists');
    const taken = await globex.admin.call(createUser, { body: { email: 'crowd@example.com' } });
    expect([taken.status, taken.body.error]).toEqual([400, 'email_exists']);
  });
});

describe('an invitation', () => {
  test('an invitation works once if 20 concurrent requests use it', async () => {
    const { token = '' } = await acme.admin.ok(createUser, { body: { email: 'crowded@example.com' } });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        anybody.call(resetPassword, { body: { token, password: `password number ${n}` } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('an invitation does not work after 72 hours', async () => {
    const { token = '' } = await acme.admin.ok(createUser, { body: { email: 'late@example.com' } });
    clock.advance(72 * 3600_000);
    const late = await anybody.call(resetPassword, { body: { token, password: 'a password of my own' } });
    clock.reset();
    expect([late.status, late.body.error]).toEqual([400, 'token_invalid']);
    await anybody.ok(resetPassword, { body: { token, password: 'a password of my own' } });
  });

  test('an idempotent replay does not contain the invitation token', async () => {
    const sent = { body: { email: 'replay@example.com' }, headers: { 'idempotency-key': 'invite-1' } };
    const first = await acme.admin.call(createUser, sent);
    const second = await acme.admin.call(createUser, sent);
    expect(first.body.token).toBeDefined();
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toEqual({ ...first.body, token: undefined });
  });
});

describe('GET /users/{email}', () => {
  test('GET /users/{email} finds a member in any case, and no user of another account', async () => {
    const { user } = await member(acme);
    const read = await acme.admin.ok(readUser, { params: { email: user.email.toUpperCase() } });
    expect(read.id).toBe(user.id);
    const unknown = await acme.admin.call(readUser, { params: { email: 'nobody@example.com' } });
    const foreign = await acme.admin.call(readUser, { params: { email: globex.adminEmail } });
    expect(unknown.status).toBe(404);
    const message = unknown.body.message.replace('nobody@example.com', globex.adminEmail);
    expect(foreign.body).toEqual({ ...unknown.body, message });
  });

  test('GET /users filters and searches members', async () => {
    await member(acme, [], { email: 'findable@example.com', name: 'Zebra Finch' });
    const found = await acme.admin.ok(listUsers, { query: { search: 'zebra' } });
    expect(found.data.map(({ email }) => email)).toEqual(['findable@example.com']);
    const byEmail = await acme.admin.ok(listUsers, { query: { email: 'Findable@Example.com' } });
    expect(byEmail.totalCount).toBe(1);
    const admins = await acme.admin.ok(listUsers, { query: { accountAdmin: true } });
    expect(admins.data.map(({ email }) => email)).toEqual([acme.adminEmail]);
  });
});

describe('a profile', () => {
  test('a profile is changed by the user and by administrators of its home, and is copied to every account', async () => {
    const shared = await member(acme);
    const params = { email: shared.user.email };
    await joins(shared, globex);
    await shared.client.ok(updateUser, { params, body: { name: 'By myself' } });
    expect((await globex.admin.ok(readUser, { params })).name).toBe('By myself');
    await acme.admin.ok(updateUser, { params, body: { name: 'By my administrator' } });
    expect((await globex.admin.ok(listUsers, { query: { search: 'by my admin' } })).totalCount).toBe(1);
  });

  test('a member without writeUsers cannot change its own membership', async () => {
    const plain = await member(acme);
    const params = { email: plain.user.email };
    const response = await plain.client.call(updateUser, { params, body: { accountAdmin: true } });
    expect([response.status, response.body.error]).toEqual([403, 'permission_denied']);
  });
});

describe('a takeover by an administrator of another account', async () => {
  const victim = await member(acme);
  const params = { email: victim.user.email };
  await acme.admin.ok(createRole, { body: { name: 'Secret role', flatPermissionsList: ['readLeads'] } });
  await acme.admin.ok(setUserRoles, { params, body: { roles: ['Secret role'] } });
  await joins(victim, globex);

  test('the administrator cannot set the password, rename the user, or read and set its preferences', async () => {
    const attempts = await Promise.all([
      globex.admin.call(forceUserPassword, { params, body: { password: 'taken over by globex' } }),
      globex.admin.call(updateUser, { params, body: { name: 'Mallory' } }),
      globex.admin.call(readPreferences, { params }),
      globex.admin.call(setPreferences, { params, body: [] }),
    ]);
    expect(attempts.map(({ status, body }) => [status, body.error])).toEqual(
      Array(4).fill([403, 'owner_account_only']),
    );
    await signIn({ email: victim.user.email, password: memberPassword });
  });

  test('the administrator deactivates the user in its own account only', async () => {
    await globex.admin.ok(updateUser, { params, body: { active: false } });
    const elsewhere = client({ ...victim.client.headers, 'x-account-id': globex.accountId });
    expect((await elsewhere.call(readUser, { params })).status).toBe(403);
    await victim.client.ok(readSession);
    expect((await acme.admin.ok(readUser, { params })).active).toBe(true);
    await globex.admin.ok(updateUser, { params, body: { active: true } });
  });

  test('the administrator does not see the roles and accounts of the user elsewhere', async () => {
    const seen = await globex.admin.ok(readUser, { params });
    expect(seen).toMatchObject({ flatRolesList: [], flatPermissionsList: [] });
    expect(seen.accounts.map(({ accountId }) => accountId)).toEqual([globex.accountId]);
    expect(JSON.stringify(seen)).not.toContain(acme.accountId);
  });

  test('the administrator cannot remove the user from another account', async () => {
    const response = await globex.admin.call(removeUserFromAccount, {
      params: { ...params, accountId: acme.accountId },
    });
    expect(response.status).toBe(404);
    expect((await acme.admin.call(readUser, { params })).status).toBe(200);
  });

  test('the administrator removes the user from its own account, and the user remains at home', async () => {
    await globex.admin.ok(removeUserFromAccount, { params: { ...params, accountId: globex.accountId } });
    expect((await globex.admin.call(readUser, { params })).status).toBe(404);
    await acme.admin.ok(readUser, { params });
    expect(await kindsOf(globex)).toContain('user_removed_from_account');
  });
});

describe('a former home', async () => {
  const left = await member(acme);
  const params = { email: left.user.email };
  await joins(left, globex, { accountAdmin: true });
  await acme.admin.ok(deleteUser, { params });
  const elsewhere = client({ ...left.client.headers, 'x-account-id': globex.accountId });

  test('a former home does not regain ownership by adding the user again', async () => {
    await joins(left, acme);
    const attempts = [
      await acme.admin.call(forceUserPassword, { params, body: { password: 'taken back by acme' } }),
      await acme.admin.call(updateUser, { params, body: { name: 'Mallory' } }),
    ];
    expect(attempts.map(({ body }) => body.error)).toEqual(['owner_account_only', 'owner_account_only']);
    await acme.admin.ok(deleteUser, { params });
    await elsewhere.ok(updateUser, { params, body: { name: 'Still myself' } });
  });

  test('a former home gets no more events of the user’s sign-ins', async () => {
    const signIns = async (of: typeof acme) =>
      (await of.admin.ok(listEvents, { query: { kind: 'user_logged_in', actor: left.user.email } }))
        .totalCount;
    const [there, here] = [await signIns(globex), await signIns(acme)];
    const authorization = await signIn({ email: left.user.email, password: memberPassword });
    expect([await signIns(globex), await signIns(acme)]).toEqual([there + 1, here]);
    const session = await client({ authorization }).ok(readSession);
    expect(session).toMatchObject({ primaryAccount: { accountId: globex.accountId, accountAdmin: true } });
    expect(session.flatPermissionsList).toContain('readLeads');
  });
});

test('a member without permission cannot read users by empty changes, and cannot find out who is a member', async () => {
  const { client: powerless } = await member(acme);
  for (const email of [acme.adminEmail, 'stranger@example.com']) {
    const params = { email };
    const responses = [
      await powerless.call(updateUser, { params, body: {} }),
      await acme.key.call(readPreferences, { params }),
      await powerless.call(readPreferences, { params }),
      await powerless.call(setPreferences, { params, body: [] }),
    ];
    expect(responses.map(({ body }) => body.error)).toEqual([
      'permission_denied',
      'administrator_only',
      'administrator_only',
      'administrator_only',
    ]);
  }
});

describe('a grant', () => {
  test('a user cannot grant permissions that it does not have', async () => {
    const granter = await member(acme, ['writeUsers', 'readUsers', 'writeRoles', 'readLeads']);
    const grantee = await member(acme);
    const params = { email: grantee.user.email };
    const tooMuch = { flatPermissionsList: ['readLeads', 'writeLeads'] };
    await acme.admin.ok(createRole, { body: { name: 'Too much', ...tooMuch } });
    const attempts = [
      await granter.client.call(setUserPermissions, { params, body: tooMuch }),
      await granter.client.call(createRole, { body: { name: 'Sneaky', ...tooMuch } }),
      await granter.client.call(setUserRoles, { params, body: { roles: ['Too much'] } }),
      await granter.client.call(createUser, { body: { email: 'proxy@example.com', roles: ['Too much'] } }),
    ];
    expect(attempts.map(({ status, body }) => [status, body.error])).toEqual(
      Array(4).fill([403, 'grant_exceeds_own']),
    );
    await granter.client.ok(setUserPermissions, { params, body: { flatPermissionsList: ['readLeads'] } });
  });

  test('granting and revoking a role apply to the next request', async () => {
    const { user, client: theirs } = await member(acme);
    const params = { email: user.email };
    expect((await theirs.call(readUser, { params })).status).toBe(403);
    await acme.admin.ok(createRole, { body: { name: 'Reader', flatPermissionsList: ['readUsers'] } });
    await acme.admin.ok(setUserRoles, { params, body: { roles: ['Reader'] } });
    expect((await theirs.call(readUser, { params })).status).toBe(200);
    await acme.admin.ok(setUserRoles, { params, body: { roles: [] } });
    expect((await theirs.call(readUser, { params })).status).toBe(403);
  });

  test('the last administrator cannot lock itself out', async () => {
    const params = { email: acme.adminEmail };
    const attempts = [
      await acme.admin.call(updateUser, { params, body: { active: false } }),
      await acme.admin.call(updateUser, { params, body: { accountAdmin: false } }),
      await acme.admin.call(deleteUser, { params }),
    ];
    expect(attempts.map(({ status, body }) => [status, body.error])).toEqual(
      Array(3).fill([400, 'own_membership']),
    );
  });
});

describe('a password', () => {
  test('a password change ends every other session and keeps this one', async () => {
    const { user, client: here } = await member(acme);
    const there = client({ authorization: await signIn({ email: user.email, password: memberPassword }) });
    const wrong = await here.call(changePassword, {
      body: { currentPassword: 'not it', newPassword: 'something entirely new' },
    });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'password_wrong']);
    await here.ok(changePassword, {
      body: { currentPassword: memberPassword, newPassword: 'something entirely new' },
    });
    await here.ok(readSession);
    expect((await there.call(readSession)).status).toBe(401);
    expect(
      (await anybody.call(logIn, { body: { email: user.email, password: memberPassword } })).status,
    ).toBe(401);
  });

  test('a password change does not restore a session that ended meanwhile', async () => {
    const { user, client: theirs } = await member(acme);
    const [, claims = ''] = theirs.headers.authorization?.split('.') ?? [];
    const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string };
    const body = { currentPassword: memberPassword, newPassword: 'something entirely new' };
    beforeNextTransaction(() => theirs.ok(logOut));
    expect((await theirs.call(changePassword, { body })).status).toBe(401);
    expect((await scanTable()).filter(({ pk }) => pk.includes(sid))).toEqual([]);
    await signIn({ email: user.email, password: memberPassword });
  });

  test('a password set by an administrator ends every session', async () => {
    const { user, client: theirs } = await member(acme);
    await acme.admin.ok(forceUserPassword, {
      params: { email: user.email },
      body: { password: 'a forced password' },
    });
    expect((await theirs.call(readSession)).status).toBe(401);
    await signIn({ email: user.email, password: 'a forced password' });
    expect(await kindsOf()).toContain('admin_force_set_password');
  });

  test('an API key has no password', async () => {
    const response = await acme.key.call(changePassword, {
      body: { currentPassword: 'x', newPassword: 'something entirely new' },
    });
    expect([response.status, response.body.error]).toEqual([403, 'users_only']);
  });

  test('a password shorter than 12 characters is refused', async () => {
    const { client: theirs } = await member(acme);
    expect(
      (await theirs.call(changePassword, { body: { currentPassword: memberPassword, newPassword: 'short' } }))
        .status,
    ).toBe(400);
  });

  test('a password reset request responds the same whether or not the user exists, and emits an event only if it does', async () => {
    const { user } = await member(acme);
    const known = await anybody.call(requestPasswordReset, { body: { email: user.email } });
    const unknown = await anybody.call(requestPasswordReset, { body: { email: 'nobody@example.com' } });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const requests = await acme.admin.ok(listEvents, { query: { kind: 'user_password_reset_requested' } });
    expect(requests.data.map(({ subject }) => subject.id)).toEqual([user.id]);
    expect(JSON.stringify(requests.data)).not.toContain('mo_pw_');
  });
});

describe('POST /auth/logout-all', () => {
  test('POST /auth/logout-all ends every session of a user', async () => {
    const { user, client: one } = await member(acme);
    const other = client({ authorization: await signIn({ email: user.email, password: memberPassword }) });
    await one.ok(logOutEverywhere);
    expect([(await one.call(readSession)).status, (await other.call(readSession)).status]).toEqual([
      401, 401,
    ]);
  });

  test('POST /auth/logout-all ends every session of a key, but not the key itself or other sessions of the account', async () => {
    const { apiKey, apiSecret, adminEmail: email, adminPassword: password } = acme;
    const open = async (credentials: Record<string, string>) =>
      client({ authorization: await signIn(credentials) });
    const [one, other, bystander] = [
      await open({ apiKey, apiSecret }),
      await open({ apiKey, apiSecret }),
      await open({ email, password }),
    ];
    await one.ok(logOutEverywhere);
    expect([(await one.call(readSession)).status, (await other.call(readSession)).status]).toEqual([
      401, 401,
    ]);
    await bystander.ok(readSession);
    await (await open({ apiKey, apiSecret })).ok(readSession);
  });
});

describe('notification preferences', () => {
  test('a preference for an event kind that never occurs is accepted with a warning', async () => {
    const website = (event: 'payment_failed' | 'lead_created', accountId?: string) => ({
      event,
      accountId,
      deliveryPref: ['website' as const],
    });
    const warnings = [{ event: 'payment_failed', message: expect.stringContaining('No event of this kind') }];
    const email = 'warned@example.com';
    const rules = [
      website('lead_created'),
      website('payment_failed'),
      website('payment_failed', acme.accountId),
    ];
    const made = await acme.admin.ok(createUser, { body: { email, notificationPreferences: rules } });
    expect(made.warnings).toEqual(warnings);
    const set = await acme.admin.ok(setPreferences, { params: { email }, body: rules });
    expect([set.warnings, set.data]).toEqual([warnings, rules]);
    const without = await acme.admin.ok(setPreferences, {
      params: { email },
      body: [website('lead_created')],
    });
    expect(without).not.toHaveProperty('warnings');
  });

  test('notification preferences are read and set by the user and by administrators of its home', async () => {
    const one = await member(acme);
    const { user, client: theirs } = one;
    const params = { email: user.email };
    const body = [
      { event: 'lead_created' as const, deliveryPref: ['email' as const] },
      { event: 'lead_created' as const, accountId: acme.accountId, deliveryPref: [] },
    ];
    await theirs.ok(setPreferences, { params, body });
    expect((await acme.admin.ok(readPreferences, { params })).data).toEqual(body);
    const { notificationPreferences } = await theirs
      .call(readUser, { params })
      .then(() => acme.admin.ok(readUser, { params }));
    expect(notificationPreferences).toEqual({
      default: { lead_created: ['email'] },
      [acme.accountId]: { lead_created: [] },
    });
    await joins(one, globex);
    const theirRule = {
      event: 'lead_created' as const,
      accountId: globex.accountId,
      deliveryPref: ['sms' as const],
    };
    await theirs.ok(setPreferences, { params, body: [...body, theirRule] });
    expect((await acme.admin.ok(readPreferences, { params })).data).toEqual(body);
    await acme.admin.ok(setPreferences, { params, body: [] });
    expect((await theirs.ok(readPreferences, { params })).data).toEqual([theirRule]);
    const { data: events } = await acme.admin.ok(listEvents, {
      query: { kind: 'user_account_settings_updated' },
    });
    expect(JSON.stringify(events)).not.toContain(globex.accountId);
    await globex.admin.ok(deleteUser, { params });
    expect((await theirs.ok(readPreferences, { params })).data).toEqual([]);
    const stranger = await member(acme, ['readUsers', 'writeUsers']);
    expect((await stranger.client.call(readPreferences, { params })).status).toBe(403);
  });
});

test('deliveryPref defaults to the website', async () => {
  const { user, client: theirs } = await member(acme);
  const params = { email: user.email };
  const body = [{ event: 'lead_created' as const }];
  const rules = [{ event: 'lead_created', deliveryPref: ['website'] }];
  expect((await theirs.ok(setPreferences, { params, body })).data).toEqual(rules);
  expect((await theirs.ok(readPreferences, { params })).data).toEqual(rules);
  const invited = await acme.admin.ok(createUser, {
    body: { email: 'defaults@example.com', notificationPreferences: body },
  });
  expect(invited.notificationPreferences).toEqual({ default: { lead_created: ['website'] } });
});

test('a user removed from its last account is deleted with its sessions, and its email is free again', async () => {
  const { user, client: theirs } = await member(acme);
  await acme.admin.ok(deleteUser, { params: { email: user.email } });
  expect((await theirs.call(readSession)).status).toBe(401);
  expect((await acme.admin.call(readUser, { params: { email: user.email } })).status).toBe(404);
  expect(await kindsOf()).toEqual(expect.arrayContaining(['user_deleted', 'user_removed_from_account']));
  const again = await acme.admin.ok(createUser, { body: { email: user.email } });
  expect(again.id).not.toBe(user.id);
});

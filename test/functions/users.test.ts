import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import deleteApiKey from '../../functions/apikeys/delete-api-key.ts';
import updateApiKey from '../../functions/apikeys/update-api-key.ts';
import changePassword from '../../functions/auth/change-password.ts';
import logIn from '../../functions/auth/log-in.ts';
import logOut from '../../functions/auth/log-out.ts';
import logOutEverywhere from '../../functions/auth/log-out-everywhere.ts';
import readSession from '../../functions/auth/read-session.ts';
import requestPasswordReset from '../../functions/auth/request-password-reset.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import listEvents from '../../functions/events/list-events.ts';
import createRole from '../../functions/roles/create-role.ts';
import deleteRole from '../../functions/roles/delete-role.ts';
import readRole from '../../functions/roles/read-role.ts';
import setRolePermissions from '../../functions/roles/set-role-permissions.ts';
import updateRole from '../../functions/roles/update-role.ts';
import createTeam from '../../functions/teams/create-team.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import leaveAccount from '../../functions/users/leave-account.ts';
import listUsers from '../../functions/users/list-users.ts';
import readPreferences from '../../functions/users/read-notification-preferences.ts';
import readUser from '../../functions/users/read-user.ts';
import removeUserFromAccount from '../../functions/users/remove-user-from-account.ts';
import setPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import { commit } from '../../shared/events/outbox.ts';
import { issueResetToken } from '../../shared/people/users/password-tokens.ts';
import { parsePhoneNumber } from '../../shared/people/users/phone-number.ts';
import { users } from '../../shared/people/users/store.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { joins, mailedToken, member, memberPassword } from '../harness/member.ts';
import { scanTable } from '../harness/raw-table.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { kindsOf } from './event-kinds.ts';

const acme = await tenant();
const globex = await tenant();
const anybody = client({});
let emails = 0;
const newEmail = () => `person${emails++}@example.com`;

describe('POST /users', () => {
  test('POST /users responds with every field, and without the invitation token', async () => {
    const team = await acme.admin.ok(createTeam, { body: { name: 'West' } });
    await acme.admin.ok(createRole, { body: { name: 'Agent', flatPermissionsList: ['readLeads'] } });
    const user = await acme.admin.ok(createUser, {
      body: {
        email: 'Full@Example.com',
        name: 'Full User',
        teamId: team.id,
        phone: '+1 (415) 555-0134',
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
      phone: '+14155550134',
      imgSrc: 'https://example.com/a.png',
      notificationPreferences: { [acme.accountId]: { lead_created: ['email', 'website'] } },
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
    });
  });

  test('an email with an internationalized domain is stored in Punycode, and identifies the user in both forms', async () => {
    const [unicode, ascii] = ['Info@Bücher.example', 'info@xn--bcher-kva.example'];
    const user = await acme.admin.ok(createUser, { body: { email: ` ${unicode} ` } });
    expect(user.email).toBe(ascii);
    for (const email of [unicode, ascii, 'info@BÜCHER.example', 'info@bu\u0308cher.example'])
      expect(await acme.admin.ok(readUser, { params: { email } }), email).toMatchObject({ id: user.id });
    expect(await acme.admin.ok(listUsers, { query: { email: unicode } })).toMatchObject({ totalCount: 1 });
    const again = await acme.admin.call(createUser, { body: { email: ascii } });
    expect([again.status, again.body.error]).toEqual([400, 'email_exists']);
    const password = 'a long enough password';
    await acme.admin.ok(forceUserPassword, { params: { email: unicode }, body: { password } });
    expect(await anybody.ok(logIn, { body: { email: unicode, password } })).toMatchObject({ email: ascii });
    for (const email of [
      'jürgen@example.com',
      'a@bü cher.example',
      'a@bücher',
      'a@１.２.３.４',
      'a@bü/x.example',
    ])
      expect((await acme.admin.call(createUser, { body: { email } })).status, email).toBe(400);
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
    const email = 'a@example.com';
    await refused({ email, teamId: 1 }, 'team_unknown');
    await refused({ email, roles: ['Nobody'] }, 'role_unknown');
    const lead = { event: 'lead_created', deliveryPref: ['email'] };
    for (const [notificationPreferences, code] of [
      [[lead, lead], 'preferences_invalid'],
      [[{ ...lead, accountId: globex.accountId }], 'preferences_invalid'],
      [[{ ...lead, event: 'tea_served' }], 'invalid_input'],
      [[{ ...lead, deliveryPref: ['pigeon'] }], 'invalid_input'],
    ] as const)
      await refused({ email, notificationPreferences }, code);
  });

  test('30 concurrent POST /users with the same email in different letter case create one user', async () => {
    const emails = ['crowd@example.com', 'Crowd@Example.com', 'CROWD@EXAMPLE.COM', 'crowD@example.COM'];
    const responses = await concurrently(30, (n) =>
      acme.admin.call(createUser, { body: { email: emails[n % 4] ?? '' } }),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    // Above the limit of invitations to an address, a request is refused before it is compared with others.
    expect(statuses.filter((status) => status === 400 || status === 429)).toHaveLength(29);
    expect(responses.find(({ status }) => status === 400)?.body.error).toBe('email_exists');
    const taken = await globex.admin.call(createUser, { body: { email: 'crowd@example.com' } });
    expect([taken.status, taken.body.error]).toEqual([400, 'email_exists']);
  });
});

describe('the phone number of a user', () => {
  const phoneAfter = async (of: Tenant, phone: string) => {
    const { status, body } = await of.admin.call(createUser, { body: { email: newEmail(), phone } });
    return status === 201 ? body.phone : body;
  };

  test('is stored in E.164, and a number without a country code is a number of the account’s country', async () => {
    const uk = await tenant();
    await uk.admin.ok(updateAccount, { params: { id: uk.accountId }, body: { country: 'GB' } });
    expect(await phoneAfter(acme, '(415) 555-0134')).toBe('+14155550134');
    expect(await phoneAfter(uk, '020 7946 0958')).toBe('+442079460958');
    for (const of of [acme, uk]) expect(await phoneAfter(of, '+44 (0)20 7946 0958')).toBe('+442079460958');
    const { user, client: own } = await member(uk);
    const params = { email: user.email };
    expect(await own.ok(updateUser, { params, body: { phone: '020 7946 0018' } })).toMatchObject({
      phone: '+442079460018',
    });
    expect(await own.ok(updateUser, { params, body: { phone: null } })).not.toHaveProperty('phone');
  });

  test('is refused with 400 if it is impossible or has an extension', async () => {
    const message =
      'must be a phone number without an extension, with "+" and the country code unless it is a number in US';
    const { user, client: own } = await member(acme, [], { phone: '+14155550134' });
    for (const phone of [
      '',
      '555-0134',
      '020 7946 0958',
      '+1 415 555 01340',
      '+44 (0)20 7946 09589',
      '911',
      'call me',
      '415 555 0134 or 415 555 0135',
      '+1 415 555 0134 x7',
    ]) {
      expect(await phoneAfter(acme, phone), phone).toMatchObject({
        error: 'invalid_input',
        details: [{ field: 'phone', message }],
      });
      const patched = await own.call(updateUser, { params: { email: user.email }, body: { phone } });
      expect([patched.status, patched.body.error], phone).toEqual([400, 'invalid_input']);
    }
  });

  test('has the same E.164 form in the national and the international format of every country', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...getCountries()),
        fc.constantFrom(...getCountries()),
        (country, other) => {
          const example = getExampleNumber(country, examples) ?? expect.fail();
          for (const text of [example.formatNational(), example.formatInternational(), example.number])
            expect(parsePhoneNumber(text, country), text).toBe(example.number);
          expect(parsePhoneNumber(example.number, other)).toBe(example.number);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('is either refused or parsed to an E.164 number that is parsed to itself, for any text', () => {
    const characters = fc.string({ unit: fc.constantFrom(...'+0123456789 ()-./x;'), maxLength: 24 });
    const validNumber = fc
      .constantFrom(...getCountries())
      .map((country) => (getExampleNumber(country, examples) ?? expect.fail()).formatInternational());
    const nearlyValid = fc.tuple(validNumber, fc.string({ maxLength: 3 })).map((parts) => parts.join(''));
    const text = fc.oneof(fc.string(), characters, nearlyValid);
    fc.assert(
      fc.property(text, fc.constantFrom(undefined, 'US', 'GB', 'ZZ'), (phone, country) => {
        const number = parsePhoneNumber(phone, country);
        if (number === undefined) return;
        expect(number).toMatch(/^\+[1-9]\d{1,14}$/);
        expect(parsePhoneNumber(number)).toBe(number);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('an invitation', () => {
  test('an invitation works only once, even if 20 concurrent requests use it', async () => {
    const { email } = await acme.admin.ok(createUser, { body: { email: 'crowded@example.com' } });
    const token = await mailedToken(email, acme);
    const responses = await concurrently(20, (n) =>
      anybody.call(resetPassword, { body: { token, password: `password number ${n}` } }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('an invitation does not work after 72 hours', async () => {
    const { email } = await acme.admin.ok(createUser, { body: { email: 'late@example.com' } });
    const token = await mailedToken(email, acme);
    clock.advance(72 * 3600_000);
    const late = await anybody.call(resetPassword, { body: { token, password: 'a password of my own' } });
    clock.reset();
    expect([late.status, late.body.error]).toEqual([400, 'token_invalid']);
    await anybody.ok(resetPassword, { body: { token, password: 'a password of my own' } });
  });
});

describe('GET /users/{email}', () => {
  test('GET /users/{email} ignores the case of the email, and finds no user of another account', async () => {
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

describe('a user named by id', () => {
  test.each(['a/b@slash.test', 'a?b@question.test', 'a#b@hash.test', '12345@digits.test'])(
    'every endpoint of the user %s accepts the id instead of the email',
    async (email) => {
      const { id } = await acme.admin.ok(createUser, { body: { email } });
      const params = { email: String(id) };
      expect((await acme.admin.ok(readUser, { params })).email).toBe(email);
      expect((await acme.admin.ok(updateUser, { params, body: { name: 'By id' } })).name).toBe('By id');
      await acme.admin.ok(setUserRoles, { params, body: { roles: [] } });
      await acme.admin.ok(setUserPermissions, { params, body: { flatPermissionsList: [] } });
      await acme.admin.ok(setPreferences, { params, body: [] });
      await acme.admin.ok(readPreferences, { params });
      await acme.admin.ok(forceUserPassword, { params, body: { password: memberPassword } });
      const authorization = await signIn({ email, password: memberPassword });
      const own = client({ authorization, 'x-account-id': acme.accountId });
      expect((await own.ok(updateUser, { params, body: { name: 'By myself' } })).name).toBe('By myself');
      expect((await globex.admin.call(readUser, { params })).status).toBe(404);
      await globex.admin.ok(addUserToAccount, { params: { email } });
      const invited = { ...params, accountId: globex.accountId };
      const body = { token: await mailedToken(email, globex), password };
      await anybody.ok(acceptMembership, { params: invited, body });
      const proved = client({ authorization: await signIn({ email, password }) });
      await proved.ok(leaveAccount, { params: invited });
      await acme.admin.ok(removeUserFromAccount, { params: { ...params, accountId: acme.accountId } });
      expect((await acme.admin.call(readUser, { params })).status).toBe(404);
    },
  );

  test('an id that belongs to a user of another account is not found', async () => {
    const { user } = await member(globex);
    const params = { email: String(user.id) };
    const unknown = await acme.admin.call(readUser, { params: { email: String(user.id + 1) } });
    expect(await acme.admin.call(readUser, { params })).toMatchObject({
      status: 404,
      body: { error: unknown.body.error },
    });
    expect((await acme.admin.call(addUserToAccount, { params })).status).toBe(404);
  });
});

describe('a profile', () => {
  test('a profile that an administrator enters is shown only in this account, and the user’s own profile in every other account', async () => {
    const shared = await member(acme);
    const params = { email: shared.user.email };
    const [third, seenBy] = [
      await tenant(),
      async (of: Tenant) => {
        const { name, phone } = await of.admin.ok(readUser, { params });
        return [name, phone];
      },
    ];
    await joins(shared, globex);
    await joins(shared, third);
    await shared.client.ok(updateUser, { params, body: { name: 'By myself', phone: '+14155550101' } });
    expect(await seenBy(globex)).toEqual(['By myself', '+14155550101']);
    await acme.admin.ok(updateUser, { params, body: { name: 'By acme' } });
    await globex.admin.ok(updateUser, { params, body: { phone: '+14155550166' } });
    expect([await seenBy(acme), await seenBy(globex), await seenBy(third)]).toEqual([
      ['By acme', '+14155550101'],
      ['By myself', '+14155550166'],
      ['By myself', '+14155550101'],
    ]);
    await shared.client.ok(updateUser, { params, body: { name: 'Again', phone: null } });
    expect([await seenBy(acme), await seenBy(globex), await seenBy(third)]).toEqual([
      ['Again', undefined],
      ['Again', '+14155550166'],
      ['Again', undefined],
    ]);
    const fourth = await tenant();
    await joins(shared, fourth);
    expect(await seenBy(fourth)).toEqual(['Again', undefined]);
  });

  test('a member without writeUsers cannot change its own membership', async () => {
    const plain = await member(acme);
    const params = { email: plain.user.email };
    const response = await plain.client.call(updateUser, { params, body: { accountAdmin: true } });
    expect([response.status, response.body.error]).toEqual([403, 'permission_denied']);
  });
});

describe('an administrator of another account cannot take over a user', async () => {
  const victim = await member(acme);
  const params = { email: victim.user.email };
  await acme.admin.ok(createRole, { body: { name: 'Secret role', flatPermissionsList: ['readLeads'] } });
  await acme.admin.ok(setUserRoles, { params, body: { roles: ['Secret role'] } });
  await joins(victim, globex);

  test('the administrator cannot set the password, and sees and replaces only the rules for the administrator’s account', async () => {
    const forced = await globex.admin.call(forceUserPassword, {
      params,
      body: { password: 'taken over by globex' },
    });
    expect([forced.status, forced.body.error]).toEqual([403, 'shared_user']);
    await signIn({ email: victim.user.email, password: memberPassword });
    const rule = { event: 'lead_created' as const, deliveryPref: ['email' as const] };
    const own = [rule, { ...rule, accountId: acme.accountId }];
    await victim.client.ok(setPreferences, { params, body: own });
    const version = async () => (await globex.admin.ok(readPreferences, { params })).version;
    const before = await version();
    const set = await globex.admin.ok(setPreferences, { params, body: [rule] });
    const theirs = [{ ...rule, accountId: globex.accountId }];
    expect([set.data, set.version]).toEqual([theirs, before + 1]);
    expect((await globex.admin.ok(readPreferences, { params })).data).toEqual(theirs);
    expect((await acme.admin.ok(readPreferences, { params })).data).toEqual([own[1]]);
    expect((await victim.client.ok(readPreferences, { params })).data).toEqual([...theirs, ...own]);
    await victim.client.ok(updateUser, { params, body: { name: 'Victim' } });
    await acme.admin.ok(setPreferences, { params, body: [] });
    expect(await version(), 'the version shows no change in another account').toBe(before + 1);
  });

  test('the administrator can deactivate the user only in the administrator’s account', async () => {
    await globex.admin.ok(updateUser, { params, body: { active: false } });
    const elsewhere = client({ ...victim.client.headers, 'x-account-id': globex.accountId });
    expect((await elsewhere.call(readUser, { params })).status).toBe(403);
    await victim.client.ok(readSession);
    expect((await acme.admin.ok(readUser, { params })).active).toBe(true);
    await globex.admin.ok(updateUser, { params, body: { active: true } });
    // A session that the deactivation has ended does not act again.
    expect((await elsewhere.call(readUser, { params })).status).toBe(403);
    await victim.client.ok(readSession);
  });

  test('the administrator does not see the user’s other accounts or the roles in them', async () => {
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

  test('the administrator can remove the user from the administrator’s account, and the user stays in the home account', async () => {
    await globex.admin.ok(removeUserFromAccount, { params: { ...params, accountId: globex.accountId } });
    expect((await globex.admin.call(readUser, { params })).status).toBe(404);
    await acme.admin.ok(readUser, { params });
    expect(await kindsOf(globex)).toContain('user_removed_from_account');
  });
});

describe('an account that created a user and ended the membership', async () => {
  const left = await member(acme);
  const params = { email: left.user.email };
  await joins(left, globex, { accountAdmin: true });
  await acme.admin.ok(deleteUser, { params });
  const elsewhere = client({ ...left.client.headers, 'x-account-id': globex.accountId });

  test('the account has no more rights than others after the user joins again', async () => {
    await joins(left, acme);
    const body = { password: 'taken back by acme' };
    const forced = await acme.admin.call(forceUserPassword, { params, body });
    expect([forced.status, forced.body.error]).toEqual([403, 'shared_user']);
    await acme.admin.ok(updateUser, { params, body: { name: 'Mallory' } });
    expect((await globex.admin.ok(readUser, { params })).name).not.toBe('Mallory');
    await acme.admin.ok(deleteUser, { params });
    await elsewhere.ok(updateUser, { params, body: { name: 'Still myself' } });
  });

  test('the account gets no events about later sign-ins of the user', async () => {
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

test('a member without permission cannot use empty changes to read users or to find out who is a member', async () => {
  const { client: powerless } = await member(acme);
  for (const email of [acme.adminEmail, 'stranger@example.com']) {
    const params = { email };
    const responses = [
      await powerless.call(updateUser, { params, body: {} }),
      await acme.key.call(readPreferences, { params }),
      await powerless.call(readPreferences, { params }),
      await powerless.call(setPreferences, { params, body: [] }),
    ];
    const [first, ...others] = responses.map(({ body }) => body.error);
    expect([first, others]).toEqual(['permission_denied', Array(3).fill('administrator_only')]);
  }
});

describe('a grant', () => {
  test('a user cannot grant permissions that the user does not have', async () => {
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

  test('granting and revoking a role take effect at the next request', async () => {
    const { user, client: theirs } = await member(acme);
    const params = { email: user.email };
    expect((await theirs.call(readUser, { params })).status).toBe(403);
    await acme.admin.ok(createRole, { body: { name: 'Reader', flatPermissionsList: ['readUsers'] } });
    await acme.admin.ok(setUserRoles, { params, body: { roles: ['Reader'] } });
    expect((await theirs.call(readUser, { params })).status).toBe(200);
    await acme.admin.ok(setUserRoles, { params, body: { roles: [] } });
    expect((await theirs.call(readUser, { params })).status).toBe(403);
  });

  test('the last administrator cannot deactivate, demote or remove itself', async () => {
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
  test('a password change ends all sessions of the user except the current session', async () => {
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

  test('a password change does not restore a session that ends at the same time', async () => {
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
    expect(await kindsOf(acme)).toContain('admin_force_set_password');
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

  test('a password reset request has the same response for every email, and a consumer emits an event only for an existing user', async () => {
    const { user } = await member(acme);
    const known = await anybody.call(requestPasswordReset, { body: { email: user.email } });
    const unknown = await anybody.call(requestPasswordReset, { body: { email: 'nobody@example.com' } });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    await drain();
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

  test('POST /auth/logout-all ends only the sessions of the calling API key, and the key stays valid', async () => {
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
  test('the user reads and sets all notification preferences, and an administrator those for the account', async () => {
    const one = await member(acme);
    const { user, client: theirs } = one;
    const params = { email: user.email };
    const body = [
      { event: 'lead_created' as const, deliveryPref: ['email' as const] },
      { event: 'lead_created' as const, accountId: acme.accountId, deliveryPref: [] },
    ];
    await theirs.ok(setPreferences, { params, body });
    expect((await acme.admin.ok(readPreferences, { params })).data).toEqual(body.slice(1));
    const { notificationPreferences } = await acme.admin.ok(readUser, { params });
    expect(notificationPreferences).toEqual({ [acme.accountId]: { lead_created: [] } });
    await joins(one, globex);
    const theirRule = {
      event: 'lead_created' as const,
      accountId: globex.accountId,
      deliveryPref: ['sms' as const],
    };
    await theirs.ok(setPreferences, { params, body: [...body, theirRule] });
    expect((await acme.admin.ok(readPreferences, { params })).data).toEqual(body.slice(1));
    await acme.admin.ok(setPreferences, { params, body: [] });
    expect((await theirs.ok(readPreferences, { params })).data).toEqual([...body.slice(0, 1), theirRule]);
    const { data: events } = await acme.admin.ok(listEvents, {
      query: { kind: 'user_account_settings_updated' },
    });
    expect(JSON.stringify(events)).not.toContain(globex.accountId);
    const theirEvents = events.filter(({ subject }) => subject.id === user.id);
    expect(JSON.stringify(theirEvents), 'default rules are hidden').not.toContain('"email"]');
    await globex.admin.ok(deleteUser, { params });
    expect((await theirs.ok(readPreferences, { params })).data).toEqual(body.slice(0, 1));
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
  expect(invited.notificationPreferences).toEqual({ [acme.accountId]: { lead_created: ['website'] } });
});

test('a user removed from the last account is deleted with all sessions, and the email can be used again', async () => {
  const { user, client: theirs } = await member(acme);
  await acme.admin.ok(deleteUser, { params: { email: user.email } });
  expect((await theirs.call(readSession)).status).toBe(401);
  expect((await acme.admin.call(readUser, { params: { email: user.email } })).status).toBe(404);
  expect(await kindsOf(acme)).toEqual(expect.arrayContaining(['user_deleted', 'user_removed_from_account']));
  const again = await acme.admin.ok(createUser, { body: { email: user.email } });
  expect(again.id).not.toBe(user.id);
});

/** An invitation token is valid until the user has a password, the membership is inactive, or its rights grow. */
const password = 'a password of the invited user';
const refused = { status: 400, error: 'token_invalid' };

let invited = 0;
/** Creates a user in acme, and returns the user with its invitation token. */
async function invitation(input: object = {}) {
  invited += 1;
  const email = `invited${invited}@example.com`;
  const user = await acme.admin.ok(createUser, { body: { email, ...input } });
  return { user, params: { email }, token: user.active ? await mailedToken(email, acme) : '' };
}
const takeUp = async (token: string) => {
  const { status, body } = await anybody.call(resetPassword, { body: { token, password } });
  return { status, error: body.error };
};
const reject = async (token: string, email: string) => {
  expect(await takeUp(token)).toEqual(refused);
  expect((await anybody.call(logIn, { body: { email, password } })).status).toBe(401);
};

test('an invitation token is permanently invalid after the user was deactivated', async () => {
  const { token, params } = await invitation();
  await acme.admin.ok(updateUser, { params, body: { active: false } });
  await reject(token, params.email);
  await acme.admin.ok(updateUser, { params, body: { active: true } });
  await reject(token, params.email);
});

test('an invitation is invalid after a newer invitation was created', async () => {
  const { user, token, params } = await invitation();
  await acme.admin.ok(deleteUser, { params });
  const again = await acme.admin.ok(createUser, { body: params });
  expect(again.id).not.toBe(user.id);
  await reject(token, params.email);
  expect((await takeUp(await mailedToken(params.email, acme))).status).toBe(200);
});

test('an invitation is invalid after an administrator set the password', async () => {
  const { token, params } = await invitation();
  await acme.admin.ok(forceUserPassword, { params, body: { password: memberPassword } });
  await reject(token, params.email);
  await signIn({ email: params.email, password: memberPassword });
});

test('an invitation is invalid if the user is deactivated or removed between the read and the write', async () => {
  const [one, other] = [await invitation(), await invitation()];
  beforeNextTransaction(() => acme.admin.ok(updateUser, { params: one.params, body: { active: false } }));
  await reject(one.token, one.params.email);
  beforeNextTransaction(() => acme.admin.ok(deleteUser, { params: other.params }));
  await reject(other.token, other.params.email);
});

test('an inactive user is invited when the user is activated', async () => {
  const { params } = await invitation({ active: false });
  await expect(mailedToken(params.email, acme)).rejects.toThrow('no open invitation');
  await acme.admin.ok(updateUser, { params, body: { active: true } });
  expect((await takeUp(await mailedToken(params.email, acme))).status).toBe(200);
  await signIn({ email: params.email, password });
});

async function storedUser(email: string) {
  const address = await users.addressByEmailAcrossAccounts(email);
  return (address && (await users.find(address))) ?? expect.unreachable();
}

test('a reset token is valid even if the invitation is invalid', async () => {
  const { token, params } = await invitation();
  await acme.admin.ok(updateUser, { params, body: { active: false } });
  await reject(token, params.email);
  expect((await takeUp(await mailedToken(params.email))).status).toBe(200);
  await signIn({ email: params.email, password });
});

test('a reset token is valid for an hour', async () => {
  const { params } = await invitation();
  const stored = await storedUser(params.email);
  const issued = async (milliseconds: number) => {
    const { token, writes } = issueResetToken(stored, new Date(Date.now() - milliseconds));
    await commit({ writes, events: [], deadline: Date.now() + 10_000 });
    return token;
  };
  const [late, intime] = [await issued(3600_000 + 1000), await issued(3600_000 - 60_000)];
  await reject(late, params.email);
  expect((await takeUp(intime)).status).toBe(200);
});

describe('a password that an administrator sets', () => {
  const body = { password: 'set by the administrator at home' };

  test('an administrator can set the password only of a user who is a member of no other account', async () => {
    const shared = await member(acme);
    const params = { email: shared.user.email };
    await joins(shared, globex);
    const response = await acme.admin.call(forceUserPassword, { params, body });
    expect([response.status, response.body.error]).toEqual([403, 'shared_user']);
    await signIn({ email: shared.user.email, password: memberPassword });
    await globex.admin.ok(deleteUser, { params });
    await acme.admin.ok(forceUserPassword, { params, body });
  });

  test('an administrator cannot set the password if the user joins another account between the read and the write', async () => {
    const { user } = await member(acme);
    const params = { email: user.email };
    beforeNextTransaction(() => joins({ user }, globex));
    const response = await acme.admin.call(forceUserPassword, { params, body });
    expect([response.status, response.body.error]).toEqual([403, 'shared_user']);
    await signIn({ email: user.email, password: memberPassword });
  });
});

/** A caller cannot change, remove or assign a user, role or API key with permissions that the caller does not have. */
const initech = await tenant();
const inAnHour = () => new Date(clock.now().getTime() + 3_600_000).toISOString();

const heard = async (...responses: Promise<{ status: number; body: { error: string } }>[]) =>
  (await Promise.all(responses)).map(({ status, body }) => `${status} ${body.error}`);

describe('with writeUsers alone', async () => {
  const clerk = (await member(initech, ['writeUsers', 'readUsers'])).client;
  const strong = await member(initech, ['writeRoles', 'readLeads']);
  const params = { email: strong.user.email };

  test('with writeUsers alone, a caller cannot change, deactivate or remove a member with more permissions', async () => {
    const refused = await heard(
      clerk.call(deleteUser, { params }),
      clerk.call(removeUserFromAccount, { params: { ...params, accountId: initech.accountId } }),
      clerk.call(updateUser, { params, body: { active: false } }),
      clerk.call(updateUser, { params, body: { teamId: null } }),
      clerk.call(setUserPermissions, { params, body: { flatPermissionsList: [] } }),
      clerk.call(setUserRoles, { params, body: { roles: [] } }),
    );
    expect(refused).toEqual(Array(6).fill('403 holds_more'));
    await strong.client.ok(readSession);
  });

  test('with writeUsers alone, a caller cannot activate an inactive member whose roles have more permissions', async () => {
    const body = { name: 'Reader', flatPermissionsList: ['readLeads'] };
    await initech.admin.ok(createRole, { body });
    const { user } = await member(initech, [], { roles: ['Reader'] });
    await initech.admin.ok(updateUser, { params: { email: user.email }, body: { active: false } });
    const refused = clerk.call(updateUser, { params: { email: user.email }, body: { active: true } });
    expect(await heard(refused)).toEqual(['403 holds_more']);
  });

  test('with writeUsers alone, a caller can neither make a member an administrator nor change an administrator', async () => {
    const { user } = await member(initech);
    const globex = await tenant();
    const stranger = await member(globex);
    const admin = { email: initech.adminEmail };
    for (const principal of [clerk, initech.key]) {
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
    const { accounts } = await initech.admin.ok(readUser, { params: { email: user.email } });
    expect(accounts).toMatchObject([{ accountAdmin: false }]);
  });

  test('with writeUsers alone, a caller can change and remove a member who has no more permissions than the caller', async () => {
    const { user } = await member(initech, ['readUsers']);
    const equal = { email: user.email };
    await clerk.ok(updateUser, { params: equal, body: { active: false } });
    await clerk.ok(setUserPermissions, { params: equal, body: { flatPermissionsList: ['writeUsers'] } });
    await clerk.ok(deleteUser, { params: equal });
  });
});

describe('with writeRoles alone', async () => {
  const clerk = (await member(initech, ['writeRoles', 'readRoles'])).client;
  const body = { name: 'Everything', flatPermissionsList: [...allPermissions].sort() };
  const everything = await initech.admin.ok(createRole, { body });
  const params = { id: everything.id };

  test('with writeRoles alone, a caller cannot rename, change or delete a role with more permissions', async () => {
    const refused = await heard(
      clerk.call(updateRole, { params, body: { name: 'Sales agent' } }),
      clerk.call(updateRole, { params, body: { flatPermissionsList: [] } }),
      clerk.call(setRolePermissions, { params, body: { flatPermissionsList: [] } }),
      clerk.call(deleteRole, { params }),
    );
    expect(refused).toEqual(Array(4).fill('403 holds_more'));
    expect(await initech.admin.ok(readRole, { params })).toEqual(everything);
  });

  test('with writeRoles alone, a caller can create, rename, change and delete a role that has no more permissions than the caller', async () => {
    const made = await clerk.ok(createRole, { body: { name: 'Mine', flatPermissionsList: ['readRoles'] } });
    const mine = { id: made.id };
    await clerk.ok(updateRole, { params: mine, body: { name: 'Still mine' } });
    await clerk.ok(setRolePermissions, { params: mine, body: { flatPermissionsList: ['writeRoles'] } });
    await clerk.ok(deleteRole, { params: mine });
  });
});

describe('with writeApiKeys alone', async () => {
  const clerk = (await member(initech, ['writeApiKeys', 'readApiKeys'])).client;
  const keyOf = async (fields: object) => {
    const key = await initech.admin.ok(createApiKey, { body: { description: 'For one test', ...fields } });
    const own = client({ 'x-api-key': key.apiKey, 'x-api-secret': key.apiSecret });
    return { params: { id: String(key.id) }, own };
  };

  test('with writeApiKeys alone, a caller cannot change or delete a key with more permissions, even if the key has expired', async () => {
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

  test('with writeApiKeys alone, a key can change its own description, but not its own expiresAt', async () => {
    const { params, own } = await keyOf({ flatPermissionsList: ['writeApiKeys'], expiresAt: inAnHour() });
    for (const expiresAt of [null, '', '2099-01-01T00:00:00Z', inAnHour()])
      expect(await heard(own.call(updateApiKey, { params, body: { expiresAt } }))).toEqual([
        '403 own_expiry',
      ]);
    await own.ok(updateApiKey, { params, body: { description: 'Renamed by itself' } });
    await initech.admin.ok(updateApiKey, { params, body: { expiresAt: null } });
  });

  test('with writeApiKeys alone, a caller can change and delete a key that has no more permissions than the caller', async () => {
    const { params } = await keyOf({ flatPermissionsList: ['readApiKeys'] });
    await clerk.ok(updateApiKey, { params, body: { expiresAt: inAnHour() } });
    await clerk.ok(deleteApiKey, { params });
  });
});

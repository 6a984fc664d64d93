import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import changePassword from '../../functions/auth/change-password.ts';
import logOut from '../../functions/auth/log-out.ts';
import logOutEverywhere from '../../functions/auth/log-out-everywhere.ts';
import readSession from '../../functions/auth/read-session.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import endImpersonation from '../../functions/users/end-impersonation.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import listImpersonations from '../../functions/users/list-impersonations.ts';
import updateUser from '../../functions/users/update-user.ts';
import { resetUser } from '../../infra/operations/reset-user.ts';
import { logged } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { joins, type Member, mailedToken, member, memberPassword, provesAgain } from '../harness/member.ts';
import type { Client, Tenant } from '../harness/tenant.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';
import { actingAs, reason } from './acting-as.ts';

const acme = await tenant();
const other = await tenant();
const params = (email: string) => ({ params: { email } });
const lead = { firstName: 'Ada', lastName: 'Byron' };
const agent = () => member(acme, ['readLeads', 'writeLeads', 'readApplications', 'writeApplications']);

/** An administrator of the account with a session of their own. */
async function anotherAdministrator(of: Tenant): Promise<Tenant & { person: Member }> {
  const person = await member(of);
  await of.admin.ok(updateUser, { ...params(person.user.email), body: { accountAdmin: true } });
  return { ...of, person, admin: person.client, adminEmail: person.user.email };
}

const statusOf = async (session: Client) => (await session.call(listLeads)).status;

afterEach(clock.reset);

describe('who may impersonate whom', () => {
  const attempt = async (caller: Client, email: string) => {
    const { status, body } = await caller.call(impersonateUser, { ...params(email), body: { reason } });
    return `${status} ${(body as { error?: string }).error}`;
  };

  test('an API key, its session and a user with all permissions but no administrator cannot impersonate', async () => {
    const { user } = await agent();
    const powerful = await member(acme, ['readUsers', 'writeUsers', 'readLeads', 'writeLeads']);
    for (const caller of [acme.key, acme.directKey, powerful.client])
      expect(await attempt(caller, user.email)).toBe('403 administrator_only');
  });

  test('an administrator, the caller and a user who is not active cannot be impersonated', async () => {
    const second = await anotherAdministrator(acme);
    const inactive = await agent();
    await acme.admin.ok(updateUser, { ...params(inactive.user.email), body: { active: false } });
    for (const email of [second.adminEmail, acme.adminEmail, inactive.user.email])
      expect(await attempt(acme.admin, email)).toBe('403 not_impersonable');
  });

  test('a user of another account is not found', async () => {
    const { user } = await member(other);
    expect(await attempt(acme.admin, user.email)).toBe('404 not_found');
  });

  test('an impersonated session cannot impersonate', async () => {
    const { user } = await agent();
    const third = await agent();
    const session = await actingAs(acme, user.email, { write: true });
    expect(await attempt(session, third.user.email)).toBe('403 not_while_impersonating');
  });

  test('a reason is required', async () => {
    const { user } = await agent();
    const { status } = await acme.admin.call(impersonateUser, { ...params(user.email), rawBody: '{}' });
    expect(status).toBe(400);
  });

  test('an account can forbid impersonation, which also ends open impersonations', async () => {
    const own = await tenant();
    const { user } = await member(own, ['readLeads']);
    const session = await actingAs(own, user.email);
    const forbid = (impersonationForbidden: boolean) =>
      own.admin.ok(updateAccount, { params: { id: own.accountId }, body: { impersonationForbidden } });
    await forbid(true);
    expect(await statusOf(session)).toBe(401);
    expect(await attempt(own.admin, user.email)).toBe('403 impersonation_forbidden');
    await forbid(false);
    expect(await attempt(own.admin, user.email)).toBe('201 undefined');
  });
});

describe('an impersonated session', () => {
  test('a read-only session reads with the user’s permissions and changes nothing', async () => {
    const { user } = await agent();
    const { id } = await acme.admin.ok(createLead, { body: lead });
    const session = await actingAs(acme, user.email);
    expect(await session.ok(readLead, { params: { leadId: id } })).toMatchObject(lead);
    for (const query of [{}, { dryRun: true }]) {
      const denied = await session.call(createLead, { body: lead, query });
      expect([denied.status, (denied.body as unknown as { error: string }).error]).toEqual([
        403,
        'impersonation_read_only',
      ]);
    }
    const powerless = await member(acme, []);
    expect(await statusOf(await actingAs(acme, powerless.user.email))).toBe(403);
  });

  test('a session is valid only in the account of the administrator, also if the user has other accounts', async () => {
    const person = await agent();
    await joins(person, other, { accountAdmin: true });
    const session = await actingAs(acme, person.user.email, { write: true });
    const foreign = { headers: { 'x-account-id': other.accountId } };
    expect((await session.call(listLeads, foreign)).body).toMatchObject({ error: 'account_forbidden' });
    const { authorization = '' } = session.headers;
    const withoutAccount = client({ authorization });
    await withoutAccount.ok(createLead, { body: lead });
    const { accounts, primaryAccount, impersonation } = await session.ok(readSession);
    expect(accounts.map(({ accountId }) => accountId)).toEqual([acme.accountId]);
    expect(primaryAccount?.accountId).toBe(acme.accountId);
    expect(impersonation).toMatchObject({ by: acme.adminEmail, write: true });
    expect(await session.ok(listAccounts)).toMatchObject({ totalCount: 1, invitations: [] });
    expect((await person.client.ok(listAccounts)).totalCount).toBe(2);
  });

  test('events, audit entries and log lines name both people, and records name the user', async () => {
    const { user } = await agent();
    const session = await actingAs(acme, user.email, { write: true });
    logged.length = 0;
    const { id, createdBy } = await session.ok(createLead, { body: lead });
    await session.ok(updateLead, { params: { leadId: id }, body: { notes: 'Called' } });
    expect(createdBy).toBe(user.email);
    await drain();
    const { updatedBy, auditLog } = await acme.admin.ok(readLead, { params: { leadId: id } });
    expect(updatedBy).toBe(user.email);
    expect(auditLog).toHaveLength(2);
    for (const entry of auditLog ?? [])
      expect(entry).toMatchObject({ user: user.email, apiKey: null, impersonatedBy: acme.adminEmail });
    const { data } = await acme.admin.ok(listEvents, { query: { kind: 'lead_updated', pageSize: 1 } });
    expect(data[0]?.actor).toEqual({ user: user.email, apiKey: null, impersonatedBy: acme.adminEmail });
    const [line] = logged.map((text) => JSON.parse(text)).filter(({ route }) => route === 'POST /leads');
    expect(line).toMatchObject({
      principal: `user:${user.id}`,
      impersonatedBy: expect.stringMatching(/^user:/),
    });
  });

  test('events of the user’s own session do not name an administrator', async () => {
    const { client: own } = await agent();
    const { id } = await own.ok(createLead, { body: lead });
    const { data } = await acme.admin.ok(listEvents, { query: { kind: 'lead_created', pageSize: 1 } });
    expect(data[0]).toMatchObject({ subject: { id } });
    expect(Object.keys(data[0]?.actor ?? {})).toEqual(['user', 'apiKey']);
  });

  test('the response of a creation does not show the appKey', async () => {
    const { user } = await agent();
    const session = await actingAs(acme, user.email, { write: true });
    expect((await session.ok(createApplication)).system.appKey).toBe('REDACTED');
  });
});

describe('the record of an impersonation', () => {
  let person: Member;
  beforeAll(async () => {
    person = await agent();
    await actingAs(acme, person.user.email, { write: true });
  });

  test('the event contains reason, end and kind of access', async () => {
    const { data } = await acme.admin.ok(listEvents, { query: { kind: 'user_impersonated', pageSize: 1 } });
    expect(data[0]).toMatchObject({
      actor: { user: acme.adminEmail },
      subject: { type: 'user', id: person.user.id },
      data: { reason, write: true, expiresAt: expect.any(String) },
    });
  });

  test('the user and administrators see it, and other users do not', async () => {
    const mine = await person.client.ok(listImpersonations, params(person.user.email));
    expect(mine.data).toMatchObject([{ reason, write: true, createdBy: acme.adminEmail }]);
    expect(await acme.admin.ok(listImpersonations, params(person.user.email))).toEqual(mine);
    const stranger = await member(acme, ['readUsers', 'writeUsers']);
    expect((await stranger.client.call(listImpersonations, params(person.user.email))).status).toBe(403);
  });

  test('a repeated request with the same Idempotency-Key shows no token', async () => {
    const { user } = await agent();
    const sent = { ...params(user.email), body: { reason }, headers: { 'idempotency-key': 'once' } };
    const { token } = await acme.admin.ok(impersonateUser, sent);
    expect(token).toMatch(/^ey/);
    expect((await acme.admin.ok(impersonateUser, sent)).token).toBe('REDACTED');
    expect((await acme.admin.ok(listImpersonations, params(user.email))).totalCount).toBe(1);
  });
});

describe('the end of an impersonation', () => {
  /** A session of an administrator who is not the account's first one, so that the test can change them. */
  const begun = async () => {
    const by = await anotherAdministrator(acme);
    const person = await agent();
    const session = await actingAs(by, person.user.email, { write: true });
    expect(await statusOf(session)).toBe(200);
    return { by, person, session };
  };
  type Begun = Awaited<ReturnType<typeof begun>>;
  const newPassword = 'a new password after the impersonation began';
  const changesPassword = (session: Client) =>
    session.ok(changePassword, { body: { currentPassword: memberPassword, newPassword } });
  const resetsPassword = async (email: string) =>
    client({}).ok(resetPassword, { body: { token: await mailedToken(email), password: newPassword } });

  const ways: [way: string, end: (begun: Begun) => unknown][] = [
    ['30 minutes are over', () => clock.advance(30 * 60_000)],
    ['the session logs out', ({ session }) => session.ok(logOut)],
    [
      'the administrator ends it',
      ({ by, person }) => by.admin.ok(endImpersonation, params(person.user.email)),
    ],
    [
      'another administrator ends it',
      ({ person }) => acme.admin.ok(endImpersonation, params(person.user.email)),
    ],
    ['the user ends it', ({ person }) => person.client.ok(endImpersonation, params(person.user.email))],
    ['the user ends all own sessions', ({ person }) => person.client.ok(logOutEverywhere)],
    ['the administrator logs out', ({ by }) => by.admin.ok(logOut)],
    ['the administrator ends all own sessions', ({ by }) => by.admin.ok(logOutEverywhere)],
    [
      'the administrator is deactivated',
      ({ by }) => acme.admin.ok(updateUser, { ...params(by.adminEmail), body: { active: false } }),
    ],
    [
      'the administrator is no longer one',
      ({ by }) => acme.admin.ok(updateUser, { ...params(by.adminEmail), body: { accountAdmin: false } }),
    ],
    ['the user changes the password', ({ person }) => changesPassword(person.client)],
    ['the user sets a new password with a token', ({ person }) => resetsPassword(person.user.email)],
    [
      'the administrator changes the password in another session',
      async ({ by }) => {
        const authorization = await signIn({ email: by.adminEmail, password: memberPassword });
        await changesPassword(client({ authorization }));
      },
    ],
    ['the administrator sets a new password with a token', ({ by }) => resetsPassword(by.adminEmail)],
    [
      'the password of the user is forced',
      ({ person }) =>
        acme.admin.ok(forceUserPassword, {
          ...params(person.user.email),
          body: { password: 'forced by an administrator' },
        }),
    ],
    [
      'the user accepts an invitation with a new password',
      async ({ person: { user } }) => {
        await other.admin.ok(addUserToAccount, { ...params(user.email), body: {} });
        const body = { token: await mailedToken(user.email, other), password: 'set with an invitation' };
        const { accountId } = other;
        await client({}).ok(acceptMembership, { params: { email: user.email, accountId }, body });
      },
    ],
    ['an operator resets the user', ({ person }) => resetUser(person.user.email)],
    ['the administrator is removed', ({ by }) => acme.admin.ok(deleteUser, params(by.adminEmail))],
    [
      'the user is deactivated',
      ({ person }) => acme.admin.ok(updateUser, { ...params(person.user.email), body: { active: false } }),
    ],
    ['the user is removed', ({ person }) => acme.admin.ok(deleteUser, params(person.user.email))],
    [
      'the user becomes an administrator',
      ({ person }) =>
        acme.admin.ok(updateUser, { ...params(person.user.email), body: { accountAdmin: true } }),
    ],
  ];

  test.each(ways)('it ends at once if %s', async (_, end) => {
    const started = await begun();
    await end(started);
    expect(await statusOf(started.session)).toBe(401);
  });

  test('an end is recorded, and a second end changes nothing', async () => {
    const { by, person, session } = await begun();
    await session.ok(logOut);
    const [ended] = (await by.admin.ok(listImpersonations, params(person.user.email))).data;
    expect(ended).toMatchObject({ endedAt: expect.any(String), updatedBy: person.user.email });
    expect(await by.admin.ok(endImpersonation, params(person.user.email))).toEqual({ ended: 0 });
  });

  const shownAsEnded = async (email: string) =>
    (await acme.admin.ok(listImpersonations, params(email))).data.every(({ endedAt }) => endedAt);

  test.each(ways.filter(([way]) => way !== '30 minutes are over' && !way.includes('removed')))(
    'its record shows the end if %s',
    async (_, end) => {
      const started = await begun();
      await end(started);
      expect(await shownAsEnded(started.person.user.email)).toBe(true);
    },
  );

  test.each<[string, (begun: Begun, value: boolean) => unknown]>([
    [
      'the administrator is demoted and promoted again',
      ({ by }, accountAdmin) =>
        acme.admin.ok(updateUser, { ...params(by.adminEmail), body: { accountAdmin } }),
    ],
    [
      'the administrator is deactivated and activated again',
      ({ by }, active) => acme.admin.ok(updateUser, { ...params(by.adminEmail), body: { active } }),
    ],
    [
      'the user is deactivated and activated again',
      ({ person }, active) => acme.admin.ok(updateUser, { ...params(person.user.email), body: { active } }),
    ],
    [
      'the account forbids impersonation and allows it again',
      (_, impersonationForbidden) =>
        acme.admin.ok(updateAccount, {
          params: { id: acme.accountId },
          body: { impersonationForbidden: !impersonationForbidden },
        }),
    ],
  ])('it does not continue if %s', async (_, set) => {
    const started = await begun();
    await set(started, false);
    await set(started, true);
    expect(await statusOf(started.session)).toBe(401);
    expect(await shownAsEnded(started.person.user.email)).toBe(true);
  });

  test('of 26 concurrent beginnings at most 20 succeed, and one call ends them all', async () => {
    const person = await agent();
    const begin = () => acme.admin.call(impersonateUser, { ...params(person.user.email), body: { reason } });
    const responses = await Promise.all(Array.from({ length: 26 }, begin));
    // On a slow machine, some requests fail with 503, because they conflict for too long.
    for (let n = 0; n < 20; n++) responses.push(await begin());
    const tokens = responses.flatMap(({ status, body }) => (status === 201 ? [body.token] : []));
    expect(responses.at(-1)?.body).toMatchObject({ error: 'quota_exceeded' });
    expect(tokens).toHaveLength(20);
    expect(await acme.admin.ok(endImpersonation, params(person.user.email))).toEqual({ ended: 20 });
    for (const token of tokens) {
      const session = client({ 'x-account-id': acme.accountId, authorization: `Bearer ${token}` });
      expect(await statusOf(session)).toBe(401);
    }
    expect(await shownAsEnded(person.user.email)).toBe(true);
    expect((await begin()).status).toBe(201);
  }, 120_000);

  test('a user and an administrator with as many open impersonations as the limits allow can be deleted', async () => {
    const by = await anotherAdministrator(acme);
    const people = await Promise.all([agent(), agent(), agent(), agent()]);
    const begin = async (email: string) => {
      const { status, body } = await by.admin.call(impersonateUser, { ...params(email), body: { reason } });
      return status === 201 ? body.token : undefined;
    };
    const tokens: string[] = [];
    clock.advance(60 * 60_000);
    await provesAgain(by.admin);
    for (const { user } of people)
      for (let n = 0; n < 20; n += 1) tokens.push((await begin(user.email)) ?? expect.unreachable());
    const [first] = people;
    expect(await begin((await agent()).user.email)).toBeUndefined();
    await acme.admin.ok(deleteUser, params(first?.user.email ?? ''));
    await acme.admin.ok(deleteUser, params(by.adminEmail));
    for (const token of tokens) {
      const session = client({ 'x-account-id': acme.accountId, authorization: `Bearer ${token}` });
      expect(await statusOf(session)).toBe(401);
    }
    const left = people.slice(1).map(({ user }) => shownAsEnded(user.email));
    expect(await Promise.all(left)).toEqual([true, true, true]);
  }, 120_000);

  test('an administrator who changes the password keeps only the impersonations of this session', async () => {
    const { by, person, session } = await begun();
    const authorization = await signIn({ email: by.adminEmail, password: memberPassword });
    const second = await agent();
    const elsewhere = client({ 'x-account-id': acme.accountId, authorization });
    await elsewhere.ok(impersonateUser, { ...params(second.user.email), body: { reason } });
    await changesPassword(by.admin);
    expect(await statusOf(session)).toBe(200);
    expect([await shownAsEnded(person.user.email), await shownAsEnded(second.user.email)]).toEqual([
      false,
      true,
    ]);
  });

  test('the user’s own sessions continue', async () => {
    const { by, person } = await begun();
    await by.admin.ok(endImpersonation, params(person.user.email));
    expect(await statusOf(person.client)).toBe(200);
    const own = await signIn({ email: person.user.email, password: memberPassword });
    expect(await statusOf(client({ 'x-account-id': acme.accountId, authorization: own }))).toBe(200);
  });

  test('one call ends all open impersonations of a user', async () => {
    const { by, person, session } = await begun();
    const second = await actingAs(acme, person.user.email);
    expect(await by.admin.ok(endImpersonation, params(person.user.email))).toEqual({ ended: 2 });
    expect([await statusOf(session), await statusOf(second)]).toEqual([401, 401]);
  });
});

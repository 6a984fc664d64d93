import { describe, expect, test } from 'vitest';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import readSession from '../../functions/auth/read-session.ts';
import listEvents from '../../functions/events/list-events.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import updateLeadRotation from '../../functions/lead-rotations/update-lead-rotation.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import updateLeadSource from '../../functions/lead-sources/update-lead-source.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createRole from '../../functions/roles/create-role.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import leaveAccount from '../../functions/users/leave-account.ts';
import listUsers from '../../functions/users/list-users.ts';
import readUser from '../../functions/users/read-user.ts';
import removeUserFromAccount from '../../functions/users/remove-user-from-account.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import { measure } from '../costs/meter.ts';
import { concurrently } from '../harness/concurrently.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { joins, type Member, mailedToken, member, memberPassword } from '../harness/member.ts';
import { eventsAbout, storedEvents } from '../harness/raw-table.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';

const [acme, globex] = [await tenant(), await tenant()];
const lead = { firstName: 'Ada', lastName: 'Byron' };

/** Creates a member of acme with a complete profile. Then globex invites the member. */
async function guest(access: { accountAdmin?: boolean; roles?: string[] } = {}) {
  const profile = { name: 'Grace Hopper', phone: '+14155550134', imgSrc: 'https://example.com/grace.png' };
  const preference = { event: 'lead_created' as const, deliveryPref: ['sms' as const] };
  const one = await member(acme, [], { ...profile, notificationPreferences: [preference] });
  const params = { email: one.user.email };
  const seen = await globex.admin.ok(addUserToAccount, { params, body: access });
  return { ...one, params, seen, own: { params: { ...params, accountId: globex.accountId } } };
}
const inGlobex = ({ client: theirs }: Member) =>
  client({ ...theirs.headers, 'x-account-id': globex.accountId });
const anybody = client({});
/** Accepts the invitation to globex with the mailed token. */
const accept = async ({ params: { email } }: { params: { email: string } }, of: Tenant = globex) =>
  anybody.ok(acceptMembership, {
    params: { email, accountId: of.accountId },
    body: { token: await mailedToken(email, of) },
  });
const refused = async (response: Promise<{ status: number; body: { error: string } }>) => {
  const { status, body } = await response;
  return `${status} ${body.error}`;
};

describe('an invited user', () => {
  test('until an invited user accepts, the account sees only the user’s email and the fields that the account set', async () => {
    await globex.admin.ok(createRole, { body: { name: 'Agent', flatPermissionsList: ['readTeams'] } });
    const team = await globex.admin.ok(createTeam, { body: { name: 'West' } });
    const one = await guest({ accountAdmin: true, roles: ['Agent'] });
    await globex.admin.ok(updateUser, { params: one.params, body: { teamId: team.id } });
    const read = await globex.admin.ok(readUser, { params: one.params });
    expect(read).toMatchObject({
      invited: true,
      email: one.user.email,
      teamId: team.id,
      flatRolesList: ['Agent'],
      notificationPreferences: {},
      accounts: [{ accountId: globex.accountId, usersPrimaryAccount: false, accountAdmin: true }],
    });
    const { data } = await globex.admin.ok(listUsers, { query: { invited: true, email: one.user.email } });
    expect(data).toHaveLength(1);
    const { data: events } = await globex.admin.ok(listEvents, { query: { subjectId: one.user.id } });
    const everything = JSON.stringify([one.seen, read, data, events]);
    for (const secret of ['Grace Hopper', '555 0100', 'grace.png', 'sms', acme.accountId])
      expect(everything).not.toContain(secret);
  });

  test('until an invited user accepts, the user has no access to the account, and the session does not list the account', async () => {
    const one = await guest({ accountAdmin: true });
    const there = inGlobex(one);
    expect(await refused(there.call(listTeams))).toBe('403 account_forbidden');
    const { accounts } = await one.client.ok(readSession);
    expect(accounts.map(({ accountId }) => accountId)).toEqual([acme.accountId]);
    await accept(one);
    await there.ok(listTeams);
    const after = await one.client.ok(readSession);
    expect(after.accounts.map(({ accountId }) => accountId)).toEqual([acme.accountId, globex.accountId]);
  });

  test('GET /accounts lists an invitation until the user accepts it', async () => {
    const one = await guest();
    const { accountName: _, ...invitation } = (await one.client.ok(listAccounts)).invitations[0] ?? {};
    expect(invitation).toEqual({
      accountId: globex.accountId,
      accountAdmin: false,
      invitedBy: globex.adminEmail,
      invitedAt: expect.any(String),
    });
    await accept(one);
    expect(await one.client.ok(listAccounts)).toMatchObject({ totalCount: 2, invitations: [] });
  });

  test('until an invited user accepts, the user cannot be assigned directly or by rotation', async () => {
    const initech = await tenant();
    const one = await member(acme);
    const params = { email: one.user.email };
    await initech.admin.ok(addUserToAccount, { params, body: {} });
    const { id } = await initech.admin.ok(createLead, { body: lead });
    const assignedTo = one.user.email;
    const attempts = () => [
      initech.admin.call(createLead, { body: { ...lead, assignedTo } }),
      initech.admin.call(assignLead, { params: { leadId: id }, body: { assignedTo } }),
      initech.admin.call(updateLead, { params: { leadId: id }, body: { assignedTo: String(one.user.id) } }),
    ];
    for (const attempt of attempts()) expect(await refused(attempt)).toBe('400 user_unknown');
    await initech.admin.ok(createLeadRotation, {
      body: { name: 'One', userRotationArray: [{ userId: assignedTo, weight: 1 }], currentPosition: 0 },
    });
    expect((await initech.admin.ok(createLead, { body: lead })).assignedTo).toBeUndefined();
    await accept({ params }, initech);
    expect((await initech.admin.ok(createLead, { body: lead })).assignedTo).toBe(String(one.user.id));
    for (const attempt of attempts()) expect((await attempt).status).toBeLessThan(300);
  });

  test('after an invited user accepts, the account sees the profile and its changes', async () => {
    const one = await guest();
    await one.client.ok(updateUser, { params: one.params, body: { name: 'Before' } });
    expect((await globex.admin.ok(readUser, { params: one.params })).name).toBeUndefined();
    expect(await accept(one)).toEqual({
      accountId: globex.accountId,
      accountName: expect.any(String),
      usersPrimaryAccount: false,
      accountAdmin: false,
    });
    expect(await globex.admin.ok(readUser, { params: one.params })).toMatchObject({
      invited: false,
      name: 'Before',
      phone: '+14155550134',
    });
    await one.client.ok(updateUser, { params: one.params, body: { name: 'After' } });
    expect((await globex.admin.ok(readUser, { params: one.params })).name).toBe('After');
  });

  test('concurrent acceptances of an invitation have the effect of a single acceptance', async () => {
    const one = await guest();
    const body = { token: await mailedToken(one.params.email, globex) };
    const responses = await concurrently(5, () => anybody.call(acceptMembership, { ...one.own, body }));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    const kinds = (await eventsAbout(globex.accountId, one.user.id)).map(({ kind }) => kind);
    expect(kinds).toEqual(['user_added_to_account', 'user_updated']);
  });

  test('an invited user can decline and be invited again', async () => {
    const one = await guest();
    const invite = { params: one.params, body: {} };
    expect(await refused(globex.admin.call(addUserToAccount, invite))).toBe('400 already_member');
    const body = { token: await mailedToken(one.params.email, globex) };
    await one.client.ok(leaveAccount, one.own);
    expect((await globex.admin.call(readUser, { params: one.params })).status).toBe(404);
    expect((await one.client.ok(listAccounts)).invitations).toEqual([]);
    const declined = () => refused(anybody.call(acceptMembership, { ...one.own, body }));
    expect(await declined()).toBe('400 token_invalid');
    await one.client.ok(readSession);
    await globex.admin.ok(addUserToAccount, invite);
    expect(await declined(), 'the token of the first invitation').toBe('400 token_invalid');
    await accept(one);
  });

  test('an invitation that is withdrawn while the user accepts it cannot be accepted', async () => {
    const one = await guest();
    const body = { token: await mailedToken(one.params.email, globex) };
    beforeNextTransaction(() =>
      globex.admin.ok(removeUserFromAccount, { params: { ...one.params, accountId: globex.accountId } }),
    );
    expect(await refused(anybody.call(acceptMembership, { ...one.own, body }))).toBe('400 token_invalid');
    expect(await one.client.ok(listAccounts)).toMatchObject({ totalCount: 1, invitations: [] });
  });

  test('an invited user gets the access that the account set before the acceptance', async () => {
    const one = await guest();
    await globex.admin.ok(updateUser, { params: one.params, body: { accountAdmin: true } });
    expect(await accept(one)).toMatchObject({ accountAdmin: true });
    const { user } = await member(globex);
    await inGlobex(one).ok(updateUser, { params: { email: user.email }, body: { active: false } });
  });
});

describe('a membership', () => {
  test('only the user of a membership can decline or leave it', async () => {
    const one = await guest();
    const other = await member(globex);
    expect(await refused(globex.admin.call(leaveAccount, one.own))).toBe('404 not_found');
    expect(await refused(acme.admin.call(leaveAccount, one.own))).toBe('404 not_found');
    expect(await refused(other.client.call(leaveAccount, one.own))).toBe('404 not_found');
    expect(await refused(globex.key.call(leaveAccount, one.own))).toBe('403 users_only');
    expect((await one.client.ok(listAccounts)).invitations).toHaveLength(1);
  });

  test('a membership stored without the field invited counts as accepted', async () => {
    const { user, client: theirs } = await member(acme, ['readTeams']);
    const stored = await memberships.get(acme.accountId, user.id);
    expect(Object.keys(stored)).not.toContain('invited');
    await theirs.ok(listTeams);
    expect((await acme.admin.ok(readUser, { params: { email: user.email } })).invited).toBe(false);
  });

  test('a user who leaves an account keeps all other memberships, and the account logs an event', async () => {
    const one = await guest();
    await accept(one);
    const left = await one.client.ok(leaveAccount, one.own);
    expect(left.accountId).toBe(globex.accountId);
    expect(await refused(inGlobex(one).call(listTeams))).toBe('403 account_forbidden');
    await one.client.ok(readSession);
    const { data } = await globex.admin.ok(listEvents, { query: { subjectId: one.user.id } });
    expect(data[0]).toMatchObject({ kind: 'user_removed_from_account', actor: { user: one.user.email } });
  });

  test('a user who leaves its last account is deleted', async () => {
    const one = await member(acme);
    const params = { email: one.user.email };
    await one.client.ok(leaveAccount, { params: { ...params, accountId: acme.accountId } });
    expect((await one.client.call(readSession)).status).toBe(401);
    expect((await acme.admin.call(readUser, { params })).status).toBe(404);
  });

  test('a user who is removed from the last account is not deleted while an invitation to another account is open', async () => {
    const one = await guest();
    await acme.admin.ok(deleteUser, { params: one.params });
    const session = await one.client.ok(readSession);
    expect(session).toMatchObject({ accounts: [], flatPermissionsList: [] });
    expect(session.primaryAccount).toBeUndefined();
    const countEvents = async () =>
      [...(await storedEvents(acme.accountId)), ...(await storedEvents(globex.accountId))].length;
    const before = await countEvents();
    const authorization = await signIn({ email: one.user.email, password: memberPassword });
    expect(await countEvents(), 'an account sees no sign-ins of other users').toBe(before);
    await accept(one);
    await globex.admin.ok(deleteUser, { params: one.params });
    expect((await client({ authorization }).call(readSession)).status).toBe(401);
    const address = { id: one.user.id, home: acme.accountId };
    expect(await users.find(address)).toBeUndefined();
  });
});

/** Creates a tenant with a second administrator. */
async function twoAdministrators(): Promise<{ of: Tenant; second: Member }> {
  const of = await tenant();
  const second = await member(of);
  await of.admin.ok(updateUser, { params: { email: second.user.email }, body: { accountAdmin: true } });
  return { of, second };
}
const administratorsOf = async ({ accountId }: Tenant) =>
  (await memberships.newest(accountId, 100)).filter(
    ({ accountAdmin, active, invited }) => accountAdmin && active && !invited,
  );

describe('the last administrator of an account', () => {
  test('the last administrator of an account cannot leave until the account has another active administrator', async () => {
    const of = await tenant();
    const params = { email: of.adminEmail, accountId: of.accountId };
    await member(of);
    await of.admin.ok(addUserToAccount, { params: { email: acme.adminEmail }, body: { accountAdmin: true } });
    const inactive = await member(of);
    await of.admin.ok(updateUser, {
      params: { email: inactive.user.email },
      body: { accountAdmin: true, active: false },
    });
    expect(await refused(of.admin.call(leaveAccount, { params }))).toBe('400 last_administrator');
    await of.admin.ok(updateUser, { params: { email: inactive.user.email }, body: { active: true } });
    await of.admin.ok(leaveAccount, { params });
    expect(await administratorsOf(of)).toHaveLength(1);
  });

  type Side = [by: Member, whom: string];
  const ways: Record<string, (side: Side, of: Tenant) => Promise<{ status: number }>> = {
    'deactivate the other': ([by, email]) =>
      by.client.call(updateUser, { params: { email }, body: { active: false } }),
    'remove the other': ([by, email]) => by.client.call(deleteUser, { params: { email } }),
    'demote the other': ([by, email]) =>
      by.client.call(updateUser, { params: { email }, body: { accountAdmin: false } }),
    leave: ([by], { accountId }) =>
      by.client.call(leaveAccount, { params: { email: by.user.email, accountId } }),
  };
  const pairs = [
    ['deactivate the other', 'deactivate the other'],
    ['remove the other', 'remove the other'],
    ['demote the other', 'remove the other'],
    ['demote the other', 'demote the other'],
    ['leave', 'leave'],
    ['deactivate the other', 'leave'],
  ];
  test.each(pairs)(
    'an account keeps an administrator if its two administrators send “%s” and “%s” at the same time',
    async (one = '', other = '') => {
      const { of, second } = await twoAdministrators();
      const user = await of.admin.ok(readUser, { params: { email: of.adminEmail } });
      injectFaults({ overlap: true });
      const responses = await Promise.all([
        ways[one]?.([{ user, client: of.admin }, second.user.email], of),
        ways[other]?.([second, of.adminEmail], of),
      ]);
      noFaults();
      expect(responses.map((response) => response?.status)).toContain(200);
      expect((await administratorsOf(of)).length).toBeGreaterThanOrEqual(1);
    },
  );

  test('an account keeps an administrator if the other administrator is demoted between the read and the write', async () => {
    const { of, second } = await twoAdministrators();
    const [first, other] = [{ email: of.adminEmail }, { email: second.user.email }];
    const setAdmin = (accountAdmin: boolean) =>
      of.admin.ok(updateUser, { params: other, body: { accountAdmin } });
    for (const goes of [
      () => of.admin.call(leaveAccount, { params: { ...first, accountId: of.accountId } }),
      () => second.client.call(deleteUser, { params: first }),
      () => second.client.call(updateUser, { params: first, body: { active: false } }),
    ]) {
      beforeNextTransaction(() => setAdmin(false));
      expect(await refused(goes())).toMatch(/^(400 last_administrator|403 administrator_only)$/);
      expect(await administratorsOf(of)).toHaveLength(1);
      await setAdmin(true);
    }
  });
});

test('a deactivated member keeps existing assignments, but gets no new assignment', async () => {
  const { user } = await member(acme);
  const assignedTo = user.email;
  const { id } = await acme.admin.ok(createLead, { body: { ...lead, assignedTo } });
  await acme.admin.ok(updateUser, { params: { email: user.email }, body: { active: false } });
  for (const attempt of [
    acme.admin.call(createLead, { body: { ...lead, assignedTo } }),
    acme.admin.call(assignLead, { params: { leadId: id }, body: { assignedTo } }),
    acme.admin.call(updateLead, { params: { leadId: id }, body: { assignedTo } }),
  ])
    expect(await refused(attempt)).toBe('400 user_unknown');
  const kept = await acme.admin.ok(updateLead, { params: { leadId: id }, body: { company: 'Acme' } });
  expect(kept.assignedTo).toBe(String(user.id));
});

test('users, leads, lead sources and rotations cannot be assigned to an inactive team', async () => {
  const of = await tenant();
  const { id: teamId } = await of.admin.ok(createTeam, { body: { name: 'Gone quiet' } });
  const source = await of.admin.ok(createLeadSource, { body: { name: 'Fair' } });
  const rotation = { userRotationArray: [{ userId: of.adminEmail, weight: 1 }], currentPosition: 0 };
  const { id } = await of.admin.ok(createLeadRotation, { body: { name: 'One', ...rotation } });
  await of.admin.ok(deactivateTeam, { params: { id: teamId } });
  for (const attempt of [
    of.admin.call(createUser, { body: { email: 'quiet@example.com', teamId } }),
    of.admin.call(updateUser, { params: { email: of.adminEmail }, body: { teamId } }),
    of.admin.call(createLead, { body: { ...lead, teamId } }),
    of.admin.call(createLeadSource, { body: { name: 'Other', teamId } }),
    of.admin.call(updateLeadSource, { params: { id: source.id }, body: { teamId } }),
    of.admin.call(createLeadRotation, { body: { name: 'Two', teamId, ...rotation } }),
    of.admin.call(updateLeadRotation, { params: { id }, body: { teamId } }),
  ])
    expect(await refused(attempt)).toBe('400 team_unknown');
});

/** Accounts for the tests of the primary account: the first of the user's accounts in which the user is active. */
const [home, second, third] = [await tenant(), await tenant(), await tenant()];

/** Creates a member of all three accounts who may write users and API keys in each. */
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

/**
 * Returns the results of three requests without x-account-id: the primary account of the session, and the account or
 * the error of a created user and of a created API key.
 */
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
  expect(await primaryOf(one), 'a deactivation ends the session for good').toEqual(everywhere(third));
  await active(second, true);
  await home.admin.ok(deleteUser, { params });
  expect(await primaryOf(one)).toEqual(everywhere(third));
  await joins(one, home);
  await home.admin.ok(setUserPermissions, {
    params,
    body: { flatPermissionsList: ['writeApiKeys', 'writeUsers'] },
  });
  expect(await primaryOf(one), 'after joining the first account again').toEqual(everywhere(third));
  await home.admin.ok(deleteUser, { params });
  await active(second, false);
  await active(third, false);
  expect(await primaryOf(one)).toEqual([undefined, 'account_forbidden', 'account_forbidden']);
});

test('the session of a user who left the home account shows the permissions in the new primary account', async () => {
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

test('requests in the new primary account use the permissions, event log and idempotency keys of this account', async () => {
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

test('x-account-id is refused if it names the home account that the user left', async () => {
  const one = await traveller();
  await home.admin.ok(deleteUser, { params: { email: one.user.email } });
  const named = client({ ...one.client.headers, 'x-account-id': home.accountId });
  expect((await named.call(createUser, newcomer())).status).toBe(403);
});

test('only requests of users who left their home account need additional reads', async () => {
  const one = await traveller();
  await atHome(one).ok(createUser, newcomer());
  const usual = await measure(() => atHome(one).ok(createUser, newcomer()));
  expect(usual.sequence).toBe(3);
  await home.admin.ok(deleteUser, { params: { email: one.user.email } });
  const moved = await measure(() => atHome(one).ok(createUser, newcomer()));
  // The usual read returns the user's roles in the home account. Then, one read finds the new primary account, and one
  // read returns the user's roles in the new primary account.
  expect(moved.sequence).toBe(5);
});

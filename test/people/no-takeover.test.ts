import fc from 'fast-check';
import { expect, test } from 'vitest';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import changePassword from '../../functions/auth/change-password.ts';
import confirmFactor from '../../functions/auth/confirm-factor.ts';
import createFactor from '../../functions/auth/create-factor.ts';
import deleteFactor from '../../functions/auth/delete-factor.ts';
import listFactors from '../../functions/auth/list-factors.ts';
import logIn from '../../functions/auth/log-in.ts';
import logOutEverywhere from '../../functions/auth/log-out-everywhere.ts';
import readSession from '../../functions/auth/read-session.ts';
import renewRecoveryCodes from '../../functions/auth/renew-recovery-codes.ts';
import requestPasswordReset from '../../functions/auth/request-password-reset.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import startPasskeyLogin from '../../functions/auth/start-passkey-login.ts';
import verifyLogin from '../../functions/auth/verify-login.ts';
import createScimUser from '../../functions/scim/create-scim-user.ts';
import deleteScimUser from '../../functions/scim/delete-scim-user.ts';
import patchScimUser from '../../functions/scim/patch-scim-user.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import leaveAccount from '../../functions/users/leave-account.ts';
import readPreferences from '../../functions/users/read-notification-preferences.ts';
import resetFactors from '../../functions/users/reset-factors.ts';
import setPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { ChannelName } from '../../shared/channels/channels.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { findRecipients } from '../../shared/messaging/recipients/find-recipients.ts';
import type { Membership } from '../../shared/people/users/schema.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { clock } from '../harness/clock.ts';
import { codeOf, codePeriod } from '../harness/factors.ts';
import { sequences } from '../harness/heavy.ts';
import { mailedToken, member } from '../harness/member.ts';
import { eventOf } from '../harness/notify.ts';
import { type Client, client, sessionIn, type Tenant, tenant } from '../harness/tenant.ts';
import { LyingProvider } from '../single-sign-on/provider.ts';
import { codeFor, connected, holdDomain, signedIn } from '../single-sign-on/world.ts';
import { operations, provider } from './scim/provider.ts';

/**
 * The attacker is an administrator of `attacked`, who also has a member with `writeUsers` only, and sees every response to
 * them. `honest` is another account. The owner of the mailbox accepts what they want; only the owner gets mail.
 */
const [attacking, honest] = [await tenant(), await tenant()];
/**
 * The attacker's provider says whatever the attacker wants. The attacker has proved a domain of its own, and requests
 * sign-ins for the address of the person, which is in another domain.
 */
const [evilProvider, honestProvider] = [await LyingProvider.start(), await LyingProvider.start()];
await holdDomain(attacking, 'attacker.example.com');
await holdDomain(honest, 'mailbox.example.com');
const [evilConnection, honestConnection] = [
  await connected(attacking, evilProvider, { domains: ['attacker.example.com'], provisioning: true }),
  await connected(honest, honestProvider, { domains: ['mailbox.example.com'], provisioning: true }),
];
const clerk = (await member(attacking, ['writeUsers', 'readUsers'])).client;
const [attackingScim, honestScim] = [await provider(attacking), await provider(honest)];
const anybody = client({});
const ownPassword = 'known only to the owner of the mailbox';

/** The values that each side enters. They differ, so that a value identifies the side that entered it. */
const entered = {
  attacker: { profile: { name: 'Attacker', phone: '+14155550111' }, channel: 'email' },
  account: { profile: { name: 'Account', phone: '+14155550122' }, channel: 'website' },
  person: { profile: { name: 'Person', phone: '+14155550133' }, channel: 'weekly_email_digest' },
} as const satisfies Record<string, { profile: object; channel: ChannelName }>;
const ruleOf = (side: keyof typeof entered) => ({
  event: 'lead_created' as const,
  deliveryPref: [entered[side].channel],
});

/** The state of one run: an address, and what the attacker and the owner of the mailbox know. */
class World {
  static #runs = 0;
  static #logins = 0;
  readonly email = `person${++World.#runs}@mailbox.example.com`;
  readonly params = { email: this.email };
  readonly passwords: string[] = [];
  readonly stolen: Client[] = [];
  /** The newest token for each account, and the newest reset token. */
  readonly mailbox: { attacking?: string; honest?: string; reset?: string } = {};
  readonly seen: unknown[] = [];
  /** The authenticators of both, and the secrets of their apps. */
  readonly keys = { attacker: new Authenticator(), person: new Authenticator() };
  readonly apps = { attacker: [] as string[], person: [] as string[] };
  /** The accounts of which the owner used a mailed invitation token, since the account last removed the person. */
  readonly accepted = new Set<'attacking' | 'honest'>();

  /** Records that the owner used the token of an invitation, if the response is a success. */
  async accepts(of: 'attacking' | 'honest', response: Promise<{ status: number }>): Promise<void> {
    if ((await response).status === 200) this.accepted.add(of);
  }

  /** Sends a request of the attacker, who sees the response. */
  async attack(response: Promise<{ status: number; body: unknown }>): Promise<number> {
    const { status, body } = await response;
    this.seen.push(body);
    return status;
  }

  /** Logs in from a new network, because this test is not about the limits of logins. */
  async session(password: string, account: Tenant): Promise<Client | undefined> {
    World.#logins += 1;
    const sourceIp = `10.0.${World.#logins >> 8}.${World.#logins & 255}`;
    const { status, body } = await anybody.call(logIn, { body: { email: this.email, password }, sourceIp });
    if (status !== 200) return undefined;
    const by = password === ownPassword ? 'person' : 'attacker';
    const opened = Object(body).mfaRequired ? await this.prove(Object(body), by) : body;
    return opened && client(headersOf(sessionIn(opened).token, account));
  }

  /** Completes a login with a factor of the attacker or of the person. Undefined if they have none that is accepted. */
  async prove(
    { challenge, publicKey }: { challenge: string; publicKey?: { challenge: string; rpId: string } },
    by: 'attacker' | 'person',
  ) {
    const { passkeys } = this.keys[by];
    const uses = publicKey
      ? passkeys.map(({ id }) => ({ credential: this.keys[by].use(publicKey, {}, id) }))
      : [];
    clock.advance(codePeriod);
    for (const proof of [...uses, ...this.apps[by].map((secret) => ({ code: codeOf(secret) }))]) {
      const { status, body } = await anybody.call(verifyLogin, { body: { challenge, ...proof } });
      if (status === 200) return body;
    }
    return undefined;
  }

  /** Logs in with each passkey alone. */
  async sessionsByPasskey(by: 'attacker' | 'person', account: Tenant): Promise<Client[]> {
    const opened: Client[] = [];
    for (const { id } of this.keys[by].passkeys) {
      const { challenge, publicKey } = await anybody.ok(startPasskeyLogin, {});
      const credential = this.keys[by].use(publicKey, {}, id);
      const { status, body } = await anybody.call(verifyLogin, { body: { challenge, credential } });
      if (status === 200) opened.push(client(headersOf(sessionIn(body).token, account)));
    }
    return opened;
  }

  /** Adds an authenticator app and a passkey in a session, if the session may. */
  async addFactors({ call }: Client, by: 'attacker' | 'person'): Promise<void> {
    for (const type of ['totp', 'passkey'] as const) {
      const made = await call(createFactor, { body: { type, name: by } });
      if (made.status !== 201) continue;
      const { factor, secret = '', publicKey } = Object(made.body);
      const credential = publicKey && this.keys[by].create(publicKey);
      const body = credential ? { credential } : { code: codeOf(secret) };
      const { status } = await call(confirmFactor, { params: { factorId: factor.id }, body });
      if (status === 200 && !credential) this.apps[by].push(secret);
    }
  }

  /** Sends a request with every session that the attacker has opened. */
  async withStolen(send: (session: Client) => Promise<{ status: number; body: unknown }>): Promise<void> {
    for (const session of this.stolen) await this.attack(send(session));
  }

  async receive(kind: 'attacking' | 'honest' | 'reset'): Promise<void> {
    const of = { attacking, honest, reset: undefined }[kind];
    this.mailbox[kind] = await mailedToken(this.email, of).catch(() => this.mailbox[kind] ?? '');
  }
}

const headersOf = (token: string, { accountId }: Tenant) => ({
  authorization: `Bearer ${token}`,
  'x-account-id': accountId,
});

type Step = (world: World) => Promise<unknown>;
const ofHonest = (email: string) => ({ params: { email, accountId: honest.accountId } });

/** The attacker's steps. Each may be refused, because the steps have a random order. */
const attacks: Record<string, Step> = {
  async create(world) {
    const { email } = world;
    const body = { email, ...entered.attacker.profile, notificationPreferences: [ruleOf('attacker')] };
    await world.attack(attacking.admin.call(createUser, { body }));
    await world.receive('attacking');
  },
  async createByClerk(world) {
    await world.attack(clerk.call(createUser, { body: world.params }));
    await world.receive('attacking');
  },
  async invite(world) {
    await world.attack(attacking.admin.call(addUserToAccount, { params: world.params }));
    await world.receive('attacking');
  },
  async remove(world) {
    const status = await world.attack(attacking.admin.call(deleteUser, { params: world.params }));
    if (status === 200) world.accepted.delete('attacking');
  },
  async force(world) {
    const password = `known to the attacker ${world.passwords.length}`;
    const { params } = world;
    const person = await users.findByEmailAcrossAccounts(world.email);
    const status = await world.attack(
      attacking.admin.call(forceUserPassword, { params, body: { password } }),
    );
    if (status !== 200) return;
    world.passwords.push(password);
    // Until the person accepts, only the account that created the person may set the password.
    const isOwn = world.accepted.has('attacking') || !world.accepted.has('honest');
    expect(isOwn && person?.accountIds, 'a forced password').toEqual([attacking.accountId]);
  },
  async growRights(world) {
    const { params } = world;
    await world.attack(attacking.admin.call(setUserPermissions, { params, body: rights }));
    await world.receive('attacking');
  },
  rename: (world) =>
    world.attack(attacking.admin.call(updateUser, { params: world.params, body: entered.attacker.profile })),
  setRules: (world) =>
    world.attack(attacking.admin.call(setPreferences, { params: world.params, body: [ruleOf('attacker')] })),
  async logIn(world) {
    for (const password of world.passwords) {
      const session = await world.session(password, attacking);
      if (session) world.stolen.push(session);
    }
  },
  changeProfile: (world) =>
    world.withStolen(({ call }) =>
      call(updateUser, { params: world.params, body: entered.attacker.profile }),
    ),
  changeRules: (world) =>
    world.withStolen(({ call }) =>
      call(setPreferences, { params: world.params, body: [ruleOf('attacker')] }),
    ),
  async changePassword(world) {
    const newPassword = `changed by the attacker ${world.passwords.length}`;
    for (const currentPassword of [...world.passwords]) {
      const body = { currentPassword, newPassword };
      await world.withStolen(({ call }) => call(changePassword, { body }));
    }
    world.passwords.push(newPassword);
  },
  accept: (world) =>
    world.withStolen(({ call }) =>
      call(acceptMembership, { ...ofHonest(world.email), body: { token: 'mo_pw_guessed' } }),
    ),
  async addFactors(world) {
    for (const session of world.stolen) await world.addFactors(session, 'attacker');
  },
  removeFactors: (world) =>
    world.withStolen(async ({ call }) => {
      const { body } = await call(listFactors);
      for (const { id } of Object(body).factors ?? []) await call(deleteFactor, { params: { factorId: id } });
      return call(renewRecoveryCodes, {});
    }),
  resetFactors: (world) => world.attack(attacking.admin.call(resetFactors, { params: world.params })),
  async logInByPasskey(world) {
    world.stolen.push(...(await world.sessionsByPasskey('attacker', attacking)));
  },
  decline: (world) => world.withStolen(({ call }) => call(leaveAccount, ofHonest(world.email))),
  /** Signs in at the attacker's provider as the person, with everything that the attacker can send. */
  async signOn(world) {
    for (const token of [undefined, 'mo_pw_guessed']) {
      const claims = { sub: world.email, email: world.email, email_verified: true };
      const response = await signedIn(evilProvider, evilConnection, claims, token);
      await world.attack(Promise.resolve(response));
      if (response.status === 200) world.stolen.push(sessionOf(response.body.token));
    }
  },
  /** Signs in with the attacker's identity and the connection of the other account. */
  async signOnElsewhere(world) {
    const { code, error } = await codeFor(evilProvider, honestConnection, {
      sub: world.email,
      email: world.email,
      email_verified: true,
    });
    expect({ code, error }).toEqual({ code: undefined, error: 'sign_on_rejected' });
  },
  changeFactors: (world) =>
    world.withStolen(async ({ call }) => {
      await world.attack(call(createFactor, { body: { type: 'totp', name: 'Stolen' } }));
      return call(logOutEverywhere);
    }),
  async provision(world) {
    const body = { userName: world.email, displayName: entered.attacker.profile.name };
    await world.attack(attackingScim.call(createScimUser, { body }));
    await world.receive('attacking');
  },
  deactivate: (world) => setActive(world, attackingScim, false),
  async activate(world) {
    await setActive(world, attackingScim, true);
    await world.receive('attacking');
  },
  async deprovision(world) {
    const params = { id: await idOf(world) };
    const status = await world.attack(attackingScim.call(deleteScimUser, { params }));
    if (status === 204) world.accepted.delete('attacking');
  },
  look: (world) =>
    world.withStolen(async ({ call }) => {
      await world.attack(call(listAccounts));
      await world.attack(call(readSession));
      return call(readPreferences, { params: world.params });
    }),
};

const idOf = async ({ email }: World): Promise<string> =>
  String((await users.addressByEmailAcrossAccounts(email))?.id ?? 1);

/** Sends the PATCH of an identity provider that activates or deactivates the person. */
const setActive = async (world: World, scim: Client, active: boolean) =>
  world.attack(
    scim.call(patchScimUser, {
      params: { id: await idOf(world) },
      body: operations({ op: 'replace', value: { active, displayName: entered.attacker.profile.name } }),
    }),
  );

/** The steps of the other account and of the owner of the mailbox. */
const others: Record<string, Step> = {
  async inviteToHonest(world) {
    const made = await honest.admin.call(createUser, {
      body: { email: world.email, ...entered.account.profile },
    });
    if (made.status !== 201) await honest.admin.call(addUserToAccount, { params: world.params });
    await honest.admin.call(setUserPermissions, { params: world.params, body: rights });
    await world.receive('honest');
  },
  async provisionInHonest(world) {
    const body = { userName: world.email, displayName: entered.account.profile.name };
    await honestScim.call(createScimUser, { body });
    await world.receive('honest');
  },
  async deactivateInHonest(world) {
    const body = operations({ op: 'replace', path: 'active', value: 'False' });
    await honestScim.call(patchScimUser, { params: { id: await idOf(world) }, body });
  },
  renameInHonest: ({ params }) => honest.admin.call(updateUser, { params, body: entered.account.profile }),
  async removeFromHonest(world) {
    const { status } = await honest.admin.call(deleteUser, { params: world.params });
    if (status === 200) world.accepted.delete('honest');
  },
  acceptHonest: (world) =>
    world.accepts(
      'honest',
      anybody.call(acceptMembership, {
        ...ofHonest(world.email),
        body: { token: world.mailbox.honest ?? '', password: ownPassword },
      }),
    ),
  acceptHonestWithTokenAlone: (world) =>
    world.accepts(
      'honest',
      anybody.call(acceptMembership, {
        ...ofHonest(world.email),
        body: { token: world.mailbox.honest ?? '' },
      }),
    ),
  acceptAttacking: (world) =>
    world.accepts(
      'attacking',
      anybody.call(acceptMembership, {
        params: { email: world.email, accountId: attacking.accountId },
        body: { token: world.mailbox.attacking ?? '', password: ownPassword },
      }),
    ),
  /** The person signs in to the other account through its provider. */
  async signOnHonest({ email }) {
    await signedIn(honestProvider, honestConnection, { sub: email, email, email_verified: true });
  },
  /** The person accepts the invitation of the attacker's account with the mailed token, at the attacker's provider. */
  signOnAttacking: (world) =>
    world.accepts(
      'attacking',
      signedIn(evilProvider, evilConnection, { sub: world.email }, world.mailbox.attacking || 'mo_pw_none'),
    ),
  answer: (world) => world.accepts('attacking', answerWith(world.mailbox.attacking)),
  answerHonest: (world) => world.accepts('honest', answerWith(world.mailbox.honest)),
  openMail: (world) => world.receive('attacking'),
  async resetPassword(world) {
    await anybody.call(requestPasswordReset, { body: world.params });
    await world.receive('reset');
    const { reset: token = '' } = world.mailbox;
    await anybody.call(resetPassword, { body: { token, password: ownPassword } });
  },
  async changeOwn(world) {
    for (const of of [attacking, honest]) {
      const session = await world.session(ownPassword, of);
      await session?.call(updateUser, { params: world.params, body: entered.person.profile });
      await session?.call(setPreferences, { params: world.params, body: [ruleOf('person')] });
    }
  },
  async addOwnFactors(world) {
    const session = await world.session(ownPassword, honest);
    if (session) await world.addFactors(session, 'person');
  },
};
const sessionOf = (token: string) =>
  client({ authorization: `Bearer ${token}`, 'x-account-id': attacking.accountId });
const answerWith = (token = '') => anybody.call(resetPassword, { body: { token, password: ownPassword } });
const rights = { flatPermissionsList: ['readLeads', 'readTeams'] };

/** Everything of an account that concerns the person: the membership, its effective rules, and its recipients. */
async function stateIn({ accountId }: Tenant, email: string) {
  const user = await users.findByEmailAcrossAccounts(email);
  const membership = user && (await memberships.find(accountId, user.id));
  const event: Event = eventOf(accountId, { kind: 'lead_created', data: { changes: {} } });
  const { decisions } = await findRecipients(event, 1000);
  const sent = decisions
    .filter(({ userId }) => userId === user?.id)
    .flatMap(({ channels }) =>
      channels.flatMap(({ channel, outcome }) => (outcome === 'sent' ? channel : [])),
    );
  const isInvited = user !== undefined && (await users.storedInvitations(user)).includes(accountId);
  return { membership, sent, isInvited };
}

async function expectNoTakeover(world: World): Promise<void> {
  const known = await Promise.all(world.passwords.map((password) => world.session(password, honest)));
  const sessions = [...world.stolen, ...known.flatMap((session) => session ?? [])];
  for (const { headers } of sessions) {
    const inHonest = client({ ...headers, 'x-account-id': honest.accountId });
    // Users may read their own preferences in each of their accounts, without any permission.
    const { status } = await inHonest.call(readPreferences, { params: world.params });
    expect(status, 'a session in the other account').not.toBe(200);
  }
  // No passkey of the attacker is ever a factor of the person, and no password of the attacker replaces the person's factor.
  expect(world.keys.attacker.passkeys, 'the passkeys of the attacker').toEqual([]);
  expect(await world.sessionsByPasskey('attacker', honest), 'sessions by passkey').toEqual([]);
  const { membership, sent } = await stateIn(honest, world.email);
  expect(JSON.stringify(membership ?? {}), 'the membership in the other account').not.toMatch(
    /Attacker|4155550111/,
  );
  expect(sent, 'the messages of the other account').not.toContain(entered.attacker.channel);
  const inAttacking = await stateIn(attacking, world.email);
  await expectConsent(world, inAttacking.membership);
  expect(JSON.stringify(inAttacking.membership ?? {})).not.toMatch(/"Account"|4155550122/);
  expect(JSON.stringify(world.seen), 'the responses to the attacker').not.toMatch(
    new RegExp(`mo_pw_|${honest.accountId}|4155550122`),
  );
}

/** After the person accepted the other account, a membership that the person never accepted has no effects. */
async function expectConsent({ accepted, params }: World, inAttacking?: Membership): Promise<void> {
  if (!accepted.has('honest') || accepted.has('attacking')) return;
  expect(!inAttacking || inAttacking.invited, 'a membership that nobody accepted').toBe(true);
  const { status } = await attacking.admin.call(impersonateUser, { params, body: { reason: 'To look' } });
  expect(status, 'an impersonation').toBeGreaterThanOrEqual(400);
  const person = await users.findByEmailAcrossAccounts(params.email);
  expect(person?.accountIds, 'the accounts of the person').toEqual([honest.accountId]);
}

/** Runs steps, and checks after each step that the attacker's own steps have no effect on the other account. */
async function run(names: readonly string[]): Promise<void> {
  const world = new World();
  for (const name of names) {
    const attack = attacks[name];
    const before = attack && (await stateIn(honest, world.email));
    await (attack ?? others[name])?.(world);
    if (attack) expect(await stateIn(honest, world.email), `after ${name}`).toEqual(before);
    await expectNoTakeover(world);
  }
}

/** Sequences that take over a person if one of the rules is missing. */
const known = [
  [
    'provision',
    'resetPassword',
    'provisionInHonest',
    'acceptHonest',
    'force',
    'logIn',
    'deactivate',
    'activate',
  ],
  ['provisionInHonest', 'resetPassword', 'provision', 'deactivate', 'activate', 'deprovision', 'provision'],
  ['provision', 'force', 'logIn', 'inviteToHonest', 'deactivate', 'acceptHonest', 'activate', 'changeOwn'],
  [
    'create',
    'force',
    'logIn',
    'inviteToHonest',
    'look',
    'accept',
    'acceptHonestWithTokenAlone',
    'acceptHonest',
  ],
  ['create', 'force', 'logIn', 'changeProfile', 'changeRules', 'inviteToHonest', 'acceptHonest', 'changeOwn'],
  ['create', 'answer', 'force', 'logIn', 'inviteToHonest', 'acceptHonestWithTokenAlone'],
  ['create', 'answer', 'inviteToHonest', 'acceptHonestWithTokenAlone', 'force', 'rename', 'setRules'],
  ['create', 'force', 'logIn', 'changePassword', 'inviteToHonest', 'decline', 'acceptHonestWithTokenAlone'],
  ['create', 'inviteToHonest', 'force', 'logIn', 'remove', 'create', 'force', 'acceptHonest', 'changeOwn'],
  [
    'inviteToHonest',
    'answer',
    'acceptHonest',
    'invite',
    'force',
    'acceptAttacking',
    'changeOwn',
    'growRights',
  ],
  [
    'create',
    'inviteToHonest',
    'acceptHonest',
    'changeOwn',
    'force',
    'growRights',
    'openMail',
    'acceptAttacking',
  ],
  ['create', 'force', 'inviteToHonest', 'resetPassword', 'acceptHonestWithTokenAlone', 'changeOwn', 'force'],
  ['inviteToHonest', 'invite', 'answerHonest', 'changeOwn', 'force', 'create', 'removeFromHonest', 'create'],
  ['inviteToHonest', 'answerHonest', 'invite', 'removeFromHonest', 'remove', 'create', 'force', 'logIn'],
  ['create', 'answer', 'inviteToHonest', 'remove', 'create', 'force', 'logIn', 'acceptHonest'],
  [
    'create',
    'signOn',
    'force',
    'logIn',
    'signOnHonest',
    'inviteToHonest',
    'signOnHonest',
    'look',
    'changeFactors',
  ],
  [
    'create',
    'signOnAttacking',
    'signOn',
    'inviteToHonest',
    'acceptHonest',
    'look',
    'changeFactors',
    'decline',
  ],
  [
    'inviteToHonest',
    'acceptHonest',
    'invite',
    'openMail',
    'signOnAttacking',
    'signOn',
    'look',
    'changeProfile',
  ],
  ['signOnHonest', 'invite', 'create', 'signOn', 'force', 'logIn', 'signOnElsewhere', 'look'],
  [
    'create',
    'force',
    'logIn',
    'addFactors',
    'inviteToHonest',
    'acceptHonest',
    'addOwnFactors',
    'logInByPasskey',
  ],
  [
    'inviteToHonest',
    'acceptHonest',
    'addOwnFactors',
    'invite',
    'acceptAttacking',
    'resetFactors',
    'force',
    'logIn',
  ],
  [
    'create',
    'answer',
    'addOwnFactors',
    'force',
    'logIn',
    'removeFactors',
    'addFactors',
    'logInByPasskey',
    'inviteToHonest',
  ],
];
/** Random sequences use these steps more often, because most attacks need them. */
const usual = [
  'create',
  'force',
  'logIn',
  'invite',
  'answerHonest',
  'inviteToHonest',
  'acceptHonest',
  'acceptHonestWithTokenAlone',
];

test('no account gets a session, a message or a change in another account by its own acts alone', async () => {
  for (const names of known) await run(names);
  const names = fc.constantFrom(...usual, ...usual, ...Object.keys(attacks), ...Object.keys(others));
  await fc.assert(fc.asyncProperty(fc.array(names, { minLength: 4, maxLength: 12 }), run), {
    numRuns: sequences,
  });
}, 3_000_000);

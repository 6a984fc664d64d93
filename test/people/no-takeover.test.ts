import fc from 'fast-check';
import { expect, test } from 'vitest';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import changePassword from '../../functions/auth/change-password.ts';
import logIn from '../../functions/auth/log-in.ts';
import readSession from '../../functions/auth/read-session.ts';
import requestPasswordReset from '../../functions/auth/request-password-reset.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import leaveAccount from '../../functions/users/leave-account.ts';
import readPreferences from '../../functions/users/read-notification-preferences.ts';
import setPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { ChannelName } from '../../shared/channels/channels.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { findRecipients } from '../../shared/messaging/recipients/find-recipients.ts';
import type { Membership } from '../../shared/people/users/schema.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import { runs } from '../harness/heavy.ts';
import { mailedToken, member } from '../harness/member.ts';
import { eventOf } from '../harness/notify.ts';
import { type Client, client, sessionIn, type Tenant, tenant } from '../harness/tenant.ts';

/**
 * The attacker is an administrator of `attacked`, who also has a member with `writeUsers` only, and sees every response to
 * them. `honest` is another account. The owner of the mailbox accepts what they want; only the owner gets mail.
 */
const [attacking, honest] = [await tenant(), await tenant()];
const clerk = (await member(attacking, ['writeUsers', 'readUsers'])).client;
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
  readonly email = `person${++World.#runs}@mailbox.test`;
  readonly params = { email: this.email };
  readonly passwords: string[] = [];
  readonly stolen: Client[] = [];
  /** The newest token for each account, and the newest reset token. */
  readonly mailbox: { attacking?: string; honest?: string; reset?: string } = {};
  readonly seen: unknown[] = [];
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
    return client({ authorization: `Bearer ${sessionIn(body).token}`, 'x-account-id': account.accountId });
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
  decline: (world) => world.withStolen(({ call }) => call(leaveAccount, ofHonest(world.email))),
  look: (world) =>
    world.withStolen(async ({ call }) => {
      await world.attack(call(listAccounts));
      await world.attack(call(readSession));
      return call(readPreferences, { params: world.params });
    }),
};

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
};
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
    numRuns: 6 * runs,
  });
}, 3_000_000);

import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import changePassword from '../../functions/auth/change-password.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createRole from '../../functions/roles/create-role.ts';
import deleteRole from '../../functions/roles/delete-role.ts';
import setRolePermissions from '../../functions/roles/set-role-permissions.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import deleteWebhook from '../../functions/webhooks/delete-webhook.ts';
import setWebhookEvents from '../../functions/webhooks/set-webhook-events.ts';
import updateWebhook from '../../functions/webhooks/update-webhook.ts';
import type { EventKind } from '../../shared/events/kinds.ts';
import { foretellEffects } from '../../shared/http/foretell-effects.ts';
import type { Permission } from '../../shared/security/permissions.ts';
import { anEvent } from '../harness/an-event.ts';
import { applicant } from '../harness/applicant.ts';
import { expectForetold } from '../harness/foretold.ts';
import { type Member, member, memberPassword } from '../harness/member.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';
import { newAccount, webhook } from '../webhooks/subscribed.ts';

const url = 'http://127.0.0.1:9/';
const ada = { firstName: 'Ada', lastName: 'Byron' };
const skip = { skipTeamAndSourceRequirement: true };

interface Hearing {
  client: Client;
  user: { email: string };
}

/** Lets somebody hear of these kinds on the website. */
const hears = ({ client, user: { email } }: Hearing, ...kinds: EventKind[]) =>
  client.ok(setNotificationPreferences, {
    params: { email },
    body: kinds.map((event) => ({ event, deliveryPref: ['website'] })),
  });
const toldOf = ({ notifications }: { notifications: object[] | number }) => notifications;

describe('a dry run foretells by what there will be', () => {
  test('whoever a request removes, or takes the right to read from, hears nothing of it; a rule that it makes counts for it', async () => {
    const acme = await tenant();
    const { email } = (await member(acme)).user;
    const watching = await member(acme, ['readNotifications', 'readUsers', 'readRoles']);
    const own = { user: watching.user.email, channels: ['website'], reason: 'own_rule' };
    const body = (event: EventKind) => [{ event, deliveryPref: ['website' as const] }];
    const preferring = {
      params: { email: watching.user.email },
      body: body('user_account_settings_updated'),
    };
    expect(toldOf(await expectForetold(acme.admin, setNotificationPreferences, preferring))).toEqual([own]);
    expect(
      toldOf(
        await expectForetold(acme.admin, setNotificationPreferences, {
          ...preferring,
          body: body('user_updated'),
        }),
      ),
    ).toEqual([]);
    await hears(watching, 'user_updated', 'user_removed_from_account', 'user_deleted');
    const naming = { params: { email }, body: { name: 'Grace' } };
    expect(toldOf(await expectForetold(acme.admin, updateUser, naming))).toEqual([own]);
    const itself = { params: { email: watching.user.email } };
    expect(
      toldOf(await expectForetold(acme.admin, updateUser, { ...itself, body: { active: false } })),
    ).toEqual([]);
    expect(
      toldOf(await expectForetold(acme.admin, updateUser, { ...itself, body: { active: true } })),
    ).toEqual([own]);
    expect(toldOf(await expectForetold(acme.admin, deleteUser, { params: { email } }))).toEqual([own, own]);
    expect(toldOf(await expectForetold(acme.admin, deleteUser, itself))).toEqual([]);
  });

  test('a role that a request makes, changes or takes away counts for its own events as it is then', async () => {
    const acme = await tenant();
    const watching = await member(acme);
    const roleOf = (...flatPermissionsList: string[]) => ({
      body: { name: 'Watching', flatPermissionsList },
    });
    const role = await acme.admin.ok(createRole, roleOf('readRoles', 'readNotifications', 'readUsers'));
    await hears(watching, 'role_permissions_updated', 'role_deleted', 'user_roles_updated');
    const { email } = watching.user;
    const own = { user: email, channels: ['website'], reason: 'own_rule' };
    const joining = { params: { email }, body: { roles: ['Watching'] } };
    expect(toldOf(await expectForetold(acme.admin, setUserRoles, joining))).toEqual([own]);
    const granting = (...flatPermissionsList: string[]) =>
      expectForetold(acme.admin, setRolePermissions, {
        params: { id: role.id },
        body: { flatPermissionsList },
      });
    expect(toldOf(await granting('readNotifications'))).toEqual([]);
    expect(toldOf(await granting('readNotifications', 'readRoles'))).toEqual([own]);
    expect(toldOf(await expectForetold(acme.admin, deleteRole, { params: { id: role.id } }))).toEqual([]);
  });

  test('a webhook that a request makes gets what it subscribes to of that, by the address that it has then; one that goes gets nothing', async () => {
    const acme = await tenant();
    const kinds: EventKind[] = ['webhook_created', 'webhook_updated', 'webhook_deleted'];
    const made = await expectForetold(acme.admin, createWebhook, { body: { url, events: kinds } });
    expect(made.webhooks).toEqual([{ id: expect.any(Number), url }]);
    const { id } = await acme.admin.ok(createWebhook, {
      body: { url, events: ['webhook_updated', 'webhook_deleted'] },
    });
    const others = await expectForetold(acme.admin, updateWebhook, {
      params: { id },
      body: { url: `${url}moved` },
    });
    expect(others.webhooks).toEqual([
      { id: expect.any(Number), url },
      { id, url: `${url}moved` },
    ]);
    const counted = async (sent: Promise<{ webhooks: object[] | number }>) => (await sent).webhooks;
    const params = { id };
    expect(
      await counted(expectForetold(acme.admin, updateWebhook, { params, body: { active: false } })),
    ).toHaveLength(1);
    expect(
      await counted(expectForetold(acme.admin, updateWebhook, { params, body: { active: true } })),
    ).toHaveLength(2);
    expect(
      await counted(expectForetold(acme.admin, setWebhookEvents, { params, body: { events: [] } })),
    ).toHaveLength(1);
    expect(await counted(expectForetold(acme.admin, deleteWebhook, { params }))).toHaveLength(1);
  });

  test('whose turn it is hears that a lead is its own, and administrators that a lead has nobody', async () => {
    const acme = await tenant();
    const [first, second] = [
      await member(acme, ['readNotifications', 'readLeads']),
      await member(acme, ['readNotifications', 'readLeads']),
    ];
    const userRotationArray = [first, second].map(({ user }) => ({ userId: user.email, weight: 1 }));
    await acme.admin.ok(createLeadRotation, { body: { name: 'By turns', userRotationArray } });
    const creating = () => expectForetold(acme.key, createLead, { query: skip, body: ada });
    const assignee = ({ user }: Member) => [{ user: user.email, channels: ['website'], reason: 'assignee' }];
    expect(toldOf(await creating())).toEqual(assignee(first));
    expect(toldOf(await creating())).toEqual(assignee(second));
    for (const { user } of [first, second])
      await acme.admin.ok(updateUser, { params: { email: user.email }, body: { active: false } });
    expect(toldOf(await creating())).toEqual([
      { user: acme.adminEmail, channels: ['website'], reason: 'administrator' },
    ]);
  });

  test('each ticket of a bulk is foretold to whoever hears of it', async () => {
    const acme = await tenant();
    const { user } = await member(acme, ['readNotifications', 'readTickets']);
    const body = {
      subject: 'Lamp',
      description: 'It is dark.',
      category: 'technical',
      requesterType: 'external',
      requesterId: 'shop-12',
      requesterName: 'Ada Byron',
      requesterEmail: 'ada@example.com',
      assignedTo: user.email,
    } as const;
    const made = [await acme.admin.ok(createTicket, { body }), await acme.admin.ok(createTicket, { body })];
    const ticketIds = made.map(({ uniqueId }) => uniqueId);
    const { notifications } = await expectForetold(acme.admin, bulkTickets, {
      body: { ticketIds, action: 'change_status', payload: { status: 'in_progress' } },
    });
    const told = { user: user.email, channels: ['website'], reason: 'assignee' };
    // Of each ticket that it was updated, and that its status changed.
    expect(notifications).toEqual([told, told, told, told]);
  });
});

describe('who is told whom a dry run concerns', () => {
  const prepare = async (): Promise<Tenant> => {
    const acme = await tenant();
    await hears(
      { client: acme.admin, user: { email: acme.adminEmail } },
      'lead_created',
      'user_password_changed',
      'application_submitted',
    );
    await acme.admin.ok(createWebhook, { body: { url, events: ['lead_created', 'application_submitted'] } });
    return acme;
  };

  test('who may not read users or webhooks is told how many', async () => {
    const acme = await prepare();
    const dry = async (...more: ('readUsers' | 'readWebhooks')[]) => {
      const { client } = await member(acme, ['writeLeads', ...more]);
      return expectForetold(client, createLead, { query: skip, body: ada });
    };
    const named = { notifications: [{ user: acme.adminEmail }], webhooks: [{ url }] };
    expect(await dry()).toMatchObject({ notifications: 1, webhooks: 1 });
    expect(await dry('readUsers')).toMatchObject({ ...named, webhooks: 1 });
    expect(await dry('readWebhooks')).toMatchObject({ ...named, notifications: 1 });
    expect(await dry('readUsers', 'readWebhooks')).toMatchObject(named);
  });

  test('of what concerns no account that the request names there are numbers only', async () => {
    const acme = await tenant();
    const { client } = await member(acme, ['readUsers']);
    const body = { currentPassword: memberPassword, newPassword: 'another password of their own' };
    expect(await expectForetold(client, changePassword, { body })).toMatchObject({
      notifications: 1,
      webhooks: 0,
    });
  });

  test('of an event in the log of another account there are numbers only', async () => {
    const { accountId } = await prepare();
    const principal = { permissions: new Set<Permission>(['readUsers', 'readWebhooks']) };
    const events = [anEvent({ accountId, occurredAt: new Date().toISOString() })];
    const toldIn = (account: Tenant['accountId']) =>
      foretellEffects({ writes: [], events }, { account, principal, deadline: Date.now() + 60_000 });
    expect(await toldIn(accountId)).toMatchObject({ notifications: [{}], webhooks: [{}] });
    expect(await toldIn(newAccount())).toEqual({ notifications: 1, webhooks: 1 });
  });

  test('an applicant is told how many, and of events no more than what they are about', async () => {
    const acme = await prepare();
    await acme.admin.ok(updateAccount, {
      params: { id: acme.accountId },
      body: { requireCompleteApplication: false },
    });
    const made = await acme.admin.ok(createApplication, { body: { basics: { dbaName: 'Harbor Street' } } });
    const dry = await expectForetold(
      applicant({ appKey: made.system.appKey, acctId: acme.accountId }),
      submitApplication,
      {
        params: { applicationId: made.id },
      },
    );
    expect(dry).toMatchObject({
      events: [{ kind: 'application_submitted', subject: { type: 'application', id: made.id }, data: {} }],
      notifications: 1,
      webhooks: 1,
    });
    expect(dry.events[0]?.subject).toEqual({ type: 'application', id: made.id });
  });

  test('past 1,000 deliveries it says how many', async () => {
    const account = newAccount();
    for (let n = 0; n < 20; n++) await webhook(account, url, { now: new Date() });
    const principal = { permissions: new Set<Permission>(['readWebhooks']) };
    const ofEvents = async (count: number) => {
      const events = Array.from({ length: count }, (_, n) =>
        anEvent({ id: n, accountId: account, occurredAt: new Date().toISOString() }),
      );
      return foretellEffects({ writes: [], events }, { account, principal, deadline: Date.now() + 60_000 });
    };
    expect((await ofEvents(50)).webhooks).toHaveLength(1000);
    expect((await ofEvents(51)).webhooks).toBe(1020);
  });
});

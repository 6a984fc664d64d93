import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import changePassword from '../../functions/auth/change-password.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import updateUser from '../../functions/users/update-user.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import updateWebhook from '../../functions/webhooks/update-webhook.ts';
import { previewEffects } from '../../shared/http/preview-effects.ts';
import type { EventKind, Permission } from '../../shared/resources/registry.ts';
import { anEvent } from '../harness/an-event.ts';
import { applicant } from '../harness/applicant.ts';
import { type Member, member, memberPassword } from '../harness/member.ts';
import { expectPreviewed } from '../harness/previewed.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';
import { newAccount, webhook } from '../webhooks/subscribed.ts';

const url = 'http://127.0.0.1:9/';
const ada = { firstName: 'Ada', lastName: 'Byron' };
const skip = { skipTeamAndSourceRequirement: true };

interface Subscriber {
  client: Client;
  user: { email: string };
}

/** Subscribes a user to website notifications of these kinds of events. */
const subscribe = ({ client, user: { email } }: Subscriber, ...kinds: EventKind[]) =>
  client.ok(setNotificationPreferences, {
    params: { email },
    body: kinds.map((event) => ({ event, deliveryPref: ['website'] })),
  });
const notificationsOf = ({ notifications }: { notifications: object[] | number }) => notifications;

describe('the recipients of a dry run', () => {
  test('recipients are computed from the data before the request', async () => {
    const acme = await tenant();
    const { email } = (await member(acme)).user;
    const watching = await member(acme, ['readNotifications', 'readUsers', 'readRoles']);
    await subscribe(watching, 'user_updated', 'user_deleted');
    const own = { user: watching.user.email, channels: ['website'], reason: 'own_rule' };
    const naming = { params: { email }, body: { name: 'Grace' } };
    expect(notificationsOf(await expectPreviewed(acme.admin, updateUser, naming))).toEqual([own]);
    expect(notificationsOf(await expectPreviewed(acme.admin, deleteUser, { params: { email } }))).toEqual([
      own,
    ]);
    // The dry run lists this user as a recipient. The real request deactivates the user, who is then not notified.
    const itself = { params: { email: watching.user.email }, body: { active: false } };
    expect(notificationsOf(await acme.admin.dryRun(updateUser, itself))).toEqual([own]);

    const kinds: EventKind[] = ['webhook_created', 'webhook_updated'];
    const sent = { body: { url, events: kinds } };
    expect((await acme.admin.dryRun(createWebhook, sent)).webhooks).toEqual([]);
    const { id } = await acme.admin.ok(createWebhook, sent);
    const made = await expectPreviewed(acme.admin, createWebhook, { body: { url, events: [] } });
    expect(made.webhooks).toEqual([{ id, url }]);
    const moved = await acme.admin.dryRun(updateWebhook, { params: { id }, body: { url: `${url}moved` } });
    expect(moved.webhooks).toEqual([{ id, url }]);
  });

  test('the recipient of a new lead is the next user of the rotation, or the administrators if no user of the rotation is active', async () => {
    const acme = await tenant();
    const [first, second] = [
      await member(acme, ['readNotifications', 'readLeads']),
      await member(acme, ['readNotifications', 'readLeads']),
    ];
    const userRotationArray = [first, second].map(({ user }) => ({ userId: user.email, weight: 1 }));
    await acme.admin.ok(createLeadRotation, { body: { name: 'By turns', userRotationArray } });
    const creating = () => expectPreviewed(acme.key, createLead, { query: skip, body: ada });
    const assignee = ({ user }: Member) => [{ user: user.email, channels: ['website'], reason: 'assignee' }];
    expect(notificationsOf(await creating())).toEqual(assignee(first));
    expect(notificationsOf(await creating())).toEqual(assignee(second));
    for (const { user } of [first, second])
      await acme.admin.ok(updateUser, { params: { email: user.email }, body: { active: false } });
    expect(notificationsOf(await creating())).toEqual([
      { user: acme.adminEmail, channels: ['website'], reason: 'administrator' },
    ]);
  });
});

describe('recipients shown to a caller', () => {
  const prepare = async (): Promise<Tenant> => {
    const acme = await tenant();
    await subscribe(
      { client: acme.admin, user: { email: acme.adminEmail } },
      'lead_created',
      'user_password_changed',
      'application_submitted',
    );
    await acme.admin.ok(createWebhook, { body: { url, events: ['lead_created', 'application_submitted'] } });
    return acme;
  };

  test('a caller needs readUsers to see users and readWebhooks to see webhooks, and otherwise gets only their number', async () => {
    const acme = await prepare();
    const dry = async (...more: ('readUsers' | 'readWebhooks')[]) => {
      const { client } = await member(acme, ['writeLeads', ...more]);
      return expectPreviewed(client, createLead, { query: skip, body: ada });
    };
    const named = { notifications: [{ user: acme.adminEmail }], webhooks: [{ url }] };
    expect(await dry()).toMatchObject({ notifications: 1, webhooks: 1 });
    expect(await dry('readUsers')).toMatchObject({ ...named, webhooks: 1 });
    expect(await dry('readWebhooks')).toMatchObject({ ...named, notifications: 1 });
    expect(await dry('readUsers', 'readWebhooks')).toMatchObject(named);
  });

  test('a request without an account gets only the number of recipients', async () => {
    const acme = await tenant();
    const { client } = await member(acme, ['readUsers']);
    const body = { currentPassword: memberPassword, newPassword: 'another password of their own' };
    expect(await expectPreviewed(client, changePassword, { body })).toMatchObject({
      notifications: 1,
      webhooks: 0,
    });
  });

  test('the preview of an event of another account contains only the number of recipients', async () => {
    const { accountId } = await prepare();
    const principal = { permissions: new Set<Permission>(['readUsers', 'readWebhooks']) };
    const events = [anEvent({ accountId, occurredAt: new Date().toISOString() })];
    const previewIn = (account: Tenant['accountId']) =>
      previewEffects(events, { account, principal, deadline: Date.now() + 60_000 });
    expect(await previewIn(accountId)).toMatchObject({ notifications: [{}], webhooks: [{}] });
    expect(await previewIn(newAccount())).toEqual({ notifications: 1, webhooks: 1 });
  });

  test('an applicant gets only the number of recipients, and only the kind and the subject of events', async () => {
    const acme = await prepare();
    await acme.admin.ok(updateAccount, {
      params: { id: acme.accountId },
      body: { requireCompleteApplication: false },
    });
    const made = await acme.admin.ok(createApplication, { body: { basics: { dbaName: 'Harbor Street' } } });
    const dry = await expectPreviewed(
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

  test('if there are more than 1,000 deliveries, only the number of deliveries is returned', async () => {
    const account = newAccount();
    for (let n = 0; n < 20; n++) await webhook(account, url, { now: new Date() });
    const principal = { permissions: new Set<Permission>(['readWebhooks']) };
    const ofEvents = async (count: number) => {
      const events = Array.from({ length: count }, (_, n) =>
        anEvent({ id: n, accountId: account, occurredAt: new Date().toISOString() }),
      );
      return previewEffects(events, { account, principal, deadline: Date.now() + 60_000 });
    };
    expect((await ofEvents(50)).webhooks).toHaveLength(1000);
    expect((await ofEvents(51)).webhooks).toBe(1020);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import deleteApiKey from '../../functions/apikeys/delete-api-key.ts';
import deleteDomain from '../../functions/domains/delete-domain.ts';
import requestDomain from '../../functions/domains/request-domain.ts';
import explainEvent from '../../functions/events/explain-event.ts';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createNote from '../../functions/merchants/create-note.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import deleteNote from '../../functions/merchants/delete-note.ts';
import markAllRead from '../../functions/notifications/mark-all-read.ts';
import markNotification from '../../functions/notifications/mark-notification.ts';
import createRole from '../../functions/roles/create-role.ts';
import deleteRole from '../../functions/roles/delete-role.ts';
import createTeam from '../../functions/teams/create-team.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import updateUser from '../../functions/users/update-user.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import deleteWebhook from '../../functions/webhooks/delete-webhook.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import { dueOf, periodAt, type UsersDigest } from '../../shared/messaging/messages/digest-period.ts';
import { digestRowKey } from '../../shared/messaging/messages/keys.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { workItemsOf } from '../../shared/work-queue/list-work-items.ts';
import { throttleOf } from '../harness/call-faults.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { type Member, member, provesAgain } from '../harness/member.ts';
import { type Client, client, signIn, type Tenant } from '../harness/tenant.ts';
import type { WireFault } from '../harness/wire.ts';
import { happens } from '../webhooks/subscribed.ts';
import { day, fault, hour, minute, newTenant, pass, preferring, to } from './world.ts';

let acme: Tenant;
beforeEach(async () => {
  // Starts on a Wednesday at 12:00 UTC, which is far from Monday 09:00 in every zone.
  const wednesday = 6 * day + 12 * hour;
  clock.advance(7 * day - ((clock.now().getTime() - wednesday) % (7 * day)));
  acme = await newTenant();
});

/** Returns a client with a new session of the administrator, because earlier sessions may have expired. */
async function admin(): Promise<Client> {
  const authorization = await signIn({ email: acme.adminEmail, password: acme.adminPassword });
  return client({ 'x-account-id': acme.accountId, authorization });
}
const setZone = async (timezone: string) =>
  (await admin()).ok(updateAccount, { params: { id: acme.accountId }, body: { timezone } });

/** Creates leads an hour apart and processes all notifications. */
async function leads(...names: string[]): Promise<void> {
  const query = { skipTeamAndSourceRequirement: true };
  for (const firstName of names) {
    await acme.directKey.ok(createLead, { query, body: { firstName, lastName: 'Byron' } });
    await drain();
    clock.advance(hour);
  }
}
/** Moves the clock to `milliseconds` after the next Monday 09:00 in the zone, and processes everything that is due. */
const toMonday = (timezone: string, milliseconds: number) => {
  const { due } = periodAt('weekly', clock.now(), timezone);
  return pass(due.getTime() + milliseconds - clock.now().getTime());
};
/** Returns the local time in a zone, such as `Mon 09:00`. */
const clockIn = (timeZone: string, at = clock.now()) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
    .format(at)
    .replace(',', '');

/** Returns the explanation why the newest lead is or is not in a member's weekly digest. */
async function explainedTo({ user }: Member) {
  const asks = await admin();
  const query = { kind: 'lead_created' };
  const { data } = (await asks.ok(listEvents, { query })) as { data: LoggedEvent[] };
  const sent = { params: { id: data[0]?.id ?? 0 }, query: { user: user.email } };
  const { channels } = await asks.ok(explainEvent, sent);
  return channels.find(({ channel }) => channel === 'weekly_email_digest');
}

/** Returns the recorded results of a user's digests, oldest first. */
async function digestsOf({ user }: Member) {
  const { items } = await workItemsOf<UsersDigest>(
    { account: acme.accountId, name: 'MAIL' },
    clock.now(),
  ).newest({});
  return items
    .filter(({ content }) => 'digest' in content && content.userId === user.id)
    .reverse()
    .map(({ status, attempts }) => [status, ...attempts.map(({ outcome, reason }) => reason ?? outcome)]);
}
const weekly = () => preferring(['weekly_email_digest']);
const itemsOf = (text: string) => [...text.matchAll(/the lead (\w+) Byron/g)].map(([, name]) => name);

describe('a weekly digest', () => {
  test('lists each event with its local time and its link, and contains the name of the account', async () => {
    await setZone('Asia/Kathmandu');
    const owner = await admin();
    const { name } = await owner.ok(updateAccount, {
      params: { id: acme.accountId },
      body: { portalUrl: 'https://portal.example/staff' },
    });
    const ada = await member(acme, ['readLeads'], weekly());
    await leads('One', 'Two');
    const { data } = await owner.ok(listEvents, { query: { kind: 'lead_created', pageSize: 2 } });
    await toMonday('Asia/Kathmandu', 0);
    const [mail] = to(ada.user.email);
    expect(mail?.subject).toBe(`2 notifications from the last week in ${name}`);
    const entries = (data as LoggedEvent[]).map(({ occurredAt, subject }) => {
      const local = new Date(Date.parse(occurredAt) + 5.75 * hour).toISOString();
      const month = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')[
        Number(local.slice(5, 7)) - 1
      ];
      const time = `${Number(local.slice(8, 10))} ${month?.replace('Sep', 'Sept')} ${local.slice(0, 4)}, ${local.slice(11, 16)}`;
      return { time, label: subject.label, link: `https://portal.example/staff/leads/${subject.id}` };
    });
    for (const { time, label, link } of entries) {
      expect(mail?.text).toMatch(
        new RegExp(`- ${time}: .* the lead ${label}\\.\n  Open the lead: ${link}\n`),
      );
      expect(mail?.html).toMatch(
        new RegExp(`<li>${time}: .* the lead ${label}\\.<br><a href="${link}">Open the lead</a></li>`),
      );
    }
    for (const part of [mail?.text, mail?.html])
      expect(part?.replaceAll(/<\/?span>/g, '')).toContain(
        `Notifications from the last week in ${name}. Times are in the time zone Asia/Kathmandu.`,
      );
  });

  test('is sent to each user on Monday at 09:00 local time, newest event first, unless the digest is empty', async () => {
    await setZone('Asia/Kathmandu');
    const ada = await member(acme, ['readLeads'], weekly());
    const bea = await member(acme, ['readLeads'], weekly());
    await leads('One', 'Two', 'Three');
    await toMonday('Asia/Kathmandu', -minute);
    expect([...to(ada.user.email), ...to(bea.user.email)]).toEqual([]);
    const at = new Date(Math.ceil(clock.now().getTime() / minute) * minute).toISOString();
    const explained = { channel: 'weekly_email_digest', reason: 'own_rule', basis: 'record' };
    expect(await explainedTo(ada)).toEqual({ ...explained, outcome: 'waiting', at });
    await pass(minute);
    expect(clockIn('Asia/Kathmandu')).toBe('Mon 09:00');
    expect(await explainedTo(ada)).toMatchObject({ ...explained, outcome: 'sent' });
    for (const { user } of [ada, bea]) {
      const [mail, ...more] = to(user.email);
      expect(more).toEqual([]);
      expect(mail?.subject).toMatch(/^3 notifications from the last week in Tenant/);
      expect(mail?.text).toContain('You get this because you subscribed to a weekly digest in Tenant');
      expect([itemsOf(mail?.text ?? ''), itemsOf(mail?.html ?? '')]).toEqual(
        Array(2).fill(['Three', 'Two', 'One']),
      );
    }
    await leads('Four');
    await toMonday('Asia/Kathmandu', 0);
    await toMonday('Asia/Kathmandu', 0);
    expect(to(ada.user.email).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^3 notifications from the last week in Tenant/),
      expect.stringMatching(/^1 notification from the last week in Tenant/),
    ]);
  });

  test('contains only events that the user may read and is subscribed to, and is not sent without such events', async () => {
    const both = {
      notificationPreferences: (['lead_created', 'team_created'] as const).map((event) => ({
        event,
        deliveryPref: ['weekly_email_digest' as const],
      })),
    };
    const permissions = ['readLeads', 'readTeams'] as const;
    const [ada, bea, cleo, dora] = [
      await member(acme, [...permissions], both),
      await member(acme, [...permissions], both),
      await member(acme, [...permissions], both),
      await member(acme, [...permissions], both),
    ];
    await acme.admin.ok(createTeam, { body: { name: 'North' } });
    await leads('One');
    const params = ({ user: { email } }: Member) => ({ params: { email } });
    await provesAgain(acme.admin);
    await acme.admin.ok(setUserPermissions, { ...params(ada), body: { flatPermissionsList: ['readLeads'] } });
    await bea.client.ok(setNotificationPreferences, {
      ...params(bea),
      body: [{ event: 'team_created', deliveryPref: ['weekly_email_digest'] }],
    });
    await cleo.client.ok(setNotificationPreferences, { ...params(cleo), body: [] });
    await acme.admin.ok(updateUser, { ...params(dora), body: { active: false } });
    await toMonday('UTC', 0);
    const textOf = ({ user }: Member) => to(user.email).map(({ text }) => text);
    expect(textOf(ada)).toEqual([expect.stringMatching(/^- .*the lead One Byron.*$/m)]);
    expect(textOf(ada)[0]).not.toContain('North');
    expect(textOf(bea)).toEqual([expect.stringMatching(/^- .*North.*$/m)]);
    expect(textOf(bea)[0]).not.toContain('Byron');
    expect([textOf(cleo), textOf(dora)]).toEqual([[], []]);
    expect([await digestsOf(cleo), await digestsOf(dora)]).toEqual([
      [['cancelled', 'empty']],
      [['cancelled', 'inactive']],
    ]);
  });

  test('omits events that the user has read in the inbox', async () => {
    const permissions = ['readLeads', 'readNotifications'] as const;
    const inbox = () => preferring(['weekly_email_digest', 'website']);
    const ada = await member(acme, [...permissions], inbox());
    const bea = await member(acme, [...permissions], inbox());
    await leads('One', 'Two');
    await bea.client.ok(markAllRead, {});
    await leads('Three');
    const asks = await admin();
    const { data } = await asks.ok(listEvents, { query: { kind: 'lead_created', pageSize: 3 } });
    const mark = (n: number, markedRead: boolean) =>
      ada.client.ok(markNotification, { params: { id: data[n]?.id ?? 0 }, body: { markedRead } });
    await mark(0, true);
    await mark(2, true);
    await mark(2, false);
    await toMonday('UTC', 0);
    expect([ada, bea].map(({ user }) => to(user.email).map(({ text }) => itemsOf(text)))).toEqual([
      [['Two', 'One']],
      [['Three']],
    ]);
  });

  test('omits events of deleted records, except the deletions', async () => {
    const kinds = [
      'lead_created',
      'lead_deleted',
      'merchant_created',
      'note_created',
      'note_deleted',
    ] as const;
    const ada = await member(acme, ['readLeads', 'readMerchants'], {
      notificationPreferences: kinds.map((event) => ({ event, deliveryPref: ['weekly_email_digest'] })),
    });
    const key = acme.directKey;
    const query = { skipTeamAndSourceRequirement: true };
    const [, two] = await Promise.all(
      ['One', 'Two'].map((firstName) =>
        key.ok(createLead, { query, body: { firstName, lastName: 'Byron' } }),
      ),
    );
    await key.ok(deleteLead, { params: { leadId: two?.id ?? 0 } });
    const [kept, gone] = await Promise.all(
      ['Kept', 'Gone'].map((merchantName) => key.ok(createMerchant, { body: { merchantName } })),
    );
    const note = async (merchantId = 0) => ({
      merchantId,
      noteId: Number((await key.ok(createNote, { params: { merchantId }, body: { content: 'Call' } })).id),
    });
    await note(kept?.id);
    await key.ok(deleteNote, { params: await note(kept?.id) });
    await note(gone?.id);
    await key.ok(deleteMerchant, { params: { merchantId: gone?.id ?? 0 } });
    await drain();
    await toMonday('UTC', 0);
    const [mail] = to(ada.user.email);
    expect(mail?.subject).toMatch(/^5 notifications/);
    expect(itemsOf(mail?.text ?? '').sort()).toEqual(['One', 'Two']);
    expect(mail?.text).toMatch(/deleted the lead Two Byron/);
    expect(mail?.text).toContain('Kept');
    expect(mail?.text).not.toContain('Gone');
    expect(mail?.text.match(/(?:added|deleted) a note/g)?.sort()).toEqual(['added a note', 'deleted a note']);
  });

  test('omits events of deleted records that leave no tombstone, except the deletions', async () => {
    const kinds = [
      'webhook_created',
      'api_key_created',
      'role_created',
      'role_deleted',
      'vanity_domain_requested',
      'user_created',
      'user_removed_from_account',
    ] as const;
    const owner = await admin();
    const ada = await member(acme, [], {
      notificationPreferences: kinds.map((event) => ({ event, deliveryPref: ['weekly_email_digest'] })),
    });
    await owner.ok(updateUser, { params: { email: ada.user.email }, body: { accountAdmin: true } });
    const [, webhook] = [
      await owner.ok(createWebhook, {
        body: { url: 'https://kept.example/', events: ['lead_created'], description: 'Kept hook' },
      }),
      await owner.ok(createWebhook, {
        body: { url: 'https://gone.example/', events: ['lead_created'], description: 'Gone hook' },
      }),
    ];
    const key = { flatPermissionsList: [] };
    const [, apiKey] = [
      await owner.ok(createApiKey, { body: { ...key, description: 'Kept key' } }),
      await owner.ok(createApiKey, { body: { ...key, description: 'Gone key' } }),
    ];
    const [, role] = [
      await owner.ok(createRole, { body: { ...key, name: 'Kept role' } }),
      await owner.ok(createRole, { body: { ...key, name: 'Gone role' } }),
    ];
    const [, domain] = [
      await owner.ok(requestDomain, { body: { domain: 'pay.kept-domain.com' } }),
      await owner.ok(requestDomain, { body: { domain: 'pay.gone-domain.com' } }),
    ];
    for (const name of ['Kept', 'Gone'])
      await owner.ok(createUser, {
        body: { email: `${name.toLowerCase()}@example.com`, name: `${name} user` },
      });
    await drain();
    await owner.ok(deleteWebhook, { params: { id: webhook.id } });
    await owner.ok(deleteApiKey, { params: { id: apiKey.id } });
    await owner.ok(deleteRole, { params: { id: role.id } });
    await owner.ok(deleteDomain, { params: { id: domain.id } });
    await owner.ok(deleteUser, { params: { email: 'gone@example.com' } });
    await drain();
    await toMonday('UTC', 0);
    const text = to(ada.user.email).at(-1)?.text ?? '';
    const lines = text.split('\n').filter((line) => /kept|gone/i.test(line) && !line.includes('://'));
    const kept = ['webhook', 'API key', 'role', 'vanity domain', 'user'];
    for (const noun of kept) expect(text, noun).toMatch(new RegExp(`the ${noun} (?:Kept|pay.*kept)`));
    expect(lines.filter((line) => /gone/i.test(line))).toEqual([
      expect.stringMatching(/Gone user/),
      expect.stringMatching(/deleted the role Gone role/),
    ]);
    expect(lines).toHaveLength(kept.length + 2);
  });

  test('shows the newest hundred events and the number of the other events', async () => {
    const ada = await member(acme, ['readLeads'], weekly());
    for (let n = 1; n <= 103; n++) {
      const label = `No${n} Byron`;
      await happens(acme.accountId, clock.now(), { subject: { type: 'lead', id: n, version: 1, label } });
    }
    await drain();
    await toMonday('UTC', 0);
    const [mail] = to(ada.user.email);
    expect(mail?.subject).toMatch(/^103 notifications from the last week in/);
    expect(itemsOf(mail?.text ?? '')).toEqual(Array.from({ length: 100 }, (_, n) => `No${103 - n}`));
    for (const part of [mail?.text, mail?.html]) expect(part).toContain('and 3 more.');
  });

  test('is sent at the new local time after a change of the zone', async () => {
    const ada = await member(acme, ['readLeads'], weekly());
    for (const [before, after] of [
      ['Pacific/Honolulu', 'Asia/Kathmandu'],
      ['Asia/Kathmandu', 'Pacific/Honolulu'],
    ] as const) {
      await setZone(before);
      await leads('One');
      const { name } = periodAt('weekly', clock.now(), before);
      await setZone(after);
      const mails = to(ada.user.email).length;
      const due = dueOf('weekly', name, after).getTime();
      await pass(due - minute - clock.now().getTime());
      expect(to(ada.user.email)).toHaveLength(mails);
      await pass(minute);
      expect([clockIn(after), to(ada.user.email).length]).toEqual(['Mon 09:00', mails + 1]);
      await pass(2 * day);
      expect(to(ada.user.email)).toHaveLength(mails + 1);
    }
  });

  test('is sent at the new local time even if the zone changes in the last hours before that time', async () => {
    await setZone('Pacific/Honolulu');
    const ada = await member(acme, ['readLeads'], weekly());
    await leads('One');
    const { name } = periodAt('weekly', clock.now(), 'Pacific/Honolulu');
    const due = dueOf('weekly', name, 'UTC').getTime();
    // The first check of the digest is on Sunday at 19:00 UTC, which is Monday 09:00 in the easternmost zone.
    for (let at = due - 13 * hour; at < due; at += hour) await pass(at - clock.now().getTime());
    await setZone('UTC');
    await pass(due - minute - clock.now().getTime());
    expect(to(ada.user.email)).toEqual([]);
    // The earlier check ran shortly after its hour, so the next check is due shortly after 09:00.
    await pass(2 * minute);
    expect(to(ada.user.email)).toHaveLength(1);
  });
});

test('a weekly digest checks its newest thousand events and shows the number of the other events', async () => {
  const ada = await member(acme, ['readLeads'], weekly());
  await leads('One');
  const { name: period } = periodAt('weekly', clock.now(), 'UTC');
  const digest = { account: acme.accountId, cadence: 'weekly', period } as const;
  // The rows have the smallest ids, so that the lead is the newest event.
  const rows = Array.from({ length: 1_004 }, (_, n) => ({
    ...digestRowKey(digest, ada.user.id, n + 1),
    type: 'digest-row',
    eventId: n + 1,
  }));
  await putAll(rows);
  await toMonday('UTC', 0);
  const [mail] = to(ada.user.email);
  expect(mail?.subject).toMatch(/^6 notifications from the last week in/);
  expect(itemsOf(mail?.text ?? '')).toEqual(['One']);
  expect(mail?.text).toContain('and 5 more.');
});

test('a monthly digest is sent on the 1st at 09:00 local time', async () => {
  const timezone = 'America/New_York';
  await setZone(timezone);
  const ada = await member(acme, ['readLeads'], preferring(['monthly_email_digest']));
  await leads('One', 'Two');
  const { due } = periodAt('monthly', clock.now(), timezone);
  await pass(due.getTime() - minute - clock.now().getTime());
  expect(to(ada.user.email)).toEqual([]);
  await pass(minute);
  const shown = { timeZone: timezone, day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  expect(new Intl.DateTimeFormat('en-GB', shown).format(clock.now())).toBe('1, 09:00');
  expect(to(ada.user.email).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^2 notifications from the last month in/),
  ]);
});

const refusals: [string, WireFault][] = [
  ['throttled', throttleOf('ses')],
  ['sending paused', { error: 'SendingPausedException' }],
  ['sender not verified', { error: 'MailFromDomainNotVerifiedException' }],
];

test('a digest that SES refuses temporarily is sent later', async () => {
  for (const [why, refusal] of refusals) {
    acme = await newTenant();
    const ada = await member(acme, ['readLeads'], weekly());
    await leads('One', 'Two');
    fault.of = () => refusal;
    await toMonday('UTC', 0);
    await pass(2 * minute);
    expect(to(ada.user.email), why).toHaveLength(2);
    fault.of = () => undefined;
    await pass(6 * minute);
    await pass(day);
    const [first, ...again] = to(ada.user.email);
    expect(again, why).toEqual([first, first]);
    expect(itemsOf(first?.text ?? ''), why).toEqual(['Two', 'One']);
    const { error } = refusal as { error: string };
    expect(await digestsOf(ada), why).toEqual([['delivered', error, error, 'sent']]);
    await toMonday('UTC', 0);
    expect(to(ada.user.email), why).toHaveLength(3);
  }
});

describe('the events of a failed digest', () => {
  /**
   * Makes all attempts to send a digest of two leads fail. Then adds a lead and sends the next digest without faults.
   */
  async function failing(
    how: WireFault,
  ): Promise<{ ada: Member; tries: number; items: (string | undefined)[][] }> {
    const ada = await member(acme, ['readLeads'], weekly());
    await leads('One', 'Two');
    fault.of = () => how;
    await toMonday('UTC', 0);
    for (const gap of [2, 6, 31, 121, 361]) await pass(gap * minute);
    await pass(day);
    fault.of = () => undefined;
    const tries = to(ada.user.email).length;
    await leads('Three');
    await toMonday('UTC', 0);
    const items = to(ada.user.email)
      .slice(tries)
      .map(({ text }) => itemsOf(text));
    await toMonday('UTC', 0);
    expect(to(ada.user.email)).toHaveLength(tries + items.length);
    return { ada, tries, items };
  }

  test('are in the next digest if the outcome is unknown, and the failed digest is not sent again', async () => {
    const { ada, tries, items } = await failing('lost');
    expect([tries, items]).toEqual([1, [['Three', 'Two', 'One']]]);
    expect(await digestsOf(ada)).toEqual([
      ['failed', expect.any(String)],
      ['delivered', 'sent'],
    ]);
  });

  test('are in the next digest after six failed attempts', async () => {
    const { tries, items } = await failing({ error: 'AccessDeniedException', status: 403 });
    expect([tries, items]).toEqual([6, [['Three', 'Two', 'One']]]);
  });

  test('are in no later digest if SES rejects the message, and the message is not sent again', async () => {
    const { tries, items } = await failing({ error: 'MessageRejected' });
    expect([tries, items]).toEqual([1, [['Three']]]);
  });
});

test('digests are due at 09:00 local time before and after each daylight saving change', () => {
  const weeksOf = (zone: string) => {
    const lengths = new Set<number>();
    let due = periodAt('weekly', new Date('2026-01-01T00:00:00Z'), zone).due;
    while (due < new Date('2027-01-10T00:00:00Z')) {
      expect(clockIn(zone, due), zone).toBe('Mon 09:00');
      const next = periodAt('weekly', due, zone).due;
      lengths.add((next.getTime() - due.getTime()) / hour);
      due = next;
    }
    return [...lengths].sort();
  };
  expect(weeksOf('America/New_York')).toEqual([167, 168, 169]);
  expect(weeksOf('Australia/Lord_Howe')).toEqual([167.5, 168, 168.5]);
  expect(weeksOf('Asia/Kathmandu')).toEqual([168]);
});

test('a monthly digest is due on the 1st, in the zone of the account', () => {
  const { name, due } = periodAt('monthly', new Date('2026-11-01T13:59:59.999Z'), 'America/New_York');
  expect([name, due.toISOString()]).toEqual(['2026-11-01', '2026-11-01T14:00:00.000Z']);
  expect(periodAt('monthly', due, 'America/New_York').name).toBe('2026-12-01');
  expect(dueOf('monthly', name, 'Asia/Kathmandu').toISOString()).toBe('2026-11-01T03:15:00.000Z');
});

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import requestPasswordReset from '../../functions/auth/request-password-reset.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import createLead from '../../functions/leads/create-lead.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { WorkQueue } from '../../shared/work-queue/keys.ts';
import { workItemsOf } from '../../shared/work-queue/list-work-items.ts';
import type { WorkItem } from '../../shared/work-queue/work-item.ts';
import { throttleOf } from '../harness/call-faults.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { leadsInAnHour } from '../harness/heavy.ts';
import { joins, type Member, member } from '../harness/member.ts';
import { client, type Tenant, tenant } from '../harness/tenant.ts';
import { day, fault, hour, minute, newTenant, pass, preferring, sentMessages, to } from './world.ts';

let acme: Tenant;

/** Moves the clock to a minute past the next hour, so that a test runs within one hour. */
const toFullHour = () => clock.advance(hour - (clock.now().getTime() % hour) + minute);

const createLeads = async (many: number, lastName = 'Byron') => {
  const query = { skipTeamAndSourceRequirement: true };
  for (let n = 0; n < many; n++)
    await acme.admin.ok(createLead, { query, body: { firstName: `Ada ${n}`, lastName } });
};
const processLeads = async (...leads: Parameters<typeof createLeads>) => {
  await createLeads(...leads);
  await drain();
};
type MessageContent = { userId?: number; reason?: string };
async function workItems(name: WorkQueue['name']): Promise<WorkItem<MessageContent>[]> {
  const found = await workItemsOf<MessageContent>({ account: acme.accountId, name }, clock.now()).newest({});
  return found.items;
}
const mailReader = () => member(acme, ['readLeads'], preferring(['email']));
/** Returns the recorded attempts of a user's work items, newest item first. */
const recordOf = async ({ user }: Member, name: WorkQueue['name'] = 'MAIL') =>
  (await workItems(name))
    .filter(({ content }) => content.userId === user.id && content.reason === 'own_rule')
    .map(({ status, attempts }) => ({
      status,
      attempts: attempts.map(({ outcome, reason }) => reason ?? outcome),
    }));

beforeAll(toFullHour);
beforeEach(async () => {
  acme = await newTenant();
});

describe('mail', () => {
  test('contains the event, a link, the reason and a link to the preferences', async () => {
    await acme.admin.ok(updateAccount, {
      params: { id: acme.accountId },
      body: { portalUrl: 'https://portal.example/' },
    });
    const ada = await mailReader();
    await processLeads(1);
    const [mail] = to(ada.user.email);
    expect(mail?.subject).toBe('Lead created: Ada 0 Byron');
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain('created the lead Ada 0 Byron.');
      expect(part).toMatch(/https:\/\/portal\.example\/leads\/\d+/);
      expect(part).toContain('You get this because you subscribed to these events in Tenant');
      expect(part).toContain('https://portal.example/notification-preferences');
    }
    expect(await recordOf(ada)).toEqual([{ status: 'delivered', attempts: ['sent'] }]);
  });

  /** Everything in a text that a client could turn into a link to a page: URLs, and host names outside email addresses. */
  const links = (text: string) =>
    text.match(
      /[a-z]+:(?=\/\/)|www\.|(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]+(?:[.。][\p{L}\p{N}-]+)*[.。]\p{L}{2,}/giu,
    ) ?? [];
  const textsOf = (html: string) => html.slice(html.indexOf('<body>')).split(/<[^>]*>/);
  const displayed = (html: string) =>
    textsOf(html)
      .join('')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');

  test('contains no markup or links from user input, and copied text equals the input', async () => {
    for (const name of [
      '<a href="https://evil.example">me</a>',
      'Visit www.evil.example/login or evil.example',
      'https://ada@evil.example:8080/a.php?b=c&d#e',
      'evil。example, xn--evl-1ma.example and Évil.example',
      'me@evil.example',
    ]) {
      const ada = await mailReader();
      await processLeads(1, name);
      const [mail] = to(ada.user.email);
      const [text, html] = [mail?.text ?? '', mail?.html ?? ''];
      expect(html).not.toMatch(/<a |<b>/);
      expect(displayed(html)).toContain(`the lead Ada 0 ${name}.`);
      for (const part of textsOf(html)) expect(links(part), part).toEqual([]);
      expect(links(text), text).toEqual([]);
      expect(text.replaceAll(/\[([.:。])\]/g, '$1')).toContain(`the lead Ada 0 ${name}.`);
      for (const part of [text, html, mail?.subject]) expect(part).not.toMatch(/\p{Cf}/u);
    }
  });

  test('contains no links or encoded words from user input in the subject', async () => {
    const ada = await mailReader();
    await createLeads(1, 'Visit https://evil.example/login');
    await processLeads(1, '=?utf-8?B?aHR0cHM6Ly9l?= =?utf-8?B?dmlsLmV4YW1wbGU=?=');
    const subjects = to(ada.user.email).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual([
      'Lead created: Ada 0 = ?utf-8?B?aHR0cHM6Ly9l?= = ?utf-8?B?dmlsLmV4YW1wbGU= ?=',
      'Lead created: Ada 0 Visit https[:]//evil[.]example/login',
    ]);
  });

  test('is sent to the other recipients if one address is refused', async () => {
    const refused = await mailReader();
    const others = [await mailReader(), await mailReader()];
    fault.of = (mail) => (mail.to === refused.user.email ? { error: 'MessageRejected' } : undefined);
    await processLeads(7);
    for (const one of others) expect(to(one.user.email)).toHaveLength(7);
    expect(await recordOf(refused)).toEqual(
      Array.from({ length: 7 }, () => ({ status: 'failed', attempts: ['MessageRejected'] })),
    );
    fault.of = () => undefined;
    await pass(day);
    expect(to(refused.user.email)).toHaveLength(7);
  });

  test('is retried after 1, 5, 30, 120 and 360 minutes if throttled, and then fails', async () => {
    const ada = await mailReader();
    fault.of = () => throttleOf('ses');
    await processLeads(1);
    for (const [n, gap] of [1, 5, 30, 120, 360].entries()) {
      await pass((gap - 0.5) * minute);
      expect(to(ada.user.email)).toHaveLength(n + 1);
      await pass(minute);
      expect(to(ada.user.email)).toHaveLength(n + 2);
    }
    await pass(12 * hour);
    expect(to(ada.user.email)).toHaveLength(6);
    expect((await recordOf(ada))[0]?.status).toBe('failed');
  });

  test('is sent later if a sender error opens the circuit breaker', async () => {
    const ada = await mailReader();
    fault.of = () => ({ error: 'AccessDeniedException', status: 403 });
    await processLeads(7);
    const tried = to(ada.user.email).length;
    expect(tried).toBeGreaterThanOrEqual(5);
    await processLeads(2, 'Lovelace');
    expect(to(ada.user.email)).toHaveLength(tried);
    for (const gap of [2, 6, 31, 121]) await pass(gap * minute);
    sentMessages.splice(0);
    fault.of = () => undefined;
    await pass(6 * hour);
    await pass(6 * hour);
    expect(to(ada.user.email)).toHaveLength(9);
    expect(new Set(to(ada.user.email).map(({ subject }) => subject)).size).toBe(9);
    expect((await recordOf(ada)).map(({ status }) => status)).toEqual(Array(9).fill('delivered'));
  });

  test('with an unknown outcome is sent at most once more', async () => {
    const ada = await mailReader();
    fault.of = () => 'lost';
    await processLeads(1);
    for (const gap of [2, 6, 31, 121, 361]) await pass(gap * minute);
    expect(to(ada.user.email)).toHaveLength(2);
    expect((await recordOf(ada))[0]?.status).toBe('failed');
  });

  test('is not sent for a week-old event', async () => {
    const ada = await mailReader();
    await createLeads(1);
    clock.advance(7 * day);
    await drain();
    expect(sentMessages).toEqual([]);
    expect(await recordOf(ada)).toEqual([{ status: 'cancelled', attempts: ['too_late'] }]);
    toFullHour();
  });

  test('is not sent to users who are no longer active members', async () => {
    const ada = await mailReader();
    fault.of = () => throttleOf('ses');
    await processLeads(1);
    fault.of = () => undefined;
    await acme.admin.ok(updateUser, { params: { email: ada.user.email }, body: { active: false } });
    await pass(2 * minute);
    expect(to(ada.user.email)).toHaveLength(1);
    expect((await recordOf(ada))[0]).toMatchObject({
      status: 'cancelled',
      attempts: [expect.anything(), 'inactive'],
    });
  });

  test('is limited to thirty mails in an hour, and the other events follow in one digest', async () => {
    toFullHour();
    acme = await newTenant();
    const ada = await mailReader();
    await processLeads(leadsInAnHour);
    await pass(5 * minute);
    expect(to(ada.user.email)).toHaveLength(30);
    await pass(hour);
    await pass(hour);
    const mails = to(ada.user.email);
    expect(mails).toHaveLength(31);
    const over = leadsInAnHour - 30;
    const [last, single] = [mails.at(-1), mails.slice(0, 30).map(({ subject }) => subject)];
    expect(last?.subject).toMatch(new RegExp(`^${over} more notifications from the last hour in Tenant`));
    const rest = Array.from({ length: leadsInAnHour }, (_, n) => n)
      .filter((n) => !single.includes(`Lead created: Ada ${n} Byron`))
      .reverse();
    const listed = [...(last?.text.matchAll(/the lead Ada (\d+) Byron\./g) ?? [])].map(([, n]) => Number(n));
    expect(listed).toEqual(rest.slice(0, 100));
    if (over > 100) expect(last?.text).toContain(`and ${over - 100} more.`);
    const limited = (await recordOf(ada)).filter(({ attempts }) => attempts[0] === 'over_limit');
    expect(limited).toHaveLength(over);
    await processLeads(1);
    expect(to(ada.user.email)).toHaveLength(32);
  }, 3_000_000);
});

describe('the mail that resets a password', () => {
  test('has a valid token that is created on sending and stored in no event or work item', async () => {
    const ada = await member(acme, []);
    await client({}).ok(requestPasswordReset, { body: { email: ada.user.email } });
    await drain();
    const [mail] = to(ada.user.email);
    const token = /mo_pw_[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(mail?.html).toContain(token);
    expect(JSON.stringify(await workItems('MAIL'))).not.toContain('mo_pw_');
    await client({}).ok(resetPassword, { body: { token, password: 'another password of her own' } });
  });

  test('links to the portal only if the user belongs to no other account', async () => {
    await acme.admin.ok(updateAccount, {
      params: { id: acme.accountId },
      body: { portalUrl: 'https://portal.example' },
    });
    const ada = await member(acme, []);
    await client({}).ok(requestPasswordReset, { body: { email: ada.user.email } });
    await drain();
    expect(to(ada.user.email).at(-1)?.text).toContain('https://portal.example/password-reset');
    const other = await tenant();
    await joins(ada, other);
    await client({}).ok(requestPasswordReset, { body: { email: ada.user.email } });
    await drain();
    expect(to(ada.user.email).at(-1)?.subject).toBe('Reset your password');
    expect(to(ada.user.email).at(-1)?.text).not.toContain('portal.example');
  });
});

describe('text messages', () => {
  test('are limited to five in an hour, and the other events follow in one mail', async () => {
    toFullHour();
    acme = await newTenant();
    const phone = '+14155550134';
    const ada = await member(acme, ['readLeads'], { ...preferring(['sms']), phone });
    await processLeads(7);
    expect(to(phone)).toHaveLength(5);
    expect(to(phone).map(({ text }) => text)).toContain('Lead created: Ada 0 Byron');
    await pass(hour);
    expect(to(ada.user.email).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^2 more notifications from the last hour in Tenant/),
    ]);
  });
});

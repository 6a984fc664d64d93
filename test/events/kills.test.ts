import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createApplicationNote from '../../functions/applications/create-application-note.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import type { ChannelName } from '../../shared/channels/channels.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { eventsFrom } from '../../shared/events/log.ts';
import { triggerQueues } from '../../shared/events/queues.ts';
import { periodAt } from '../../shared/messaging/messages/digest-period.ts';
import { digestPartition } from '../../shared/messaging/messages/keys.ts';
import { inboxOf } from '../../shared/messaging/notifications/list-inbox.ts';
import { openFanOutJob } from '../../shared/messaging/recipients/jobs.ts';
import { deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { subscriberPartition } from '../../shared/people/users/keys.ts';
import { childPartition } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import { type WorkQueue, webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { findWorkItem, workItemsOf } from '../../shared/work-queue/list-work-items.ts';
import { readPointers } from '../../shared/work-queue/store.ts';
import { workItemId } from '../../shared/work-queue/work-item.ts';
import { clock } from '../harness/clock.ts';
import { deliver, drain, newStreamRecords, takeMessages } from '../harness/drain.ts';
import { killEvery } from '../harness/heavy.ts';
import { firstKill, hideKills, killAt } from '../harness/kill.ts';
import { member, memberPassword } from '../harness/member.ts';
import { recover } from '../harness/pass-time.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

const minute = 60_000;
/** The names of the functions to kill. */
type Killed =
  | `events-${'relay' | 'audit' | 'search' | 'cleanup' | 'notifications' | 'webhooks' | 'deliveries' | 'messages' | 'jobs'}`
  | 'a schedule';

/** The sent messages: recipient and text. */
const handed: { to: string; text: string }[] = [];
interface SesInput {
  Destination: { ToAddresses: string[] };
  Content: { Simple: { Body: { Text: { Data: string } } } };
}
const stopWatching = watchWire({
  done({ service, input, status }) {
    if (status !== 200) return;
    const { Destination, Content } = input as Partial<SesInput>;
    if (service === 'ses')
      handed.push({ to: Destination?.ToAddresses[0] ?? '', text: Content?.Simple.Body.Text.Data ?? '' });
    if (service === 'sns') handed.push({ to: String(input.PhoneNumber), text: String(input.Message) });
  },
});
afterAll(stopWatching);
beforeEach(hideKills);

/**
 * Kills a function at every `killEvery`th call, before and after the call takes effect. Each time, `act` creates the
 * work, `run` is killed, `recover` repeats the work, and `check` verifies the result.
 */
async function killAtEachCall<T>(
  killed: Killed,
  act: () => Promise<T>,
  check: (made: T, label: string) => Promise<void>,
  run: () => Promise<unknown> = drain,
): Promise<void> {
  for (const moment of ['before', 'after'] as const) {
    let kills = 0;
    for (let n = firstKill(moment, killEvery); ; n += killEvery) {
      const made = await act();
      const wasKilled = await killAt(n, moment, run, killed);
      await recover();
      await check(made, `${killed} killed ${moment} call ${n}`);
      if (wasKilled) kills += 1;
      if (!wasKilled || killEvery === Number.POSITIVE_INFINITY) break;
    }
    expect(kills, killed).toBeGreaterThan(0);
  }
}

/** Creates an account with a member who is subscribed to new leads on these channels, and optionally a webhook. */
async function listening({ channels = [], hook = false }: { channels?: ChannelName[]; hook?: boolean }) {
  const acme = await tenant();
  const ada = await member(acme, ['readLeads', 'readNotifications'], {
    phone: `+1415555${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}`,
    notificationPreferences: [{ event: 'lead_created', deliveryPref: channels }],
  });
  const to = hook ? await receiver(behaviours.responds(200)) : undefined;
  const webhookId =
    to && (await acme.admin.ok(createWebhook, { body: { url: to.url, events: ['lead_created'] } })).id;
  await drain();
  const { accountId: account } = acme;
  const workQueues: WorkQueue[] = [
    ...(['MAIL', 'SMS', 'JOBS'] as const).map((name) => ({ account, name })),
    ...(webhookId === undefined ? [] : [webhookWorkQueue(account, webhookId)]),
  ];
  let leads = 0;
  /** The id of the newest event that was read. */
  let last: number | undefined;

  /** Creates a lead with the API key, which needs no session. */
  async function createOne(): Promise<{ leadId: number; event: Event }> {
    handed.splice(0);
    to?.received.splice(0);
    const { id: leadId } = await acme.directKey.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'Ada', lastName: `Byron ${++leads}` },
    });
    const since = new Date(0).toISOString();
    const logged = await eventsFrom(account, { since, after: last, limit: 100 });
    last = logged.at(-1)?.id;
    const event = logged.find(({ kind, subject }) => kind === 'lead_created' && subject.id === leadId);
    if (!event) throw new Error('The lead has no event.');
    return { leadId, event };
  }

  /**
   * Expects one audit entry, one notification, one finished work item per channel, at most `most` sends, and no
   * waiting work.
   */
  async function expectOnce({ leadId, event }: { leadId: number; event: Event }, label: string, most = 1) {
    const { auditLog } = await acme.directKey.ok(readLead, { params: { leadId } });
    expect(
      auditLog.map((entry) => entry.event),
      label,
    ).toEqual(['lead_created']);
    const owner = { account, userId: ada.user.id };
    const inbox = inboxOf(owner, clock.now());
    const { items } = await inbox.newestUnread({});
    const website = channels.includes('website') ? 1 : 0;
    expect(
      items.filter(({ id }) => id === event.id),
      label,
    ).toHaveLength(website);
    expect([await inbox.unreadTotal(), items.length], label).toEqual([website * leads, website * leads]);
    for (const [channel, name, address] of [
      ['email', 'MAIL', ada.user.email],
      ['sms', 'SMS', ada.user.phone],
    ] as const) {
      const workItem = await findWorkItem({ account, name }, workItemId(event.id, ada.user.id), clock.now());
      // Counts only messages about this lead, because the member also gets other messages.
      const sent = handed.filter(({ to, text }) => to === address && text.includes(`Byron ${leads}`)).length;
      if (!channels.includes(channel)) expect([workItem, sent], label).toEqual([undefined, 0]);
      else {
        expect(workItem?.status, label).toBe('delivered');
        expect(sent, label).toBeGreaterThan(0);
        expect(sent, label).toBeLessThanOrEqual(most);
      }
    }
    if (webhookId !== undefined) {
      const delivery = await findWorkItem(
        webhookWorkQueue(account, webhookId),
        deliveryId(event.id),
        clock.now(),
      );
      expect(delivery?.status, label).toBe('delivered');
      const requests = to?.received.length ?? 0;
      expect(requests, label).toBeGreaterThan(0);
      expect(requests, label).toBeLessThanOrEqual(most);
    }
    await expectNoneWaiting(workQueues, label);
  }
  return { acme, ada, account, workQueues, createOne, expectOnce };
}

/** Checks that no lease exists, no work item is due, and each queue with open items is in the index of due items. */
async function expectNoneWaiting(workQueues: readonly WorkQueue[], label: string): Promise<void> {
  for (const workQueue of workQueues) {
    const { state, pointers } = await readPointers(workQueue, 100);
    const [next] = pointers;
    const about = `${label}: ${workQueue.name}`;
    expect(state.lease, about).toBeUndefined();
    if (next) {
      expect(next.due > clock.now().toISOString(), about).toBe(true);
      expect((state.due ?? '~') <= next.due && state.sweepAt !== undefined, about).toBe(true);
    } else expect([state.due, state.sweepAt], about).toEqual([undefined, undefined]);
  }
}

const every = killEvery === 1 ? 'each' : 'some';
describe(`despite kills before and after ${every} of a function’s calls`, () => {
  test('the relay causes one audit entry, one notification and one delivery', async () => {
    const { createOne, expectOnce } = await listening({ channels: ['website'], hook: true });
    await killAtEachCall('events-relay', createOne, expectOnce);
  });

  test('the audit consumer writes one entry', async () => {
    const { createOne, expectOnce } = await listening({});
    await killAtEachCall('events-audit', createOne, expectOnce);
  });

  test('the webhooks consumer creates one delivery, which is sent', async () => {
    const { createOne, expectOnce } = await listening({ hook: true });
    await killAtEachCall('events-webhooks', createOne, expectOnce);
  });

  test('the notifications consumer creates one notification, one mail and one digest row', async () => {
    const channels: ChannelName[] = ['website', 'email', 'weekly_email_digest'];
    const { createOne, expectOnce, account } = await listening({ channels });
    await killAtEachCall('events-notifications', createOne, async (made, label) => {
      await expectOnce(made, label);
      const digestRows = await queryItems({ partition: `ACCOUNT#${account}#DIGEST#weekly` });
      const [digestRow, ...others] = digestRows.filter(({ sk }) => sk.endsWith(String(made.event.id)));
      expect([digestRow?.type, others], label).toEqual(['digest-arrival', []]);
      const period = String(digestRow?.period);
      const rows = await queryItems({ partition: digestPartition({ account, cadence: 'weekly', period }) });
      expect(
        rows.filter(({ eventId }) => eventId === made.event.id),
        label,
      ).toHaveLength(1);
    });
  });

  test('the cleanup consumer removes all child items of a deleted application', async () => {
    const acme = await tenant();
    const { accountId: account, directKey } = acme;
    const makeDeleted = async () => {
      const { id: applicationId } = await directKey.ok(createApplication, { body: {} });
      const params = { applicationId };
      await directKey.ok(createApplicationNote, { params, body: { content: 'A note' } });
      await drain();
      await directKey.ok(deleteApplication, { params });
      return childPartition({ account, parent: 'APPLICATION', parentId: applicationId, kind: 'NOTE' });
    };
    await killAtEachCall('events-cleanup', makeDeleted, async (partition, label) => {
      expect(await queryItems({ partition }), label).toEqual([]);
    });
  });

  test('the delivery worker posts a delivery once or twice', async () => {
    const { createOne, expectOnce } = await listening({ hook: true });
    await killAtEachCall('events-deliveries', createOne, (made, label) => expectOnce(made, label, 2));
  });

  test('the mail worker sends a mail once or twice', async () => {
    const { createOne, expectOnce } = await listening({ channels: ['email'] });
    await killAtEachCall('events-messages', createOne, (made, label) => expectOnce(made, label, 2));
  });

  test('the text message worker sends a message once or twice', async () => {
    const { createOne, expectOnce } = await listening({ channels: ['sms'] });
    const later = () => {
      // Keeps the user below the limit of five text messages per hour.
      clock.advance(15 * minute);
      return createOne();
    };
    await killAtEachCall('events-messages', later, (made, label) => expectOnce(made, label, 2));
  });

  test('the sweep triggers due work queues even if every trigger message was lost', async () => {
    const { createOne, expectOnce } = await listening({ channels: ['email'], hook: true });
    const withoutTrigger = async () => {
      await newStreamRecords();
      const made = await createOne();
      await deliver(await newStreamRecords(), { alone: true });
      for (const queue of triggerQueues)
        expect((await takeMessages(queue)).length > 0, queue).toBe(
          ['deliveries', 'messages'].includes(queue),
        );
      clock.advance(2 * minute);
      return made;
    };
    await killAtEachCall('a schedule', withoutTrigger, expectOnce, () =>
      runSchedule(workQueueSweep, clock.now()),
    );
  });

  test('the digest worker sends each digest at most once, and includes the rows in the next digest if the result is unknown', async () => {
    const { createOne, account, ada, workQueues } = await listening({ channels: ['weekly_email_digest'] });
    const names: string[] = [];
    const unknown = new Set<string>();
    /** The sent digests. `isUnknown`: the worker was killed before it stored the result. */
    const digests: { text: string; isUnknown: boolean }[] = [];
    const untilMonday = async () => {
      await drain();
      const { due } = periodAt('weekly', clock.now(), 'UTC');
      clock.advance(due.getTime() - clock.now().getTime() + minute);
    };
    const makeWeek = async () => {
      const { event } = await createOne();
      names.push(event.subject.label ?? '');
      await untilMonday();
    };
    const sweepAndDrain = async () => {
      await runSchedule(workQueueSweep, clock.now());
      await drain();
    };
    const expectOneMail = async (label: string) => {
      const sent = handed.splice(0).filter(({ to }) => to === ada.user.email);
      expect(sent.length, label).toBeLessThanOrEqual(1);
      const known = unknown.size;
      const { items } = await workItemsOf({ account, name: 'MAIL' }, clock.now()).newest({});
      for (const { id, attempts } of items) if (attempts.at(-1)?.reason === 'in_next_digest') unknown.add(id);
      digests.push(...sent.map(({ text }) => ({ text, isUnknown: unknown.size > known })));
      await expectNoneWaiting(workQueues, label);
    };
    await killAtEachCall('events-messages', makeWeek, (_, label) => expectOneMail(label), sweepAndDrain);
    await makeWeek();
    await sweepAndDrain();
    await recover();
    await expectOneMail('the last week');
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      const containing = digests.filter(({ text }) => text.includes(`${name}.`));
      expect(containing, name).not.toEqual([]);
      // A row is sent again only if the result of its digest is unknown.
      expect(
        containing.slice(0, -1).every(({ isUnknown }) => isUnknown),
        name,
      ).toBe(true);
    }
  });

  test('the fan-out job notifies each recipient once', async () => {
    const { acme, account, ada, createOne, workQueues } = await listening({ channels: ['website'] });
    const subscription = {
      notificationPreferences: [{ event: 'lead_created' as const, deliveryPref: ['website' as const] }],
    };
    const all = [ada];
    for (const _ of [1, 2]) all.push(await member(acme, ['readLeads', 'readNotifications'], subscription));
    await drain();
    let events = 0;
    const opened = async () => {
      const { event } = await createOne();
      // Discards the stream record of the event, so that only the job notifies the members.
      await newStreamRecords();
      await openFanOutJob(event, { now: clock.now(), deadline: Date.now() + minute });
      events += 1;
      return event;
    };
    await killAtEachCall('events-jobs', opened, async ({ id }, label) => {
      for (const { user } of all) {
        const inbox = inboxOf({ account, userId: user.id }, clock.now());
        const { items } = await inbox.newestUnread({});
        expect(
          items.filter((one) => one.id === id),
          label,
        ).toHaveLength(1);
        expect([items.length, await inbox.unreadTotal()], label).toEqual([events, events]);
      }
      await expectNoneWaiting(workQueues, label);
    });
  });

  test('the job that rewrites the subscriber index writes the rows that the preferences require', async () => {
    const { account, ada, createOne, expectOnce, workQueues } = await listening({ channels: ['website'] });
    let wants = false;
    const changed = async () => {
      wants = !wants;
      const authorization = await signIn({ email: ada.user.email, password: memberPassword });
      const website = (event: 'lead_created' | 'team_created') => ({
        event,
        deliveryPref: ['website' as const],
      });
      await client({ 'x-account-id': account, authorization }).ok(setNotificationPreferences, {
        params: { email: ada.user.email },
        body: [website('lead_created'), ...(wants ? [website('team_created')] : [])],
      });
      return createOne();
    };
    await killAtEachCall('events-jobs', changed, async (made, label) => {
      await expectOnce(made, label);
      expect(await queryItems({ partition: subscriberPartition(account, 'CHANGED') }), label).toEqual([]);
      const rows = await queryItems({ partition: subscriberPartition(account, 'team_created') });
      expect(rows, label).toHaveLength(wants ? 1 : 0);
      await expectNoneWaiting(workQueues, label);
    });
  });
});

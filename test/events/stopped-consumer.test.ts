import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, expect, test, vi } from 'vitest';
import { lagMetric } from '../../events/consumer.ts';
import healthCheck from '../../events/schedules/health-check.ts';
import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createApplicationNote from '../../functions/applications/create-application-note.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import testPartnerConnection from '../../functions/integrations/test-partner-connection.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import createResidualRun from '../../functions/residual-runs/create-residual-run.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import recoverWebhook from '../../functions/webhooks/recover-webhook.ts';
import type { QueueState } from '../../infra/operations/describe-letters.ts';
import { mails as mailRecords } from '../../shared/correspondence/mails/store.ts';
import { type QueueName, queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import { allSeals } from '../../shared/integrity/event-seals/store.ts';
import { inboxOf } from '../../shared/messaging/notifications/list-inbox.ts';
import { residualRuns } from '../../shared/residuals/runs/store.ts';
import { childPartition, searchEntriesKey } from '../../shared/table/keys.ts';
import { getItem, queryItems } from '../../shared/table/read.ts';
import { workItemsOf } from '../../shared/work-queue/list-work-items.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import '../harness/queue-ages.ts';
import { addressOf, storeMail } from '../correspondence/incoming-mail.ts';
import { addAddress, ticketOf } from '../correspondence/outgoing-world.ts';
import { passTime } from '../harness/pass-time.ts';
import { sqs } from '../harness/queues.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

// The clock is not reset, because new events would get ids from before the reset, and would be sealed later.
afterEach(() => void vi.restoreAllMocks());

const list = operatorsCommand('dead-letters');

/** Prepares an effect for each consumer. `happen` causes these effects, and `did` reports which have occurred. */
async function effectsPerConsumer() {
  const acme = await tenant();
  const { accountId: account, key } = acme;
  const ada = await member(acme, ['readLeads', 'readNotifications'], {
    notificationPreferences: [{ event: 'lead_created', deliveryPref: ['website', 'email'] }],
  });
  const to = await receiver(behaviours.responds(200));
  const { id: webhookId } = await acme.admin.ok(createWebhook, {
    body: { url: to.url, events: ['lead_created'] },
  });
  const partner = await receiver(behaviours.responds(200));
  await acme.admin.ok(savePartnerConnection, { body: { url: partner.url, active: true } });
  await addAddress(acme);
  const inbound = await addressOf(account, { address: 'inbound@acme.test' });
  const ofAccount = { params: { id: account }, body: { mail: { commentsByMail: true } } };
  await acme.admin.ok(updateAccount, ofAccount);
  const { uniqueId: ticketId } = await ticketOf(acme);
  const { id: applicationId } = await key.ok(createApplication, { body: {} });
  await key.ok(createApplicationNote, { params: { applicationId }, body: { content: 'A note' } });
  await drain();
  const notes = childPartition({ account, parent: 'APPLICATION', parentId: applicationId, kind: 'NOTE' });
  // Depending on the time of day, the preparations are sealed already.
  const sealed = (await allSeals(account)).length;
  const mails = { toUsers: 0, toCustomers: 0 };
  const stop = watchWire({
    before({ service, input }) {
      const isRaw = (input.Content as { Raw?: object } | undefined)?.Raw !== undefined;
      if (service === 'ses') mails[isRaw ? 'toCustomers' : 'toUsers'] += 1;
    },
  });

  const happen = async () => {
    await key.ok(deleteApplication, { params: { applicationId } });
    await key.ok(createTicketComment, { params: { ticketId }, body: { body: 'Hello' } });
    await acme.admin.ok(testPartnerConnection);
    // A job without effect: it recovers the events of an empty time span.
    const since = clock.now().toISOString();
    await acme.admin.ok(recoverWebhook, { params: { id: webhookId }, body: { since, until: since } });
    await key.ok(createResidualRun, { body: { month: '2026-02' } });
    const QueueUrl = process.env[queueUrlVariable('incoming')];
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: await storeMail({ to: inbound }) }));
    return key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  };
  const did = async ({ id: leadId }: { id: number }): Promise<Record<QueueName, boolean>> => ({
    audit: (await key.ok(readLead, { params: { leadId } })).auditLog.length === 1,
    search: (await getItem(searchEntriesKey(account, 'LEAD', leadId))) !== undefined,
    cleanup: (await queryItems({ partition: notes })).length === 0,
    notifications: (await inboxOf({ account, userId: ada.user.id }, clock.now()).unreadTotal()) === 1,
    webhooks: to.received.length === 1,
    incoming: (await mailRecords.newest(account, 10)).some(({ direction }) => direction === 'incoming'),
    deliveries: to.received.length === 1,
    partner: partner.received.length === 1,
    messages: mails.toUsers === 1,
    outgoing: mails.toCustomers === 1,
    jobs: (await workItemsOf({ account, name: 'JOBS' }, clock.now()).newest({})).items.some(
      ({ id, status }) => id.startsWith('recover-') && status === 'delivered',
    ),
    residuals: (await residualRuns.newest(account, 1)).some(({ state }) => state !== 'calculating'),
    sealing: (await allSeals(account)).length > sealed,
  });
  return { happen, did, stop };
}

/** If the consumer in a key is stopped, the effect of the consumer in the value is missing, too. */
const behind: Partial<Record<QueueName, QueueName>> = {
  notifications: 'messages',
  webhooks: 'deliveries',
  deliveries: 'webhooks',
};

test.each(queueNames)(
  'while the consumer of %s is stopped, all other consumers work, and the stopped consumer catches up later',
  async (stopped) => {
    const { happen, did, stop } = await effectsPerConsumer();
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => Boolean(lines.push(String(line))));
    const lead = await happen();
    await runSchedule(healthCheck, clock.now());
    await drain({ stopped });
    // The events are sealed at most 17 minutes later.
    clock.advance(17 * 60_000);
    await runSchedule(workQueueSweep, clock.now());
    await drain({ stopped });
    const reporting = lines
      .filter((line) => line.includes(`"${lagMetric}":`))
      .map((line) => (JSON.parse(line) as { queue: QueueName }).queue);
    // The stopped consumer sends no metric, and missing data raises its alarm.
    expect([...new Set(reporting)].sort()).toEqual(queueNames.filter((name) => name !== stopped).sort());
    expect(await did(lead)).toEqual(
      Object.fromEntries(queueNames.map((name) => [name, name !== stopped && name !== behind[stopped]])),
    );

    const listed = JSON.parse((await list.here('list', '--json', '--stage', 'local')).stdout) as QueueState[];
    const waiting = listed.filter((state) => (state.waiting?.messages ?? 0) > 0);
    expect(waiting).toMatchObject([{ queue: stopped, waiting: { oldestSeconds: 10_800 } }]);

    await passTime(120_000);
    expect(await did(lead)).toEqual(Object.fromEntries(queueNames.map((name) => [name, true])));
    stop();
  },
);

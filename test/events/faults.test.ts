import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, expect, test, vi } from 'vitest';
import { scheduleHandler } from '../../events/schedule.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createApplicationDocument from '../../functions/applications/create-application-document.ts';
import createApplicationNote from '../../functions/applications/create-application-note.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import sendApplicationMail from '../../functions/applications/send-application-mail.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import testPartnerConnection from '../../functions/integrations/test-partner-connection.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import completeResidualFile from '../../functions/residual-files/complete-residual-file.ts';
import createResidualRun from '../../functions/residual-runs/create-residual-run.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import recoverWebhook from '../../functions/webhooks/recover-webhook.ts';
import { describedScan } from '../../infra/administration/upload-file.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { scheduleStatements } from '../../infra/rights/event-rights.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { eventsFrom } from '../../shared/events/log.ts';
import { queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import { allSeals, eventsWithin, readLeaves } from '../../shared/integrity/event-seals/store.ts';
import { digestPartition } from '../../shared/messaging/messages/keys.ts';
import { inboxOf } from '../../shared/messaging/notifications/list-inbox.ts';
import { deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { residualFiles } from '../../shared/residuals/files/store.ts';
import { residualRuns } from '../../shared/residuals/runs/store.ts';
import { childPartition } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { findWorkItem } from '../../shared/work-queue/list-work-items.ts';
import { readPointers } from '../../shared/work-queue/store.ts';
import { workItemId } from '../../shared/work-queue/work-item.ts';
import { addressOf, storeMail } from '../correspondence/incoming-mail.ts';
import { failCalls, transientFaultsOf } from '../harness/call-faults.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { faultRoundsEvery } from '../harness/heavy.ts';
import { startKms } from '../harness/kms.ts';
import { member } from '../harness/member.ts';
import { sqs } from '../harness/queues.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { tenant } from '../harness/tenant.ts';
import { runAs, type WireFault, type WireRequest, watchWire } from '../harness/wire.ts';
import { formatted, uploaded } from '../residuals/residual-files.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

/** Skips the waits between retries. */
vi.mock('../../shared/table/backoff.ts', () => ({ backoff: async () => {} }));

delete process.env.KEY_FILE;
delete process.env.SEAL_KEY_FILE;
Object.assign(process.env, {
  AWS_ENDPOINT_URL_KMS: await startKms(),
  SEAL_KEY_ID: 'alias/merchant-ops-local-seals',
  DATA_KEY_ID: 'alias/merchant-ops-local-data-keys',
});
vi.spyOn(console, 'error').mockImplementation(() => {});
vi.spyOn(process.stdout, 'write').mockImplementation(() => true);

/** Requests that only follow certain faults of others, so that they may be absent. */
const onlyAfterFaults = [
  'events-search dynamodb GetItem',
  'events-deliveries kms Decrypt',
  'events-webhooks dynamodb DeleteItem',
];

/** The kinds of AWS requests of each function. The test injects all transient faults of each kind. */
const kindsOf = {
  'account-closings': ['dynamodb Query'],
  'work-queue-sweep': [
    'dynamodb GetItem',
    'dynamodb Query',
    'dynamodb TransactWriteItems',
    'dynamodb UpdateItem',
    'sqs SendMessage',
  ],
  'events-audit': ['dynamodb BatchGetItem', 'dynamodb BatchWriteItem', 'dynamodb Query'],
  'events-search': ['dynamodb BatchGetItem', 'dynamodb BatchWriteItem', 'dynamodb PutItem'],
  'events-cleanup': ['dynamodb BatchWriteItem', 'dynamodb GetItem', 'dynamodb Query', 's3 DeleteObject'],
  // The data key is cached, because the consumer for the partner decrypts it earlier in each round.
  'events-deliveries': [
    'dynamodb BatchGetItem',
    'dynamodb DeleteItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb Query',
  ],
  'events-incoming': [
    'dynamodb GetItem',
    'dynamodb TransactWriteItems',
    'dynamodb UpdateItem',
    's3 GetObject',
  ],
  'events-jobs': [
    'dynamodb BatchGetItem',
    'dynamodb DeleteItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb Query',
  ],
  'events-messages': [
    'dynamodb BatchGetItem',
    'dynamodb DeleteItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb Query',
    'dynamodb TransactWriteItems',
    'dynamodb UpdateItem',
    'ses SendEmail',
    'sns Publish',
  ],
  'events-notifications': [
    'dynamodb BatchGetItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb Query',
    'dynamodb TransactWriteItems',
    'sqs SendMessage',
  ],
  'events-outgoing': [
    'dynamodb BatchGetItem',
    'dynamodb DeleteItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb Query',
    'dynamodb TransactWriteItems',
    'dynamodb UpdateItem',
    'ses SendEmail',
  ],
  'events-partner': [
    'dynamodb BatchGetItem',
    'dynamodb DeleteItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb Query',
    'kms Decrypt',
  ],
  'events-relay': ['sqs SendMessageBatch'],
  'events-residuals': [
    'dynamodb BatchGetItem',
    'dynamodb BatchWriteItem',
    'dynamodb DeleteItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb Query',
    'dynamodb TransactWriteItems',
    's3 DeleteObject',
    's3 GetObject',
  ],
  'events-sealing': [
    'dynamodb BatchGetItem',
    'dynamodb BatchWriteItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb Query',
    'dynamodb TransactWriteItems',
    'kms GetPublicKey',
    'kms Sign',
  ],
  'events-webhooks': [
    'dynamodb BatchGetItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb TransactWriteItems',
    'sqs SendMessage',
  ],
  'health-check': ['dynamodb TransactWriteItems'],
  'sla-sweep': ['dynamodb GetItem', 'dynamodb Query', 'dynamodb TransactWriteItems'],
};

const minute = 60_000;
/** Milliseconds added to Date.now(), so that the data keys in the caches of instances expire. */
let ahead = 0;
const realNow = Date.now;
vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead);
const schedules = await loadSchedules();

/** The recipients of the messages that SES and SNS accepted. */
const handed: string[] = [];
afterAll(
  watchWire({
    done({ service, input, status }) {
      if (status !== 200) return;
      const { Destination } = input as { Destination?: { ToAddresses: string[] } };
      if (service === 'ses') handed.push(Destination?.ToAddresses[0] ?? '');
      if (service === 'sns') handed.push(String(input.PhoneNumber));
    },
  }),
);

const nameOf = (fault: WireFault): string =>
  typeof fault === 'string' ? fault : (fault.reason ?? fault.error);

/** The rounds that run. Each round injects other faults, and only all six rounds together inject every fault. */
const rounds = [0, 1, 2, 3, 4, 5].filter((round) => round % faultRoundsEvery === 0);

/**
 * Returns the faults of a request in a round: one for SES and SNS, and two for other services. After the fault `lost`
 * or `reset` of SES or SNS, a message has only one retry left. These faults are therefore injected in the first rounds.
 * In these rounds, the SDK retries failed requests to the table, so no table fault uses the last retry of the message.
 */
function faultsIn(round: number, request: WireRequest): readonly WireFault[] {
  const all = transientFaultsOf(request);
  if (request.service === 'ses' || request.service === 'sns') return all.toReversed().slice(round, round + 1);
  return all.slice(round * 2, round * 2 + 2);
}

/** Identifies the code that sends a request: the function, the kind of request and the shape of its input. */
const placeOf = ({ invocation, service, operation, input }: WireRequest): string => {
  const shape = JSON.stringify(input, (name, value) =>
    typeof value === 'string' && !/Expression|IndexName/.test(name) ? '' : value,
  );
  return `${invocation?.functionName} ${service} ${operation} ${shape}`;
};

/** Advances the clock, runs all schedules and drains all queues. Repeats failed drains. */
async function passMinutes(minutes: number): Promise<void> {
  clock.advance(minutes * minute);
  for (const { name, schedule } of schedules) {
    const as = { functionName: name, statements: scheduleStatements(schedule) };
    await runAs(as, () => scheduleHandler(schedule, clock.now)({})).catch(() => {});
  }
  for (let run = 0; run < 40; run++)
    if (
      await drain().then(
        () => true,
        () => false,
      )
    )
      return;
  throw new Error('The queues did not become empty.');
}

const which = faultRoundsEvery === 1 ? 'all' : 'some';
test(`each event and schedule function succeeds after ${which} transient faults of each of its AWS requests`, async () => {
  const acme = await tenant();
  const { accountId: account, directKey } = acme;
  const ada = await member(acme, ['readLeads', 'readNotifications'], {
    phone: '+14155550117',
    notificationPreferences: [
      { event: 'lead_created', deliveryPref: ['website', 'email', 'sms', 'weekly_email_digest'] },
    ],
  });
  const hook = await receiver(behaviours.responds(200));
  const { id: webhookId } = await acme.admin.ok(createWebhook, {
    body: { url: hook.url, events: ['lead_created'] },
  });
  const partner = await receiver(behaviours.responds(200));
  await acme.admin.ok(savePartnerConnection, { body: { url: partner.url, active: true } });
  const { id: mailedApplicationId } = await directKey.ok(createApplication, { body: {} });
  const inbound = await addressOf(account);
  // The sessions of people expire during the rounds.
  const owner = { ...acme, admin: directKey };
  await formatted(owner);
  // Each round begins after a completed sealing job, so that each round creates the job again.
  for (const minutes of [0, 15, 15]) await passMinutes(minutes);

  /** The injected faults of each kind of request, by function. */
  const reached: Record<string, Record<string, Set<string>>> = {};
  /** The numbers of the tickets whose response time ends in the round. Those of received mails have more time. */
  const urgent: string[] = [];
  for (const [completed, round] of rounds.entries()) {
    // Instances cache the public key of a key id. A new key id makes them request the public key in each round.
    process.env.SEAL_KEY_ID = `alias/merchant-ops-local-seals-${round}`;
    // Schedules emit `cron_triggered` at most once an hour.
    clock.advance(60 * minute - (clock.now().getTime() % (60 * minute)));
    const { ticketNumber } = await newTicketOf(directKey, { priority: 'urgent' });
    urgent.push(ticketNumber);
    const { id: leadId } = await directKey.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'Ada', lastName: `Byron ${round}` },
    });
    const { id: applicationId } = await directKey.ok(createApplication, { body: {} });
    const params = { applicationId };
    await directKey.ok(createApplicationNote, { params, body: { content: 'A note' } });
    await directKey.ok(createApplicationDocument, {
      params,
      body: { ...describedScan, documentKey: 'voided-check' },
    });
    await directKey.ok(deleteApplication, { params });
    await directKey.ok(testPartnerConnection);
    // A job without effect: it recovers the events of an empty time span.
    const since = clock.now().toISOString();
    await directKey.ok(recoverWebhook, { params: { id: webhookId }, body: { since, until: since } });
    const csv = `MID,DBA,Volume,Income,Expense,Net\n4900000000${round},Harbor Street,100,2,1,${round + 1}\n`;
    const { id: fileId } = await uploaded(owner, csv, { fileName: 'residuals.csv' });
    await directKey.ok(completeResidualFile, { params: { id: fileId }, body: {} });
    const { id: runId } = await directKey.ok(createResidualRun, { body: { month: '2026-10' } });
    const customer = `customer${round}@example.com`;
    const { id: mailId } = await directKey.ok(sendApplicationMail, {
      params: { applicationId: mailedApplicationId },
      body: { to: [customer], subject: 'Your terminal', body: 'Hello' },
    });
    const QueueUrl = process.env[queueUrlVariable('incoming')];
    const received = await storeMail({ to: inbound, from: customer });
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: received }));
    // Makes the data keys in the caches of the endpoints expire.
    ahead += 5 * minute;
    handed.splice(0);
    hook.received.splice(0);
    partner.received.splice(0);

    const coming = new Map<string, WireFault[]>();
    const { stop } = failCalls((request) => {
      const place = placeOf(request);
      const faults = coming.get(place) ?? [...faultsIn(round, request)];
      coming.set(place, faults);
      const fault = faults.shift();
      const { invocation, service, operation } = request;
      const name = invocation?.functionName ?? '';
      const kinds = reached[name] ?? {};
      reached[name] = kinds;
      const kind = `${service} ${operation}`;
      const names = kinds[kind] ?? new Set();
      kinds[kind] = names;
      if (fault) names.add(nameOf(fault));
      return fault;
    });
    for (const minutes of [0, 2, 14]) await passMinutes(minutes);
    stop();
    for (const minutes of [3, 15]) await passMinutes(minutes);

    const label = `round ${round}`;
    const { auditLog } = await directKey.ok(readLead, { params: { leadId } });
    expect
      .soft(
        auditLog.map(({ event }) => event),
        label,
      )
      .toEqual(['lead_created']);
    const events = await eventsFrom(account, { since: new Date(0).toISOString(), limit: 1000 });
    const event = events.find(({ kind, subject }) => kind === 'lead_created' && subject.id === leadId);
    const eventId = event?.id ?? 0;
    const { items } = await inboxOf({ account, userId: ada.user.id }, clock.now()).newestUnread({});
    expect
      .soft(
        items.filter(({ id }) => id === eventId),
        label,
      )
      .toHaveLength(1);
    expect
      .soft(await inboxOf({ account, userId: ada.user.id }, clock.now()).unreadTotal(), label)
      .toBe(completed + 1);
    for (const [name, address] of [
      ['MAIL', ada.user.email],
      ['SMS', ada.user.phone],
    ] as const) {
      const workItem = await findWorkItem({ account, name }, workItemId(eventId, ada.user.id), clock.now());
      expect.soft([name, workItem?.status], label).toEqual([name, 'delivered']);
      const times = handed.filter((to) => to === address).length;
      expect.soft([1, 2], `${label} ${name}`).toContain(times);
    }
    const sentMail = await mails.get(account, mailId);
    expect
      .soft(
        sentMail.deliveries?.map(({ state }) => state),
        label,
      )
      .toEqual(['sent']);
    expect.soft([1, 2], `${label} to a customer`).toContain(handed.filter((to) => to === customer).length);
    const arrived = (await mails.newest(account, 100)).filter(({ from }) => from.address === customer);
    expect
      .soft(
        arrived.map(({ state }) => state),
        label,
      )
      .toEqual(['received']);
    expect.soft(await residualFiles.get(account, fileId), label).toMatchObject({ state: 'read', rows: 1 });
    expect.soft((await residualRuns.get(account, runId)).state, label).toBe('preview');
    const hooks = webhookWorkQueue(account, webhookId);
    expect
      .soft((await findWorkItem(hooks, deliveryId(eventId), clock.now()))?.status, label)
      .toBe('delivered');
    expect.soft(hook.received.length, label).toBeGreaterThan(0);
    expect.soft(partner.received.length, label).toBeGreaterThan(0);
    const digestRows = await queryItems({ partition: `ACCOUNT#${account}#DIGEST#weekly` });
    const period = String(digestRows.find(({ sk }) => sk.endsWith(String(eventId)))?.period);
    const rows = await queryItems({ partition: digestPartition({ account, cadence: 'weekly', period }) });
    expect
      .soft(
        rows.filter((row) => row.eventId === eventId),
        label,
      )
      .toHaveLength(1);
    for (const kind of ['NOTE', 'DOCUMENT'] as const) {
      const partition = childPartition({ account, parent: 'APPLICATION', parentId: applicationId, kind });
      expect.soft(await queryItems({ partition }), label).toEqual([]);
    }
    const workQueues = (['MAIL', 'SMS', 'JOBS', 'RESIDUALS', 'OUTGOINGMAIL', 'PARTNER'] as const).map(
      (name) => ({ account, name }),
    );
    for (const workQueue of [...workQueues, hooks]) {
      const { state, pointers } = await readPointers(workQueue, 100);
      const due = pointers.filter((pointer) => pointer.due <= clock.now().toISOString());
      expect.soft([state.lease, due], `${label} ${workQueue.name}`).toEqual([undefined, []]);
    }
  }
  const seals = await allSeals(account);
  const sealed = (await readLeaves(account, seals)).flatMap((leaves) => leaves ?? []);
  const until = seals.at(-1)?.to ?? '';
  expect(sealed).toHaveLength(
    (await eventsWithin(account, { from: '2025-01-01T00:00:00.000Z', to: until })).length,
  );
  const logged = await eventsFrom(account, { since: new Date(0).toISOString(), limit: 1000 });
  const breached = logged.flatMap(({ data, subject }) =>
    (data as { target?: string }).target === 'firstResponse' ? [subject.label?.split(' ')[0] ?? ''] : [],
  );
  expect(breached.filter((number) => urgent.includes(number)).sort()).toEqual(urgent.toSorted());
  const always = (name: string, kind: string) => !onlyAfterFaults.includes(`${name} ${kind}`);
  for (const [name, kinds] of Object.entries(reached))
    for (const [kind, names] of Object.entries(kinds).filter(([kind]) => always(name, kind))) {
      const [service = '', operation = ''] = kind.split(' ');
      const request = { invocation: undefined, service, operation, input: {} };
      const injected = rounds.flatMap((round) => faultsIn(round, request)).map(nameOf);
      expect.soft([...names].sort(), `${name} ${kind}`).toEqual([...new Set(injected)].sort());
    }
  const kinds = Object.entries(reached).map(([name, of]) => [
    name,
    Object.keys(of)
      .filter((kind) => always(name, kind))
      .sort(),
  ]);
  expect(Object.fromEntries(kinds)).toEqual(kindsOf);
  // `kindsOf` must contain every function.
  const functions = [...queueNames, 'relay'].map((name) => `events-${name}`);
  expect(Object.keys(kindsOf).sort()).toEqual([...functions, ...schedules.map(({ name }) => name)].sort());
});

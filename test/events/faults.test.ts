import { afterAll, expect, test, vi } from 'vitest';
import { scheduleHandler } from '../../events/schedule.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createApplicationDocument from '../../functions/applications/create-application-document.ts';
import createApplicationNote from '../../functions/applications/create-application-note.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import testPartnerConnection from '../../functions/integrations/test-partner-connection.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import recoverWebhook from '../../functions/webhooks/recover-webhook.ts';
import { describedScan } from '../../infra/administration/upload-file.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { scheduleStatements } from '../../infra/rights/event-rights.ts';
import { eventsFrom } from '../../shared/events/log.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { allSeals, eventsWithin, readLeaves } from '../../shared/integrity/event-seals/store.ts';
import { digestPartition } from '../../shared/messaging/messages/keys.ts';
import { inboxOf } from '../../shared/messaging/notifications/list-inbox.ts';
import { deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { childPartition } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { findWorkItem } from '../../shared/work-queue/list-work-items.ts';
import { readPointers } from '../../shared/work-queue/store.ts';
import { workItemId } from '../../shared/work-queue/work-item.ts';
import { failCalls, transientFaultsOf } from '../harness/call-faults.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { faultRoundsEvery } from '../harness/heavy.ts';
import { startKms } from '../harness/kms.ts';
import { member } from '../harness/member.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { tenant } from '../harness/tenant.ts';
import { runAs, type WireFault, type WireRequest, watchWire } from '../harness/wire.ts';
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

/** A request that only follows certain faults of another one, so that it may be absent. */
const onlyAfterFaults = 'events-search dynamodb GetItem';

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
  'events-partner': [
    'dynamodb BatchGetItem',
    'dynamodb DeleteItem',
    'dynamodb GetItem',
    'dynamodb PutItem',
    'dynamodb Query',
    'kms Decrypt',
  ],
  'events-relay': ['sqs SendMessageBatch'],
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
  // Each round begins after a completed sealing job, so that each round creates the job again.
  for (const minutes of [0, 15, 15]) await passMinutes(minutes);

  /** The injected faults of each kind of request, by function. */
  const reached: Record<string, Record<string, Set<string>>> = {};
  for (const [completed, round] of rounds.entries()) {
    // Instances cache the public key of a key id. A new key id makes them request the public key in each round.
    process.env.SEAL_KEY_ID = `alias/merchant-ops-local-seals-${round}`;
    // Schedules emit `cron_triggered` at most once an hour.
    clock.advance(60 * minute - (clock.now().getTime() % (60 * minute)));
    await newTicketOf(directKey, { priority: 'urgent' });
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
    const workQueues = (['MAIL', 'SMS', 'JOBS', 'PARTNER'] as const).map((name) => ({ account, name }));
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
  const breaches = logged.filter(({ data }) => (data as { target?: string }).target === 'firstResponse');
  expect(breaches).toHaveLength(rounds.length);
  expect(new Set(breaches.map(({ subject }) => subject.id)).size).toBe(rounds.length);
  const always = (name: string, kind: string) => `${name} ${kind}` !== onlyAfterFaults;
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

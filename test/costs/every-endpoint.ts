import slaSweep from '../../events/schedules/sla-sweep.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import logIn from '../../functions/auth/log-in.ts';
import stepUp from '../../functions/auth/step-up.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { replyAddress } from '../../shared/correspondence/threads/thread-token.ts';
import { changes } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import { openSealing } from '../../shared/integrity/event-seals/open-sealing.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { addressOf, receive } from '../correspondence/incoming-mail.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { deliver, drain, drainQueues, newStreamRecords } from '../harness/drain.ts';
import { filledMerchant } from '../harness/filled-merchant.ts';
import { member, memberPassword, provesAgain } from '../harness/member.ts';
import { nextMinute } from '../harness/quiet-minute.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import type { WireExchange } from '../harness/wire.ts';
import { expectHappy, type HappyPath, happyPath } from '../routes/happy-paths.ts';
import { exampleBody, nameOf } from '../routes/records.ts';
import { type Measured, measure } from './meter.ts';

/** The cost of a call or of an event. */
export interface Cost {
  /** The route and variant of a call, or the kind of an event. */
  of: string;
  requests: number;
  sequence: number;
  read: number;
  write: number;
  /** Requests to services other than DynamoDB, by service and operation, for example `ses SendEmail`. */
  elsewhere: Readonly<Record<string, number>>;
  /** The kinds of the events that the call causes. */
  events: readonly string[];
}

/** All measured costs. */
export interface Costs {
  calls: Cost[];
  /** The cost of each event: relay, consumers, and the workers that they start. */
  events: Cost[];
  /** All requests of the measured calls and events. */
  exchanges: WireExchange[];
  /** Requests that were still in progress after the function had responded. */
  pending: string[];
}

/** A call whose cost differs from the usual cost of the endpoint. */
interface Variant {
  of: string;
  endpoint: Endpoint;
  sent: (owner: Tenant) => Promise<HappyPath>;
}

async function revealsMerchant({ admin }: Tenant) {
  await provesAgain(admin);
  const { id: merchantId } = await admin.ok(createMerchant, { body: filledMerchant });
  return { headers: admin.headers, params: { merchantId }, query: { reveal: true } };
}

const variants: Variant[] = [
  {
    of: 'POST /auth/login, by API key',
    endpoint: logIn,
    sent: async ({ apiKey, apiSecret }) => ({ body: { apiKey, apiSecret } }),
  },
  {
    of: 'GET /applications/{applicationId}, reveal=false',
    endpoint: readApplication,
    sent: async ({ admin }) => {
      const { id } = await admin.ok(createApplication, { body: { basics: { dbaTaxId: '12-3456789' } } });
      return { headers: admin.headers, params: { applicationId: id }, query: { reveal: false } };
    },
  },
  {
    of: 'GET /merchants/{merchantId}, reveal=true',
    endpoint: readMerchant,
    sent: revealsMerchant,
  },
  {
    of: 'GET /merchants/{merchantId}, reveal=true, with a single-use token',
    endpoint: readMerchant,
    async sent(owner) {
      const ada = await member(owner, ['readMerchants', 'writeMerchants']);
      const request = await revealsMerchant({ ...owner, admin: ada.client });
      const subject = { accountId: owner.accountId, id: String(request.params.merchantId) };
      const body = { password: memberPassword, purpose: 'reveal' as const, subject };
      const { stepUpToken = '' } = await ada.client.ok(stepUp, { body });
      await provesAgain(ada.client, new Date(clock.now().getTime() - 3_600_000));
      return { ...request, headers: { ...request.headers, 'x-step-up-token': stepUpToken } };
    },
  },
  {
    of: 'POST /leads, by rotation',
    endpoint: createLead,
    sent: async ({ admin, adminEmail }) => {
      const body = { name: 'Everybody', userRotationArray: [{ userId: adminEmail, weight: 1 }] };
      await admin.ok(createLeadRotation, { body });
      return { headers: admin.headers, body: { firstName: 'Dana', lastName: 'Reyes' } };
    },
  },
  {
    of: 'POST /tickets, by rotation',
    endpoint: createTicket,
    sent: async ({ admin, adminEmail }) => {
      const rotation = await admin.ok(createTicketRotation, {
        body: { name: 'Everybody', userRotationArray: [{ userId: adminEmail, weight: 1 }] },
      });
      const { uniqueId: ticketTypeId } = await admin.ok(createTicketType, {
        body: {
          name: 'Terminal fault',
          description: 'It takes no cards',
          category: 'technical',
          autoAssignmentEnabled: true,
          rotationId: rotation.uniqueId,
        },
      });
      return { headers: admin.headers, body: { ...(exampleBody(createTicket) as object), ticketTypeId } };
    },
  },
];

/**
 * Measures a call of every endpoint and each event that the call causes. Before each measurement, another call verifies
 * the caller's session on this instance. Each resource has its own account, so a new endpoint does not change the costs
 * of other resources.
 */
export async function measureEveryEndpoint(): Promise<Costs> {
  const all = await loadEndpoints();
  const guarded = all.filter(({ endpoint }) => endpoint.contract.access !== 'public');
  const resources = [...new Set(guarded.map(({ endpoint }) => resourceOf(endpoint)))];
  const owners = new Map(await Promise.all(resources.map(async (name) => [name, await tenant()] as const)));
  const stranger = await tenant();
  // An account's first request that needs data keys creates them. Creates them here, so no measured call
  // does.
  for (const { accountId: account } of owners.values())
    await openDataKeys({ account, keep: true, deadline: Date.now() + 60_000 });
  const seen: Seen[] = [];
  for (const { endpoint } of all) {
    const owner = owners.get(resourceOf(endpoint)) ?? stranger;
    await provesAgain(owner.admin);
    seen.push(
      await measureCall(nameOf(endpoint.contract), endpoint, owner, await happyPath(endpoint, owner)),
    );
  }
  for (const { of, endpoint, sent } of variants)
    seen.push(await measureCall(of, endpoint, stranger, await sent(stranger)));
  seen.push(...(await measureMails()), await measureIdleSweep());

  const measured = seen.flatMap(({ call, deliveries }) => [
    call,
    ...deliveries.map(({ delivery }) => delivery),
  ]);
  return {
    calls: seen.map(({ of, call, deliveries }) =>
      costOf(
        of,
        call,
        deliveries.map(({ kind }) => kind),
      ),
    ),
    events: dearest(
      seen.flatMap(({ deliveries }) => deliveries.map(({ kind, delivery }) => costOf(kind, delivery))),
    ),
    exchanges: measured.flatMap(({ exchanges }) => exchanges),
    pending: measured.flatMap(({ pending }) => pending),
  };
}

/** A measured call with the measured events that it caused. */
interface Seen {
  of: string;
  call: Measured<unknown>;
  deliveries: { kind: string; delivery: Measured<void> }[];
}

/** Measures one call, and then each event that the call caused, in order. */
async function measureCall(of: string, endpoint: Endpoint, owner: Tenant, sent: HappyPath): Promise<Seen> {
  await drain();
  await warmUp(owner, sent);
  // Jobs that became due at the new minute can emit events, which this call did not cause.
  await drain();
  const measured = await measure(() => call(endpoint, sent as never));
  expectHappy(endpoint, measured.result);
  if (changes(endpoint.contract) && measured.write === 0)
    throw new Error(
      `${of} changed nothing. Give it another body in the table \`requests\` in infra/scenes/requests.ts.`,
    );
  const deliveries: Seen['deliveries'] = [];
  const records = await newStreamRecords();
  // An account's first event before a seal time creates the sealing job. Creates these jobs before the
  // measurement, so that an event's cost does not depend on whether it is the first.
  for (const { dynamodb } of records) {
    const { accountId, id } = dynamodb.NewImage ?? {};
    const account = asAccountId(accountId?.S ?? '');
    if (!account) throw new Error('An event has no account id.');
    const run = { now: clock.now(), deadline: Date.now() + 10_000 };
    await openSealing({ accountId: account, id: Number(id?.N) }, run);
  }
  await drainQueues();
  for (const record of records)
    deliveries.push({
      kind: String(record.dynamodb.NewImage?.kind?.S),
      delivery: await measure(() => deliver([record], { alone: true })),
    });
  if (!deliveries.some(({ delivery }) => triggeredWorkQueue(delivery)))
    return { of, call: measured, deliveries };
  // Several events of one call may trigger the same work queue. The cost of the queue is added to each of these events.
  // Delayed messages are excluded, because retries of other accounts may become due at this moment.
  const work = await measure(() => drainQueues({ undelayed: true }));
  return {
    of,
    call: measured,
    deliveries: deliveries.map(({ kind, delivery }) => ({
      kind,
      delivery: triggeredWorkQueue(delivery) ? followedBy(delivery, work) : delivery,
    })),
  };
}

/** Reports whether a consumer triggered a work queue, for example for mail or webhook deliveries. */
const triggeredWorkQueue = ({ elsewhere }: Measured<unknown>): boolean =>
  elsewhere['sqs SendMessage'] !== undefined;

/** Adds up two consecutive measurements. */
const followedBy = (one: Measured<unknown>, next: Measured<void>): Measured<void> => ({
  result: undefined,
  requests: one.requests + next.requests,
  sequence: one.sequence + next.sequence,
  read: one.read + next.read,
  write: one.write + next.write,
  elsewhere: combined(one.elsewhere, next.elsewhere, (count, more) => count + more),
  exchanges: [...one.exchanges, ...next.exchanges],
  pending: [...one.pending, ...next.pending],
});

/** Combines two counts by name. */
function combined(
  one: Cost['elsewhere'],
  other: Cost['elsewhere'],
  combine: (one: number, other: number) => number,
): Cost['elsewhere'] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, combine(one[name] ?? 0, other[name] ?? 0)]));
}

/**
 * Measures, with everything that they cause: a mail that opens a ticket, a reply that becomes a comment, and a comment that
 * is mailed to the requester.
 */
async function measureMails(): Promise<Seen[]> {
  const acme = await tenant();
  const { accountId: account, admin } = acme;
  const { headers } = admin;
  const to = await addressOf(account);
  await admin.ok(updateAccount, { params: { id: account }, body: { mail: { commentsByMail: true } } });
  await receive(account, { to });
  const [mail] = await mails.newest(account, 1);
  const { data } = await admin.ok(listTickets);
  const ticket = data.find(({ id }) => String(id) === mail?.recordId);
  if (!ticket) throw new Error('The mail opened no ticket.');
  const thread = { recordType: 'ticket', recordId: String(ticket.id) } as const;
  const reply = await replyAddress(account, thread, 'ada@example.com');
  const comment = { params: { ticketId: ticket.uniqueId }, headers, body: { body: 'Which lamp is on?' } };
  const operations: Record<string, () => Promise<unknown>> = {
    'MAIL that opens a ticket': () => receive(account, { to }),
    'MAIL that replies to a ticket': () => receive(account, { to: reply }),
    'POST /tickets/{ticketId}/comments, mailed': () => admin.ok(createTicketComment, comment),
  };
  const seen: Seen[] = [];
  for (const [of, run] of Object.entries(operations)) {
    // The first call creates counters, for example of the sender.
    await warmUp(acme, { headers } as HappyPath);
    await run();
    await drain();
    const cost = followedBy(await measure(run), await measure(drain));
    seen.push({ of: `${of}, with all it causes`, call: cost, deliveries: [] });
  }
  return seen;
}

/** Measures a sweep that finds no due items, because an earlier sweep has processed them. */
async function measureIdleSweep(): Promise<Seen> {
  const sweep = () => runSchedule(slaSweep, clock.now());
  await sweep();
  return { of: 'SCHEDULE sla-sweep, nothing due', call: await measure(sweep), deliveries: [] };
}

/**
 * Makes the first call of a minute. This call writes the caller's counter and verifies the session on this instance,
 * so a call measured in the same minute does neither. The first call is made five seconds after the minute's start.
 */
async function warmUp({ accountId }: Tenant, { headers = {} }: HappyPath): Promise<void> {
  nextMinute();
  clock.advance(5_000);
  if (headers.authorization) await call(readAccount, { params: { id: accountId }, headers });
}

/** Returns for example `leads` for `/leads/{leadId}/archive`. */
const resourceOf = ({ contract }: Endpoint): string => contract.path.split('/')[1] ?? '';

const costOf = (
  of: string,
  { requests, sequence, read, write, elsewhere }: Measured<unknown>,
  events: readonly string[] = [],
): Cost => ({ of, requests, sequence, read, write, elsewhere, events });

/** Merges the costs of the same call or event into one cost, which contains the highest value of each number. */
function dearest(costs: readonly Cost[]): Cost[] {
  const found = new Map<string, Cost>();
  for (const cost of costs) {
    const known = found.get(cost.of) ?? cost;
    const most = (field: 'requests' | 'sequence' | 'read' | 'write') => Math.max(known[field], cost[field]);
    found.set(cost.of, {
      ...known,
      requests: most('requests'),
      sequence: most('sequence'),
      read: most('read'),
      write: most('write'),
      elsewhere: combined(known.elsewhere, cost.elsewhere, Math.max),
    });
  }
  return [...found.values()];
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import createApplicationDocument from '../../functions/applications/create-application-document.ts';
import createApplicationNote from '../../functions/applications/create-application-note.ts';
import sendApplicationMail from '../../functions/applications/send-application-mail.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import createInvoice from '../../functions/invoices/create-invoice.ts';
import openInvoice from '../../functions/invoices/open-invoice.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import createLead from '../../functions/leads/create-lead.ts';
import sendLeadMail from '../../functions/leads/send-lead-mail.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMerchantDocument from '../../functions/merchants/create-merchant-document.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createNote from '../../functions/merchants/create-note.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import createTeam from '../../functions/teams/create-team.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import createTicketDocument from '../../functions/tickets/create-ticket-document.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { takesDryRun } from '../../shared/endpoints/contract.ts';
import type { AnyContract, Endpoint } from '../../shared/endpoints/endpoint.ts';
import { limitedPermissions, reachedRecords } from '../../shared/resources/derived.ts';
import type { ReachedType } from '../../shared/resources/registry.ts';
import { addressOf } from '../correspondence/incoming-mail.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { type Member, member } from '../harness/member.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { tenant } from '../harness/tenant.ts';
import { happyPath, recordFor } from '../routes/happy-paths.ts';
import { exampleBody, nameOf, requiredQuery } from '../routes/records.ts';
import { limited, others } from './permission-parts.ts';

const acme = await tenant();
const { id: team } = await acme.admin.ok(createTeam, { body: { name: 'West' } });
const { id: secretTeam } = await acme.admin.ok(createTeam, { body: { name: 'Secret' } });
const boss = await member(acme);
await addressOf(acme.accountId);
await addressOf(acme.accountId, { address: 'sales@acme.test', purpose: 'leads' });

/** The routes whose responses are about the whole account, with the reason. They may depend on hidden records. */
const wholeAccount: Readonly<Record<string, string>> = {
  'GET /events/seals': 'A seal covers the events of all records. It contains only hashes.',
  'GET /events/{id}/proof': 'The proof leads to a seal. Of other events, it contains only hashes.',
  'GET /residual-statements/{id}/proof':
    'The proof leads to a seal, which covers the events of all records. Of other events, it contains only hashes.',
};

/** The limited permissions by type: those to read and to change the records of a type. */
const ofTypes = Object.keys(reachedRecords).map((type) => {
  const { read, write } = reachedRecords[type as ReachedType];
  return [read, write].flatMap((name) => Object.values(limitedPermissions[name] ?? {}));
});

/**
 * Ten users, each with other limited permissions for every type, and with all permissions for other records. The last one may
 * only change records.
 */
const users: Member[] = [];
const ofEach = fc.tuple(...ofTypes.map((names) => fc.subarray(names, { minLength: 1 })));
const chosen = fc.sample(ofEach, { numRuns: 9, seed: Date.now() }).map((parts) => parts.flat());
for (const permissions of [...chosen, limited.filter((name) => name.startsWith('write'))])
  users.push(await member(acme, [...others, ...permissions], { teamId: team }));

const ticket = {
  subject: 'Byron terminal',
  description: 'No receipts.',
  category: 'technical',
  requesterType: 'external',
  requesterId: 'ada',
  requesterName: 'Ada Byron',
  requesterEmail: 'ada@example.com',
} as const;

const mail = { to: ['ada@example.com'], subject: 'Byron Coffee', body: 'Ada Byron, the terminal is ready.' };
const target = await receiver(behaviours.responds(200));
const { id: webhookId } = await acme.admin.ok(createWebhook, {
  body: { url: target.url, events: ['lead_created', 'mid_created'] },
});
let merchants = 0;

/** Creates a record of each type with this owner and team, and records that belong to them. */
async function create({ user: { id } }: Member, teamId: number): Promise<void> {
  const { admin } = acme;
  const assignedTo = String(id);
  const lead = await admin.ok(createLead, {
    query: { skipTeamAndSourceRequirement: true },
    body: { firstName: 'Ada', lastName: 'Byron', company: 'Byron Coffee', assignedTo, teamId },
  });
  await admin.ok(sendLeadMail, { params: { leadId: lead.id }, body: mail });
  const { uniqueId: ticketId } = await admin.ok(createTicket, {
    body: { ...ticket, assignedTo, assignedTeamId: teamId },
  });
  await admin.ok(sendTicketMail, { params: { ticketId }, body: mail });
  await admin.ok(createTicketComment, { params: { ticketId }, body: { body: 'Byron called.' } });
  const application = await admin.ok(createApplication, { body: { basics: { dbaName: 'Byron Coffee' } } });
  const merchant = await admin.ok(createMerchant, { body: { merchantName: 'Byron Coffee' } });
  const ofApplication = { applicationId: application.id };
  const ofMerchant = { merchantId: merchant.id };
  merchants += 1;
  await admin.ok(createMid, { params: ofMerchant, body: { mid: String(700_000_000 + merchants) } });
  const customer = { customerType: 'merchant', customerId: String(merchant.id) } as const;
  const invoice = await admin.ok(createInvoice, {
    body: {
      ...customer,
      currency: 'USD',
      lines: [{ description: 'Byron fee', quantity: 1, unitAmount: 100 }],
    },
  });
  await admin.ok(openInvoice, { params: { invoiceId: invoice.id } });
  for (const [endpoint, params] of [
    [createNote, ofMerchant],
    [createApplicationNote, ofApplication],
    [createTicketDocument, { ticketId }],
    [createMerchantDocument, ofMerchant],
    [createApplicationDocument, ofApplication],
    [sendApplicationMail, ofApplication],
  ] as const) {
    const body = endpoint === (sendApplicationMail as Endpoint) ? mail : exampleBody(endpoint as Endpoint);
    await admin.ok<AnyContract>(endpoint as Endpoint, { params, body } as object);
  }
  await giveTo({ ...ofApplication, ...ofMerchant }, { ownerId: assignedTo, teamId });
}

/** Gives the records in a path to a team, so that the users who read the records of this team reach them. */
async function giveTo(params: object, body: { ownerId?: string; teamId: number }): Promise<void> {
  const { leadId, ticketId, applicationId, merchantId, invoiceId } = params as Record<string, never>;
  const { admin } = acme;
  const { teamId } = body;
  if (leadId) await admin.call(updateLead, { params: { leadId }, body: { teamId } });
  if (ticketId) await admin.call(updateTicket, { params: { ticketId }, body: { assignedTeamId: teamId } });
  if (applicationId) await admin.call(setApplicationOwner, { params: { applicationId }, body });
  if (merchantId) await admin.call(setMerchantOwner, { params: { merchantId }, body });
  if (!invoiceId) return;
  const { customerType, customerId } = (await admin.call(readInvoice, { params: { invoiceId } })).body;
  if (customerType === 'merchant') await giveTo({ merchantId: Number(customerId) }, body);
}

const all = (await loadEndpoints()).map(({ endpoint }) => endpoint);
const reads = all.filter(({ contract }) => contract.method === 'GET' && contract.access !== 'public');
const changes = all.filter(
  ({ contract }) => contract.method !== 'GET' && contract.reach !== undefined && takesDryRun(contract),
);

/** The queries that are sent to a list: each reads with another plan. */
function queriesOf({ contract }: Endpoint): object[] {
  const { properties = {} } = (contract.query ?? {}) as {
    properties?: Record<string, { 'x-sort-fields'?: string[] }>;
  };
  const needed = requiredQuery({ contract } as Endpoint);
  if (!('pageSize' in properties)) return [needed];
  const [sort] = properties.sort?.['x-sort-fields'] ?? [];
  return [
    {},
    { pageSize: 1, page: 2 },
    ...('cursor' in properties ? [{ cursor: '', pageSize: 2 }] : []),
    ...(sort ? [{ sort: `-${sort}` }, { sort }] : []),
    ...('search' in properties ? [{ search: 'byron' }] : []),
    ...('updatedAfter' in properties ? [{ updatedAfter: '2020-01-01T00:00:00.000Z' }] : []),
    ...('assignedTo' in properties ? [{ assignedTo: 'none' }, { assignedTo: String(boss.user.id) }] : []),
  ].map((query) => ({ ...needed, ...query }));
}

/** A request that is sent in both worlds. */
interface Sent {
  name: string;
  endpoint: Endpoint;
  input: { params?: object; query?: object; body?: unknown };
  /** The number of the request among the requests to its endpoint, and of all requests. */
  nth: number;
  of: number;
  place: number;
}

let place = 0;

/** The requests to an endpoint: each with the ids of records that exist before the others are added. */
async function requestsTo(endpoint: Endpoint): Promise<Sent[]> {
  const { contract } = endpoint;
  const name = nameOf(contract);
  if (contract.method !== 'GET') {
    const { params = {}, query, body } = await happyPath(endpoint, acme);
    await giveTo(params, { teamId: team });
    return [
      {
        name,
        endpoint,
        input: { params, body, query: { ...query, dryRun: true } },
        nth: 0,
        of: 1,
        place: place++,
      },
    ];
  }
  const isOfWebhook = contract.path === '/webhooks/{id}/deliveries';
  const params = isOfWebhook
    ? { id: webhookId }
    : contract.path.includes('{')
      ? (await recordFor(endpoint, acme)).real
      : {};
  await giveTo(params, { teamId: team });
  const queries = contract.reach ? queriesOf(endpoint) : [requiredQuery(endpoint)];
  return queries.map((query, nth) => ({
    ...{ nth, of: queries.length, place: place++ },
    name: `${name} ${JSON.stringify(query)}`,
    endpoint,
    input: { params, query },
  }));
}

/**
 * Times that are measured, the last success of a webhook, which is for all its events, and the ids and numbers of new records
 * in a dry run.
 */
const measured = /"(?:milliseconds|executionTime)":[\d.]+|"lastSuccessAt":"[^"]+"/g;
const ofNew =
  /\b\d{15,16}\b|\b(?:app|tkt|tty|rot|own|bulk|mo_key)_\w+|\bTKT-\d+|\bINV-\d+|"(?:occurredAt|createdAt|updatedAt)":"[^"]+"/g;

const varying = /^(date|x-request-id|x-ratelimit|ratelimit|retry-after|content-length)/;
const start = clock.now();

/** Returns the response of a user, byte by byte. In both worlds, a request is sent at the same time. */
async function responseTo({ client }: Member, { endpoint, input, place: at }: Sent): Promise<string> {
  clock.hold(new Date(start.getTime() + 3_600_000 + at * 2_400));
  const { status, text, headers } = await client.call<AnyContract>(endpoint, input as object);
  clock.hold();
  expect(status).not.toBe(429);
  const shown = Object.entries(headers).filter(([name]) => !varying.test(name));
  const bytes = text.replaceAll(String(headers['x-request-id']), 'REQUEST').replaceAll(measured, '');
  const body = endpoint.contract.method === 'GET' ? bytes : bytes.replaceAll(ofNew, 'NEW');
  return [status, ...shown.map((header) => header.join(': ')), body].join('\n');
}

/**
 * Sends the requests to all users, and calls `take` with each response. The first and the last user send all requests. Each
 * other user sends one of the queries of a list.
 */
async function sendAll(sent: readonly Sent[], take: (key: string, response: string) => void): Promise<void> {
  for (const one of sent)
    for (const [n, user] of users.entries()) {
      const { reach, method } = one.endpoint.contract;
      const isOwnTurn = reach && method === 'GET' && (one.nth + n) % one.of === 0;
      if (n > 0 && n < users.length - 1 && !isOwnTurn) continue;
      take(`${n} ${one.name}`, await responseTo(user, one));
    }
}

test('records that a user does not reach change no response to this user', { timeout: 300_000 }, async () => {
  for (const user of [...users.slice(0, 2), ...users.slice(-1)]) await create(user, team);
  const sent: Sent[] = [];
  for (const endpoint of [...reads, ...changes])
    if (!(nameOf(endpoint.contract) in wholeAccount)) sent.push(...(await requestsTo(endpoint)));
  await drain();
  // Requests leave events, such as those of unknown records and of read files. So the event log is read last, and then first.
  const isLog = ({ endpoint: { contract } }: Sent) => contract.path === '/events';
  const [log, rest] = [sent.filter(isLog), sent.filter((one) => !isLog(one))];
  const before = new Map<string, string>();
  await sendAll([...rest, ...log], (key, response) => before.set(key, response));
  for (let n = 0; n < 11; n++) await create(boss, secretTeam);
  await drain();
  await sendAll([...log, ...rest], (key, response) => expect(response, key).toBe(before.get(key)));
  const statuses = [...before].map(([key, response]) => `${key.split(' ')[1]} ${response.slice(0, 1)}`);
  for (const wanted of ['GET 2', 'GET 4', 'PATCH 2', 'POST 2', 'PUT 2', 'DELETE 2'])
    expect(statuses).toContain(wanted);
});

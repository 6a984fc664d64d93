import fc from 'fast-check';
import { expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import createLead from '../../functions/leads/create-lead.ts';
import sendLeadMail from '../../functions/leads/send-lead-mail.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import createTeam from '../../functions/teams/create-team.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { allPermissions, limitedPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { addressOf } from '../correspondence/incoming-mail.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { type Member, member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { recordFor } from '../routes/happy-paths.ts';
import { nameOf, requiredQuery } from '../routes/records.ts';

const acme = await tenant();
const { id: team } = await acme.admin.ok(createTeam, { body: { name: 'West' } });
const { id: secretTeam } = await acme.admin.ok(createTeam, { body: { name: 'Secret' } });
const boss = await member(acme);
await addressOf(acme.accountId);
await addressOf(acme.accountId, { address: 'sales@acme.test', purpose: 'leads' });

/** The routes whose responses are about the whole account, with the reason. They may count hidden records. */
const wholeAccount: Readonly<Record<string, string>> = {
  'GET /events': '`readEvents` is the permission for the events of all records.',
  'GET /audit': '`readEvents` is the permission for the changes of all records.',
  'GET /mails': '`readMails` is the permission for the mails of all records.',
  'GET /events/seals': 'A seal covers the events of all records.',
  'GET /residual-statements/{id}/proof':
    'The proof leads to a seal, which covers the events of all records. Of other events, it contains only hashes.',
};

const wide = Object.keys(limitedPermissions) as Permission[];
const limited = Object.values(limitedPermissions).flatMap((parts) => Object.values(parts));
const others = allPermissions.filter((name) => !wide.includes(name) && !limited.includes(name));

/** Ten users, each with other limited permissions, and with all permissions for other records. */
const users: Member[] = [];
const chosen = fc.sample(fc.subarray(limited, { minLength: 2 }), { numRuns: 9, seed: Date.now() });
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

/** Creates a record of each type with this owner and team, and mails about a lead and a ticket. */
async function create({ user: { id } }: Member, teamId: number): Promise<void> {
  const assignedTo = String(id);
  const lead = await acme.admin.ok(createLead, {
    query: { skipTeamAndSourceRequirement: true },
    body: { firstName: 'Ada', lastName: 'Byron', company: 'Byron Coffee', assignedTo, teamId },
  });
  await acme.admin.ok(sendLeadMail, { params: { leadId: lead.id }, body: mail });
  const { uniqueId: ticketId } = await acme.admin.ok(createTicket, {
    body: { ...ticket, assignedTo, assignedTeamId: teamId } as never,
  });
  await acme.admin.ok(sendTicketMail, { params: { ticketId }, body: mail });
  const application = await acme.admin.ok(createApplication, {
    body: { basics: { dbaName: 'Byron Coffee' } },
  });
  const merchant = await acme.admin.ok(createMerchant, { body: { merchantName: 'Byron Coffee' } });
  const body = { ownerId: assignedTo, teamId };
  await acme.admin.ok(setApplicationOwner, { params: { applicationId: application.id }, body });
  await acme.admin.ok(setMerchantOwner, { params: { merchantId: merchant.id }, body });
}

const endpoints = (await loadEndpoints())
  .map(({ endpoint }) => endpoint)
  .filter(({ contract }) => contract.method === 'GET' && contract.access !== 'public');

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

/** The path parameters of records that exist before the others are added. */
const paramsOf = async (endpoint: Endpoint) =>
  endpoint.contract.path.includes('{') ? (await recordFor(endpoint, acme)).real : {};

/** The state of an SLA clock, and links to files. */
const changesWithTime = new Set(['slaStatus', 'url', 'expiresAt', 'milliseconds', 'minutes', 'to', 'until']);

const varying = /^(date|x-request-id|x-ratelimit|ratelimit|retry-after|content-length)/;

/** Returns all responses of a user, by route and query. The first two users send the requests about other records, too. */
async function responsesTo(user: Member): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const isFirst = users.indexOf(user) < 2;
  for (const endpoint of endpoints.filter(({ contract }) => isFirst || contract.reach)) {
    const params = await paramsOf(endpoint);
    for (const query of endpoint.contract.reach ? queriesOf(endpoint) : [requiredQuery(endpoint)]) {
      clock.advance(1200);
      const { status, body, headers } = await user.client.call(endpoint as Endpoint<object>, {
        params: params as never,
        query,
      });
      expect(status).not.toBe(429);
      const shown = Object.entries(headers).filter(([name]) => !varying.test(name));
      found.set(`${nameOf(endpoint.contract)} ${JSON.stringify(query)}`, {
        status,
        body: JSON.parse(JSON.stringify(body), (name, value) =>
          changesWithTime.has(name) ? undefined : value,
        ),
        headers: Object.fromEntries(shown),
      });
    }
  }
  return found;
}

test('records that a user does not reach change no response to this user', { timeout: 300_000 }, async () => {
  for (const user of users) await create(user, team);
  for (const endpoint of endpoints) await paramsOf(endpoint);
  await drain();
  const before = [];
  for (const user of users) before.push(await responsesTo(user));
  for (let n = 0; n < 12; n++) await create(boss, secretTeam);
  await drain();
  for (const [n, user] of users.entries())
    for (const [name, response] of await responsesTo(user))
      if (!Object.keys(wholeAccount).some((route) => name.startsWith(`${route} `)))
        expect(response, name).toEqual(before[n]?.get(name));
});

import { describe, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createTeam from '../../functions/teams/create-team.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import listTicketComments from '../../functions/tickets/list-ticket-comments.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import readTicketAssignment from '../../functions/tickets/read-ticket-assignment.ts';
import readTicketSla from '../../functions/tickets/read-ticket-sla.ts';
import undoBulk from '../../functions/tickets/undo-bulk.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import readUserReach from '../../functions/users/read-user-reach.ts';
import type { AnyContract, Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import type { TicketInput } from '../../shared/support/tickets/schema.ts';
import type { Sent } from '../harness/call.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { type Member, member } from '../harness/member.ts';
import { type Client, client, tenant } from '../harness/tenant.ts';
import { newRotationOf, newTicketOf, newTypeOf, outcome, ticketInput } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const team = await admin.ok(createTeam, { body: { name: 'Desk' } });
const otherTeam = await admin.ok(createTeam, { body: { name: 'Other desk' } });

const create = (fields: Partial<TicketInput> = {}) => newTicketOf(admin, fields);
const at = (ticketId: string | number) => ({ params: { ticketId: String(ticketId) } });
const statusOf = async (by: Client, ticket: { id: number }) =>
  (await by.call(readTicket, at(ticket.id))).status;

/** Creates tickets that are reached in each way, and one of another team. */
async function ticketsFor({ user }: Pick<Member, 'user'>) {
  return {
    own: await create({ assignedTo: String(user.id) }),
    ofTeam: await create({ assignedTeamId: team.id, assignedTo: String((await member(acme)).user.id) }),
    unassigned: await create(),
    hidden: await create({ assignedTeamId: otherTeam.id, assignedTo: String((await member(acme)).user.id) }),
  };
}

async function keyWith(flatPermissionsList: Permission[]): Promise<Client> {
  const { apiKey, apiSecret } = await admin.ok(createApiKey, {
    body: { description: 'Desk', flatPermissionsList },
  });
  return client({ 'x-api-key': apiKey, 'x-api-secret': apiSecret });
}

describe('a caller with a limited permission', () => {
  test.each<[Permission, string[]]>([
    ['readOwnTickets', ['own']],
    ['readTeamTickets', ['own', 'ofTeam']],
    ['readUnassignedTickets', ['unassigned']],
    ['readTickets', ['own', 'ofTeam', 'unassigned', 'hidden']],
  ])('with %s, reads and lists the tickets %j', async (permission, names) => {
    const one = await member(acme, [permission], { teamId: team.id });
    const all = await ticketsFor(one);
    const { data } = await one.client.ok(listTickets, { query: { pageSize: 100 } });
    const listed = new Set(data.map(({ id }) => id));
    for (const [name, ticket] of Object.entries(all)) {
      const isReached = names.includes(name);
      expect(await statusOf(one.client, ticket), name).toBe(isReached ? 200 : 404);
      expect(listed.has(ticket.id), name).toBe(isReached);
    }
  });

  test('finds the own tickets by number, status and assignee, and none of the others', async () => {
    const one = await member(acme, ['readOwnTickets']);
    const { own, hidden } = await ticketsFor(one);
    const found = async (query: object) =>
      (await one.client.ok(listTickets, { query })).data.map(({ id }) => id);
    for (const query of [
      { ticketNumber: own.ticketNumber },
      { status: 'open' },
      { assignedTo: 'me' },
      { sort: 'priority', status: 'open' },
    ])
      expect(await found(query), JSON.stringify(query)).toEqual([own.id]);
    for (const query of [{ ticketNumber: hidden.ticketNumber }, { assignedTo: hidden.assignedTo }])
      expect(await found(query), JSON.stringify(query)).toEqual([]);
    const byNumber = { ticketNumber: [own.ticketNumber, hidden.ticketNumber] };
    expect(await one.client.ok(listTickets, { query: byNumber })).toMatchObject({ totalCount: 1 });
  });

  test('changes a ticket only with a permission that reaches it, and may give the ticket away', async () => {
    const one = await member(acme, ['readTeamTickets', 'writeOwnTickets'], { teamId: team.id });
    const { own, ofTeam, hidden } = await ticketsFor(one);
    const patch = (ticket: { id: number }, body: object) =>
      one.client.call(updateTicket, { ...at(ticket.id), body });
    expect(await outcome(patch(ofTeam, { priority: 'high' }))).toBe('403 permission_denied');
    expect(await outcome(patch(hidden, { priority: 'high' }))).toBe('404 not_found');
    const comment = (ticket: { id: number }) =>
      one.client.call(createTicketComment, { ...at(ticket.id), body: { body: 'Hello' } });
    expect(await outcome(comment(own))).toBe(201);
    expect(await outcome(comment(ofTeam))).toBe('403 permission_denied');
    const given = await patch(own, { assignedTo: hidden.assignedTo });
    expect(given).toMatchObject({ status: 200, body: { assignedTo: hidden.assignedTo } });
    expect(await outcome(patch(own, { priority: 'high' }))).toBe('404 not_found');
  });

  test('with a write permission only, changes the own tickets and reads none', async () => {
    const one = await member(acme, ['writeOwnTickets']);
    const { own, hidden } = await ticketsFor(one);
    const patch = (ticket: { id: number }) =>
      one.client.call(updateTicket, { ...at(ticket.id), body: { priority: 'urgent' } });
    expect(await outcome(patch(own))).toBe(200);
    expect(await outcome(patch(hidden))).toBe('404 not_found');
    expect(await statusOf(one.client, own)).toBe(403);
  });

  test('as an API key, reaches the tickets that it created', async () => {
    const key = await keyWith(['readOwnTickets', 'writeOwnTickets']);
    const own = await newTicketOf(key);
    expect(own).not.toHaveProperty('assignedTo');
    const other = await create();
    expect(await statusOf(key, own)).toBe(200);
    expect(await statusOf(key, other)).toBe(404);
    expect((await key.ok(listTickets)).data.map(({ id }) => id)).toEqual([own.id]);
    expect(await outcome(key.call(deleteTicket, at(own.id)))).toBe(200);
  });
});

describe('a hidden ticket has the same response as an unknown one', async () => {
  const one = await member(acme, ['readOwnTickets', 'writeOwnTickets']);
  const { hidden, own } = await ticketsFor(one);
  const gone = await create();
  await admin.ok(deleteTicket, at(gone.id));
  const requests: [string, Endpoint<AnyContract>, Sent<AnyContract>][] = [
    ['GET', readTicket, {}],
    ['PATCH', updateTicket, { body: { priority: 'high', assignedTo: String(one.user.id) } }],
    ['DELETE', deleteTicket, {}],
    ['GET assignment', readTicketAssignment, {}],
    ['GET sla', readTicketSla, {}],
    ['GET comments', listTicketComments, {}],
    ['POST comments', createTicketComment, { body: { body: 'Hello' } }],
  ];

  test.each(requests)('%s', async (_, endpoint, sent) => {
    const references = [
      [String(hidden.id), String(gone.id)],
      [hidden.uniqueId, gone.uniqueId],
      [hidden.ticketNumber, gone.ticketNumber],
      [hidden.ticketNumber.toLowerCase(), gone.ticketNumber.toLowerCase()],
    ] as const;
    for (const pair of references) {
      const [first, second] = await Promise.all(
        pair.map((ticketId) => one.client.call(endpoint, { ...sent, params: { ticketId } })),
      );
      const shown = (text: string, ticket: typeof hidden) =>
        text.replaceAll(String(ticket.id), 'ID').replaceAll(new RegExp(ticket.ticketNumber, 'gi'), 'NUMBER');
      expect(first?.status).toBe(404);
      expect(shown(JSON.stringify(first?.body), hidden)).toBe(shown(JSON.stringify(second?.body), gone));
    }
  });

  test('also in a dry run, and after a stored response of the same request', async () => {
    const preview = await one.client.call(updateTicket, {
      ...at(hidden.id),
      query: { dryRun: true },
      body: { priority: 'high' },
    });
    expect(preview.status).toBe(404);
    const headers = { 'idempotency-key': 'give away' };
    const body = { assignedTo: hidden.assignedTo };
    const give = () =>
      one.client.call(createTicketComment, { ...at(own.id), headers, body: { body: 'Bye' } });
    expect((await give()).status).toBe(201);
    expect((await give()).headers).toHaveProperty('idempotency-replayed');
    await admin.ok(updateTicket, { ...at(own.id), body });
    expect((await give()).status).toBe(404);
  });
});

describe('POST /tickets', () => {
  const send = (by: Client, fields: object = {}) =>
    by.call(createTicket, { body: { ...ticketInput, ...fields } });

  test.each<[Permission[]]>([[['writeOwnTickets']], [['readOwnTickets', 'writeTickets']]])(
    'assigns the ticket of a user with %j to the user, and takes no slot of a rotation',
    async (permissions) => {
      const [one, inRotation] = [await member(acme, permissions), await member(acme)];
      const { uniqueId: rotationId } = await newRotationOf(admin, [inRotation.user.id]);
      const type = await newTypeOf(admin, { autoAssignmentEnabled: true, rotationId });
      const ticket = await newTicketOf(one.client, { ticketTypeId: type.uniqueId });
      expect(ticket.assignedTo).toBe(String(one.user.id));
      expect(await admin.ok(readTicketAssignment, at(ticket.id))).toMatchObject({ how: 'sent' });
      const rotated = await create({ ticketTypeId: type.uniqueId });
      expect(rotated.assignedTo).toBe(String(inRotation.user.id));
      expect(await admin.ok(readTicketAssignment, at(rotated.id))).toMatchObject({ turn: { slot: 0 } });
    },
  );

  test('is rejected if the caller would not reach the ticket, without taking a number', async () => {
    const one = await member(acme, ['writeOwnTickets']);
    const other = await member(acme);
    const before = await create();
    expect(await outcome(send(one.client, { assignedTo: String(other.user.id) }))).toBe(
      '403 permission_denied',
    );
    const after = await create();
    expect(Number(after.ticketNumber.slice(4))).toBe(Number(before.ticketNumber.slice(4)) + 1);
    const ofTeam = await member(acme, ['writeTeamTickets'], { teamId: team.id });
    const fields = { assignedTo: String(other.user.id), assignedTeamId: team.id };
    expect(await outcome(send(ofTeam.client, fields))).toBe(201);
    expect(await outcome(send(ofTeam.client, { ...fields, assignedTeamId: otherTeam.id }))).toBe(
      '403 permission_denied',
    );
  });

  test('still requires the permissions of the type', async () => {
    const one = await member(acme, ['writeOwnTickets']);
    const type = await newTypeOf(admin, { requiredPermissions: ['readMerchants'] });
    expect(await outcome(send(one.client, { ticketTypeId: type.uniqueId }))).toBe('403 permission_denied');
  });

  test('treats a hidden requester or link as unknown, and copies a requester that the caller reaches', async () => {
    const one = await member(acme, ['writeOwnTickets', 'readOwnLeads']);
    const query = { skipTeamAndSourceRequirement: true };
    const lead = (assignedTo?: string) =>
      admin.ok(createLead, {
        query,
        body: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@lead.test',
          ...(assignedTo && { assignedTo }),
        },
      });
    const [hidden, own] = [await lead(), await lead(String(one.user.id))];
    const asRequester = (id: number, fields = {}) =>
      send(one.client, { requesterType: 'lead', requesterId: String(id), ...fields });
    const unknown = await asRequester(1);
    const responses = [await asRequester(hidden.id), await send(one.client, { leadId: hidden.id })];
    expect(responses[0]?.body).toEqual(unknown.body);
    expect(responses[1]?.body).toEqual((await send(one.client, { leadId: 1 })).body);
    expect(responses.map(({ status }) => status)).toEqual([400, 400]);
    const copied = await asRequester(own.id, { requesterName: undefined, requesterEmail: undefined });
    expect(copied).toMatchObject({
      status: 201,
      body: { requesterName: 'Ada Lovelace', requesterEmail: 'ada@lead.test', leadId: own.id },
    });
    expect(await outcome(send(one.client, { leadId: own.id }))).toBe(201);
    const withoutLeads = await member(acme, ['writeOwnTickets']);
    expect(await outcome(send(withoutLeads.client, { leadId: hidden.id }))).toBe(201);
  });

  test('treats references to records that the caller may neither read nor change as unknown', async () => {
    const permissions: Permission[] = ['readTickets', 'writeTickets', 'writeOwnLeads', 'writeOwnMerchants'];
    const { client: by } = await member(acme, permissions);
    const merchant = await admin.ok(createMerchant, { body: { merchantName: 'Harbor Street Coffee' } });
    const inMerchant = { params: { merchantId: merchant.id }, body: { mid: `4${merchant.id}`.slice(0, 15) } };
    const mid = await admin.ok(createMid, inMerchant);
    const lead = await admin.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'Ada', lastName: 'Lovelace' },
    });
    for (const [fields, unknown] of [
      [{ merchantId: merchant.id }, { merchantId: 1 }],
      [{ midId: mid.id }, { midId: 1 }],
      [{ leadId: lead.id }, { leadId: 1 }],
      [
        { requesterType: 'merchant', requesterId: String(merchant.id) },
        { requesterType: 'merchant', requesterId: '1' },
      ],
    ]) {
      const response = await send(by, fields);
      expect(response.status, JSON.stringify(fields)).toBe(400);
      expect(response.body).toEqual((await send(by, unknown)).body);
    }
    for (const query of [{ merchantId: merchant.id }, { midId: mid.id }])
      expect((await by.call(listTickets, { query })).status, JSON.stringify(query)).toBe(400);
    const own = await by.ok(createMerchant, { body: { merchantName: 'Own Coffee' } });
    expect(await outcome(send(by, { merchantId: own.id }))).toBe(201);
  });

  test('treats a MID of a hidden merchant as unknown', async () => {
    const key = await keyWith(['writeOwnTickets', 'readOwnTickets', 'readOwnMerchants', 'writeMerchants']);
    const merchantOf = async (by: Client) => {
      const merchant = await by.ok(createMerchant, { body: { merchantName: 'Harbor Street Coffee' } });
      const mid = await admin.ok(createMid, {
        params: { merchantId: merchant.id },
        body: { mid: `4${merchant.id}`.slice(0, 15) },
      });
      return { merchant, mid };
    };
    const [hidden, own] = [await merchantOf(admin), await merchantOf(key)];
    const unknown = { merchantId: await send(key, { merchantId: 1 }), midId: await send(key, { midId: 1 }) };
    const results = {
      merchantId: await send(key, { merchantId: hidden.merchant.id }),
      midId: await send(key, { midId: hidden.mid.id }),
    };
    expect([results.merchantId.body, results.midId.body]).toEqual([
      unknown.merchantId.body,
      unknown.midId.body,
    ]);
    const fields = { merchantId: own.merchant.id, midId: own.mid.id };
    expect(await send(key, fields)).toMatchObject({ status: 201, body: fields });
    const asRequester = (id: number) => send(key, { requesterType: 'mid', requesterId: String(id) });
    expect((await asRequester(hidden.mid.id)).body).toEqual((await asRequester(1)).body);
    expect(await outcome(asRequester(own.mid.id))).toBe(201);
    for (const [field, id] of [
      ['merchantId', hidden.merchant.id],
      ['midId', hidden.mid.id],
    ] as const)
      expect(await outcome(key.call(listTickets, { query: { [field]: id, status: 'closed' } })), field).toBe(
        `400 ${field}`,
      );
    expect(await outcome(key.call(listTickets, { query: { midId: own.mid.id, status: 'closed' } }))).toBe(
      200,
    );
  });
});

describe('a bulk operation', () => {
  const bulk = (by: Client, ticketIds: (string | number)[], tag = 'seen') =>
    by.ok(bulkTickets, { body: { ticketIds: ticketIds.map(String), action: 'add_tag', payload: { tag } } });
  const permissions: Permission[] = ['bulkTickets', 'readTeamTickets', 'writeOwnTickets'];

  test('treats a hidden ticket like an unknown one, and reports a ticket that may only be read', async () => {
    const one = await member(acme, permissions, { teamId: team.id });
    const { own, ofTeam, hidden } = await ticketsFor(one);
    const result = await bulk(one.client, [own.id, ofTeam.id, hidden.id, 1]);
    expect(result.results.map(({ error }) => error)).toEqual([
      null,
      'permission_denied',
      'not_found',
      'not_found',
    ]);
    expect((await admin.ok(readTicket, at(hidden.id))).tags).toEqual([]);
    const gone = await create();
    await admin.ok(deleteTicket, at(gone.id));
    const counted = async ({ id, uniqueId, ticketNumber }: typeof gone) => {
      const { results } = await bulk(one.client, [id, uniqueId, ticketNumber, String(id)]);
      return results.map(({ error }) => error);
    };
    expect(await counted(hidden)).toEqual(await counted(gone));
  });

  test('checks a ticket again that changes meanwhile', async () => {
    const one = await member(acme, permissions);
    const { own, hidden } = await ticketsFor(one);
    beforeNextTransaction(async () => {
      await admin.ok(updateTicket, { ...at(own.id), body: { assignedTo: hidden.assignedTo } });
    });
    const { results } = await bulk(one.client, [own.id]);
    expect(results.map(({ error }) => error)).toEqual(['not_found']);
  });

  test('an undo checks each ticket again', async () => {
    const one = await member(acme, permissions, { teamId: team.id });
    const { own, hidden } = await ticketsFor(one);
    const second = await create({ assignedTo: String(one.user.id) });
    const { bulkId } = await bulk(one.client, [own.id, second.id], 'once');
    await admin.ok(updateTicket, { ...at(own.id), body: { assignedTo: hidden.assignedTo } });
    const { results } = await one.client.ok(undoBulk, { params: { bulkId } });
    expect(results).toEqual([{ ticketId: String(second.id), success: true, error: null }]);
    expect((await admin.ok(readTicket, at(own.id))).tags).toEqual(['once']);
  });

  test('of another user is undone without a trace of the hidden tickets', async () => {
    const one = await member(acme, permissions, { teamId: team.id });
    const { own, hidden } = await ticketsFor(one);
    const [both, other] = [await bulk(admin, [own.id, hidden.id]), await bulk(admin, [hidden.id], 'other')];
    const undo = (bulkId: string) => one.client.call(undoBulk, { params: { bulkId } });
    const { body } = await undo(both.bulkId);
    expect(body).toMatchObject({ totalRequested: 1, successCount: 1, failureCount: 0, success: true });
    expect(JSON.stringify(body)).not.toContain(String(hidden.id));
    const unknown = `bulk_${'0'.repeat(32)}`;
    const [first, second] = [await undo(other.bulkId), await undo(unknown)];
    expect(first.status).toBe(404);
    expect(JSON.stringify(first.body).replaceAll(other.bulkId, unknown)).toBe(JSON.stringify(second.body));
  });
});

test('a changed team takes effect at the next request', async () => {
  const one = await member(acme, ['readTeamTickets'], { teamId: team.id });
  const { ofTeam } = await ticketsFor(one);
  expect(await statusOf(one.client, ofTeam)).toBe(200);
  await admin.ok(updateTicket, { ...at(ofTeam.id), body: { assignedTeamId: otherTeam.id } });
  expect(await statusOf(one.client, ofTeam)).toBe(404);
});

test('GET /users/{email}/reach counts the tickets that a user can read', async () => {
  const own = await tenant();
  const one = await member(own, ['readOwnTickets', 'readUnassignedTickets']);
  const reachOf = async (by: Client, email: string) =>
    (await by.ok(readUserReach, { params: { email } })).ticket;
  const mine = await newTicketOf(own.admin, { assignedTo: String(one.user.id) });
  await newTicketOf(own.admin);
  await newTicketOf(own.admin, { assignedTo: String((await member(own)).user.id) });
  const expected = { access: ['own', 'unassigned'], count: 2, isExact: true };
  expect(await reachOf(own.admin, one.user.email)).toEqual(expected);
  expect(await reachOf(one.client, one.user.email)).toEqual(expected);
  expect(await reachOf(own.admin, own.adminEmail)).toEqual({ access: ['all'], count: 3, isExact: true });
  await own.admin.ok(deleteTicket, at(mine.id));
  expect(await reachOf(own.admin, one.user.email)).toMatchObject({ count: 1 });
  const other = await member(own);
  expect(await reachOf(own.admin, other.user.email)).toEqual({ access: [], count: 0, isExact: true });
  const asked = other.client.call(readUserReach, { params: { email: one.user.email } });
  expect(await outcome(asked)).toBe('403 permission_denied');
});

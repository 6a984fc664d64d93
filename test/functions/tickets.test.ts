import { describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { Ticket, TicketInput } from '../../shared/support/tickets/schema.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { eventsAbout, scanTable } from '../harness/raw-table.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { newTicketOf, outcome, sendTicket, ticketInput } from '../tickets/new-tickets.ts';

const acme = await tenant();
const ada = { firstName: 'Ada', lastName: 'Byron' };
const create = (fields: Partial<TicketInput> = {}, by: Client = acme.admin): Promise<Ticket> =>
  newTicketOf(by, fields);
const byId = ({ id }: { id: number | string }) => ({ params: { ticketId: String(id) } });
const read = (ticket: { id: number | string }) => acme.admin.ok(readTicket, byId(ticket));
const patch = (ticket: { id: number | string }, body: object, headers = {}) =>
  acme.admin.call(updateTicket, { ...byId(ticket), body, headers });
const attempt = (fields: object, by: Client = acme.admin) => outcome(sendTicket(by, fields));
const eventsOf = async ({ id }: { id: number }) =>
  (await eventsAbout(acme.accountId, id)).map(({ kind, data }) => [kind, data]);

describe('POST /tickets', () => {
  test('POST /tickets creates a ticket with status open, priority medium and source api by default', async () => {
    const fields = { tags: ['Hardware', 'hardware', 'POS'], metaData: { shop: { floor: 2 } } };
    const ticket = await create(fields);
    expect(ticket).toMatchObject({
      ...ticketInput,
      accountId: acme.accountId,
      version: 1,
      uniqueId: expect.stringMatching(/^tkt_[0-9a-z]{11}$/),
      ticketNumber: expect.stringMatching(/^TKT-\d{6}$/),
      status: 'open',
      priority: 'medium',
      source: 'api',
      tags: ['Hardware', 'POS'],
      metaData: fields.metaData,
      slaStatus: 'on_time',
      reopenCount: 0,
      escalationCount: 0,
      responseCount: 0,
      internalNoteCount: 0,
      attachmentCount: 0,
    });
    expect(Date.parse(ticket.slaResolutionDue) - Date.parse(ticket.createdAt)).toBe(24 * 60 * 60_000);
    expect(await read(ticket)).toEqual(ticket);
    expect(ticket).not.toHaveProperty('clock');
    expect(ticket).not.toHaveProperty('assignedTo');
  });

  test('a ticket is found only by its id, uniqueId or ticketNumber, in upper or lower case', async () => {
    const ticket = await create();
    const { id, uniqueId, ticketNumber } = ticket;
    for (const name of [id, uniqueId, uniqueId.toUpperCase(), ticketNumber, ticketNumber.toLowerCase()])
      expect(await read({ id: name }), String(name)).toEqual(ticket);
    for (const name of ['TKT-999999', 'TKT-1', uniqueId.replace('tkt', 'tty'), 'x', '0', 'tkt_zzzzzzzzzzz'])
      expect(await outcome(acme.admin.call(readTicket, byId({ id: name }))), name).toBe('404 not_found');
  });

  test('ticket numbers are consecutive in each account', async () => {
    const globex = await tenant();
    const numbers = [];
    for (let n = 0; n < 3; n++) numbers.push((await create({}, globex.admin)).ticketNumber);
    expect(numbers).toEqual(['TKT-000001', 'TKT-000002', 'TKT-000003']);
  });

  test('a ticket created in another status has the same SLA fields as a ticket changed to this status right after its creation', async () => {
    const resolved = await create({ status: 'resolved' });
    expect(resolved).toMatchObject({
      status: 'resolved',
      resolvedAt: resolved.createdAt,
      resolutionTime: 0,
      slaResolutionMet: true,
    });
    const waiting = await create({ status: 'waiting_customer', priority: 'urgent' });
    expect(waiting).toMatchObject({
      slaStatus: 'paused',
      slaPausedAt: waiting.createdAt,
      priority: 'urgent',
    });
  });

  test('POST /tickets reports the invalid field, and refuses read-only fields', async () => {
    for (const [fields, wrong] of [
      [{ subject: '' }, '400 subject'],
      [{ description: 'x'.repeat(65_537) }, '400 description'],
      [{ status: 'asleep' }, '400 status'],
      [{ priority: 'higher' }, '400 priority'],
      [{ source: 'fax' }, '400 source'],
      [{ category: undefined }, '400 category'],
      [{ requesterType: 'nobody' }, '400 requesterType'],
      [{ requesterId: undefined }, '400 requesterId'],
      [{ requesterEmail: 'no address' }, '400 requesterEmail'],
      [{ tags: Array(51).fill('x') }, '400 tags'],
      [{ tags: [''] }, '400 tags[0]'],
      [{ tags: ['x'.repeat(65)] }, '400 tags[0]'],
      [{ customFields: { model: 'x' } }, '400 customFields.model'],
      [{ assignedTo: 'nobody@tenant.test' }, '400 assignedTo'],
      [{ assignedTeamId: 7 }, '400 assignedTeamId'],
      [{ ticketTypeId: 'tty_00000000001' }, '400 ticketTypeId'],
      [{ ticketTypeId: 'rot_00000000001' }, '400 ticketTypeId'],
    ] as const)
      expect(await attempt(fields), JSON.stringify(fields).slice(0, 80)).toBe(wrong);
    for (const field of [
      'id',
      'uniqueId',
      'ticketNumber',
      'merchantName',
      'resolvedAt',
      'reopenCount',
      'clock',
    ])
      expect(await attempt({ [field]: 1 }), field).toMatch(/^400 /);
  });

  test('a subject with a line break is refused by POST and PATCH', async () => {
    const ticket = await create();
    for (const subject of ['Two\rlines', 'Two\nlines', 'Two\r\nlines']) {
      expect(await attempt({ subject })).toBe('400 subject');
      expect(await outcome(patch(ticket, { subject }))).toBe('400 subject');
    }
    expect(await read(ticket)).toEqual(ticket);
  });

  test('an assignee must be an active member, given by id or email, and a team must be active', async () => {
    const { user } = await member(acme);
    const team = await acme.admin.ok(createTeam, { body: { name: 'Desk' } });
    const idle = await acme.admin.ok(createTeam, { body: { name: 'Idle', active: false } });
    const ticket = await create({ assignedTo: user.email, assignedTeamId: team.id });
    expect(ticket).toMatchObject({ assignedTo: String(user.id), assignedTeamId: team.id });
    await acme.admin.ok(updateUser, { params: { email: user.email }, body: { active: false } });
    expect(await attempt({ assignedTo: String(user.id) })).toBe('400 assignedTo');
    expect(await attempt({ assignedTeamId: idle.id })).toBe('400 assignedTeamId');
  });
});

describe('the requester of a ticket', () => {
  const of = (requesterType: TicketInput['requesterType'], requesterId: number | string, fields = {}) => ({
    requesterType,
    requesterId: String(requesterId),
    requesterName: undefined,
    requesterEmail: undefined,
    ...fields,
  });
  const contact = ({ requesterId, requesterName, requesterEmail, requesterPhone }: Ticket) => {
    return [requesterId, requesterName, requesterEmail, requesterPhone];
  };
  const makeLead = (body: object) =>
    acme.admin.ok(createLead, { body: { ...ada, ...body }, query: { skipTeamAndSourceRequirement: true } });
  const principal = {
    firstName: 'Lin',
    lastName: 'Chen',
    email: 'lin@example.com',
    phone: '+1 415 555 0171',
  };
  const owner = (name: string) => ({ name });
  const makeMerchant = (fields: object = {}) =>
    acme.admin.ok(createMerchant, { body: { merchantName: 'Harbor Street', ...fields } });

  test('if the requester is a user, given by id or email, the user’s name, email and phone replace sent values', async () => {
    const { user } = await member(acme, [], { name: 'Grace Hopper', phone: '+1 415 555 0101' });
    const sent = { requesterName: 'X', requesterPhone: '1', requesterEmail: 'x@y.zz' };
    const stored = [String(user.id), 'Grace Hopper', user.email, '+1 415 555 0101'];
    for (const name of [user.id, user.email.toUpperCase()])
      expect(contact(await create(of('user', name, sent)))).toEqual(stored);
    expect(await attempt(of('user', 1))).toBe('400 requesterId');
    expect(await attempt(of('user', 'nobody@tenant.test'))).toBe('400 requesterId');
    const { user: nameless } = await member(acme, [], { name: undefined });
    expect(await attempt(of('user', nameless.id))).toBe('400 requesterName');
    const named = await create(of('user', nameless.id, { requesterName: 'Dana Reyes', requesterPhone: '7' }));
    expect(contact(named)).toEqual([String(nameless.id), 'Dana Reyes', nameless.email, '7']);
  });

  test('if the requester is an invited user, the ticket copies only the email until the invitation is accepted', async () => {
    const profile = { name: 'Grace Hopper', phone: '+1 415 555 0101' };
    const { user } = await member(await tenant(), [], profile);
    await acme.admin.ok(addUserToAccount, { params: { email: user.email }, body: {} });
    expect(await attempt(of('user', user.id))).toBe('400 requesterName');
    const ticket = await create(of('user', user.email, { requesterName: 'Dana Reyes' }));
    expect(contact(ticket)).toEqual([String(user.id), 'Dana Reyes', user.email, undefined]);
  });

  test('if the requester is a lead, the ticket copies the lead’s name, email and phone, and sets leadId', async () => {
    const lead = await makeLead({ email: 'ada@example.com', phone: '1' });
    const ticket = await create(of('lead', lead.id));
    expect(contact(ticket)).toEqual([String(lead.id), 'Ada Byron', 'ada@example.com', '1']);
    expect(ticket.leadId).toBe(lead.id);
    expect(await attempt(of('lead', 1))).toBe('400 requesterId');
    expect(await attempt(of('lead', 'x'))).toBe('400 requesterId');
    const silent = await makeLead({});
    expect(await attempt(of('lead', silent.id))).toBe('400 requesterEmail');
    const vague = await makeLead({ email: 'ask at the counter', phone: 'call the shop' });
    expect(await attempt(of('lead', vague.id))).toBe('400 requesterEmail');
    const sent = await create(of('lead', vague.id, { requesterEmail: 'ada@example.com' }));
    expect(contact(sent).slice(2)).toEqual(['ada@example.com', undefined]);
    expect(await attempt(of('lead', silent.id, { requesterEmail: 'ada@example.com' }))).toBe(201);
  });

  test('an email of the record is normalized, and an email or phone that cannot be copied is reported', async () => {
    const lead = await makeLead({ email: 'Info@Bücher.example', phone: 'call the shop' });
    const { requesterEmail, warnings, ...ticket } = (await sendTicket(acme.admin, of('lead', lead.id))).body;
    expect(requesterEmail).toBe('Info@xn--bcher-kva.example');
    expect(ticket).not.toHaveProperty('requesterPhone');
    expect(warnings).toEqual([
      {
        field: 'requesterPhone',
        message: 'was not copied, because the phone of the lead is not a telephone number',
      },
    ]);
    const vague = await makeLead({ email: 'ask at the counter' });
    const refused = await sendTicket(acme.admin, of('lead', vague.id));
    expect(refused.body.details).toEqual([
      {
        field: 'requesterEmail',
        message: 'is required, because the email of the lead in requesterId is not an email address',
      },
    ]);
  });

  test('an email of an application with an internationalized domain is stored in Punycode', async () => {
    const basics = { dbaName: 'Harbor Street', dbaEmail: 'Info@Bücher.example' };
    const { id } = await acme.admin.ok(createApplication, { body: { basics } });
    expect((await create(of('application', id))).requesterEmail).toBe('Info@xn--bcher-kva.example');
  });

  test('if the requester is an application, requesterName is its contact, else its first owner, else its name', async () => {
    const basics = { dbaName: 'Harbor Street', dbaEmail: 'shop@example.com', dbaPhone: '2' };
    const make = (body: object) => acme.admin.ok(createApplication, { body });
    for (const [body, name] of [
      [{ basics: { ...basics, dbaContact: 'Ada Byron' }, businessOwners: [owner('Lin Chen')] }, 'Ada Byron'],
      [{ basics: { ...basics, dbaContact: ' ' }, businessOwners: [owner('Lin Chen')] }, 'Lin Chen'],
      [{ basics }, 'Harbor Street'],
    ] as const) {
      const { id } = await make(body);
      const ticket = await create(of('application', id));
      expect(contact(ticket)).toEqual([id, name, 'shop@example.com', '2']);
      expect(ticket.applicationId).toBe(id);
    }
    const { id: empty } = await make({});
    expect(await attempt(of('application', empty))).toBe('400 requesterName');
    expect(await attempt(of('application', empty, { requesterName: 'Ada' }))).toBe('400 requesterEmail');
    expect(await attempt(of('application', 'app_0'))).toBe('400 requesterId');
    expect(await attempt(of('application', '#'))).toBe('400 requesterId');
  });

  test('if the requester is a merchant, requesterName is the first principal, or the merchant’s name if there is none', async () => {
    const merchant = await makeMerchant({ principals: [principal, { firstName: 'Second' }] });
    const ticket = await create(of('merchant', merchant.id));
    expect(contact(ticket)).toEqual([String(merchant.id), 'Lin Chen', principal.email, principal.phone]);
    expect(ticket).toMatchObject({ merchantId: merchant.id, merchantName: 'Harbor Street' });
    const bare = await makeMerchant();
    expect(await attempt(of('merchant', bare.id))).toBe('400 requesterEmail');
    const asked = await create(of('merchant', bare.id, { requesterEmail: 'shop@example.com' }));
    expect(contact(asked).slice(1, 3)).toEqual(['Harbor Street', 'shop@example.com']);
    expect(await attempt(of('merchant', 1))).toBe('400 requesterId');
  });

  test('a merchant-internal ticket has the contact of the calling user, or of the merchant if the caller is an API key', async () => {
    const merchant = await makeMerchant({ principals: [principal] });
    const permissions = ['writeTickets', 'readMerchants'] as const;
    const { user, client } = await member(acme, [...permissions], { name: 'Grace Hopper' });
    const body = of('merchant-internal', merchant.id);
    const mine = await create(body, client);
    expect(contact(mine).slice(0, 3)).toEqual([String(merchant.id), 'Grace Hopper', user.email]);
    expect(mine).toMatchObject({ merchantId: merchant.id, merchantName: 'Harbor Street' });
    expect(contact(await create(body, acme.key)).slice(1, 3)).toEqual(['Lin Chen', principal.email]);
    expect(await attempt(of('merchant-internal', 1))).toBe('400 requesterId');
    const { client: nameless } = await member(acme, ['writeTickets'], { name: undefined });
    expect(await attempt(body, nameless)).toBe('400 requesterName');
    const bare = await makeMerchant();
    expect(await attempt(of('merchant-internal', bare.id), acme.key)).toBe('400 requesterEmail');
  });

  test('if the requester is a MID, the ticket copies the contact of the MID’s merchant, and refers to MID and merchant', async () => {
    const merchant = await makeMerchant({ principals: [principal] });
    const mid = await acme.admin.ok(createMid, {
      params: { merchantId: merchant.id },
      body: { mid: '4445012345678' },
    });
    const ticket = await create(of('mid', mid.id));
    expect(contact(ticket).slice(0, 2)).toEqual([String(mid.id), 'Lin Chen']);
    expect(ticket).toMatchObject({ midId: mid.id, merchantId: merchant.id, merchantName: 'Harbor Street' });
    expect(await attempt(of('mid', '4445012345678'))).toBe('400 requesterId');
    const bare = await makeMerchant();
    const lone = await acme.admin.ok(createMid, { params: { merchantId: bare.id }, body: { mid: '7' } });
    expect(await attempt(of('mid', lone.id))).toBe('400 requesterEmail');
  });

  test('a request with an external requester must contain the requester’s name and email', async () => {
    const ticket = await create({ requesterPhone: '3' });
    expect(contact(ticket)).toEqual(['customer-4711', 'Ada Byron', 'ada@example.com', '3']);
    expect(await attempt({ requesterName: undefined })).toBe('400 requesterName');
    expect(await attempt({ requesterName: ' ' })).toBe('400 requesterName');
    expect(await attempt({ requesterEmail: undefined })).toBe('400 requesterEmail');
  });

  test('linked records can be sent with any requester, but must exist and match the requester', async () => {
    const [merchant, other] = [await makeMerchant(), await makeMerchant()];
    const mid = await acme.admin.ok(createMid, { params: { merchantId: merchant.id }, body: { mid: '8' } });
    const lead = await makeLead({ email: 'ada@example.com' });
    const { id: applicationId } = await acme.admin.ok(createApplication, { body: {} });
    const links = { merchantId: merchant.id, midId: mid.id, leadId: lead.id, applicationId };
    expect(await create(links)).toMatchObject({ ...links, merchantName: 'Harbor Street' });
    expect(await create(of('lead', lead.id, links))).toMatchObject(links);
    for (const field of ['merchantId', 'midId', 'leadId'])
      expect(await attempt({ [field]: 1 }), field).toBe(`400 ${field}`);
    expect(await attempt({ applicationId: 'app_0' })).toBe('400 applicationId');
    const asked = { requesterName: 'X', requesterEmail: 'x@example.com' };
    expect(await attempt(of('merchant', merchant.id, { ...asked, merchantId: other.id }))).toBe(
      '400 merchantId',
    );
    expect(await attempt({ merchantId: other.id, midId: mid.id })).toBe('400 midId');
  });

  test('renaming the requester does not change existing tickets', async () => {
    const { user } = await member(acme, [], { name: 'Grace Hopper' });
    const ticket = await create(of('user', user.id));
    await acme.admin.ok(updateUser, { params: { email: user.email }, body: { name: 'Grace Murray' } });
    expect((await read(ticket)).requesterName).toBe('Grace Hopper');
  });
});

describe('PATCH /tickets/{ticketId}', () => {
  test('PATCH /tickets/{ticketId} changes the sent fields, clears assignee and team with null, and keeps all other fields', async () => {
    const { user } = await member(acme);
    const team = await acme.admin.ok(createTeam, { body: { name: 'Desk' } });
    const ticket = await create({ tags: ['a'] });
    const body = {
      subject: 'The terminal prints',
      description: 'Again.',
      status: 'in_progress',
      priority: 'high',
      category: 'billing',
      assignedTo: user.email,
      assignedTeamId: team.id,
      tags: ['B', 'b', 'c'],
    };
    const changed = await patch(ticket, body);
    expect(changed.body).toMatchObject({
      ...body,
      assignedTo: String(user.id),
      tags: ['B', 'c'],
      version: 2,
      ticketNumber: ticket.ticketNumber,
      updatedBy: acme.adminEmail,
    });
    expect(changed.headers.etag).toBe('"2"');
    expect(await read(ticket)).toEqual(changed.body);
    const cleared = (await patch(ticket, { assignedTo: null, assignedTeamId: null })).body;
    expect(cleared).not.toHaveProperty('assignedTo');
    expect(cleared).not.toHaveProperty('assignedTeamId');
  });

  test('tags are stored as sent, without duplicates that differ only in case', async () => {
    const dotted = 'İ'.repeat(64);
    const ticket = await create({ tags: ['VIP', 'vip', 'Straße', 'ÉTÉ', 'été', dotted] });
    expect(ticket.tags).toEqual(['VIP', 'Straße', 'ÉTÉ', dotted]);
    expect((await read(ticket)).tags).toEqual(ticket.tags);
    expect((await patch(ticket, { tags: ['vip', 'VIP'] })).body).toMatchObject({ tags: ['vip'], version: 2 });
    expect((await eventsOf(ticket)).at(-1)?.[1]).toEqual({
      changes: { tags: { from: ticket.tags, to: ['vip'] } },
    });
  });

  test('PATCH reports the field of an invalid value', async () => {
    const ticket = await create();
    for (const [body, wrong] of [
      [{ subject: null }, '400 subject'],
      [{ status: 'asleep' }, '400 status'],
      [{ assignedTo: 'nobody@tenant.test' }, '400 assignedTo'],
      [{ assignedTeamId: 7 }, '400 assignedTeamId'],
      [{ customFields: { model: 'x' } }, '400 customFields.model'],
    ] as const)
      expect(await outcome(patch(ticket, body))).toBe(wrong);
    expect(await outcome(patch({ id: 1 }, { assignedTo: 'nobody@tenant.test' }))).toBe('404 not_found');
  });

  test('a change of status and assignee emits three events, and a PATCH without a change emits no event', async () => {
    const { user } = await member(acme);
    const ticket = await create();
    await patch(ticket, { status: 'in_progress', assignedTo: user.email, tags: ['x'] });
    for (const body of [{}, { status: 'in_progress' }, { assignedTo: String(user.id) }, { tags: ['x', 'X'] }])
      expect((await patch(ticket, body)).body.version).toBe(2);
    const assignedTo = String(user.id);
    expect((await eventsOf(ticket)).slice(1)).toEqual([
      [
        'ticket_updated',
        {
          changes: {
            status: { from: 'open', to: 'in_progress' },
            assignedTo: { to: assignedTo },
            tags: { from: [], to: ['x'] },
          },
        },
      ],
      ['ticket_assigned', { assignedTo, assignedTeamId: null }],
      ['ticket_status_changed', { from: 'open', to: 'in_progress' }],
    ]);
  });
});

test('DELETE /tickets/{ticketId} responds with the ticket and deletes it with its number and all child items', async () => {
  const ticket = await create({ status: 'in_progress' });
  expect(await acme.admin.ok(deleteTicket, byId({ id: ticket.ticketNumber }))).toEqual(ticket);
  for (const name of [ticket.id, ticket.uniqueId, ticket.ticketNumber])
    expect(await outcome(acme.admin.call(readTicket, byId({ id: name })))).toBe('404 not_found');
  expect(await outcome(acme.admin.call(deleteTicket, byId(ticket)))).toBe('404 not_found');
  expect((await eventsOf(ticket)).at(-1)).toEqual(['ticket_deleted', {}]);
  await drain();
  const left = (await scanTable()).filter(
    ({ pk, type }) => pk.includes(String(ticket.id)) && type !== 'event',
  );
  expect(left).toEqual([
    { pk: expect.any(String), sk: 'RECORD', id: ticket.id, deletedAt: expect.any(String) },
  ]);
});

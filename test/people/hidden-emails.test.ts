import { expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import setApplicationParticipants from '../../functions/applications/set-application-participants.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import setLeadParticipants from '../../functions/leads/set-lead-participants.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import setMerchantParticipants from '../../functions/merchants/set-merchant-participants.ts';
import createReassignment from '../../functions/reassignments/create-reassignment.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import setTicketParticipants from '../../functions/tickets/set-ticket-participants.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import createRule from '../../functions/underwriting-rules/create-underwriting-rule.ts';
import updateRule from '../../functions/underwriting-rules/update-underwriting-rule.ts';
import updateUser from '../../functions/users/update-user.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { newTicketOf, ticketInput } from '../tickets/new-tickets.ts';

const acme = await tenant();
const everything = allPermissions as Permission[];
const reader = await member(acme, everything);
const blind = await member(
  acme,
  everything.filter((name) => name !== 'readUsers'),
);
const colleague = await member(acme, everything);
const former = await member(acme, everything);
await acme.admin.ok(updateUser, { params: { email: former.user.email }, body: { active: false } });

const query = { skipTeamAndSourceRequirement: true };
const leadInput = { firstName: 'Ada', lastName: 'Byron' };
const { id: leadId } = await acme.admin.ok(createLead, { query, body: leadInput });
const { uniqueId } = await newTicketOf(acme.admin, {});
const { id: applicationId } = await acme.admin.ok(createApplication, { body: {} });
const { id: merchantId } = await acme.admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
const when = { field: 'scheduleABasics.highMonthlyVolume', between: { to: 50_000 } };
const rule = (assignedTo: string) => ({
  name: 'A rule',
  when,
  action: { kind: 'assign' as const, assignedTo },
});

interface Way {
  send: (client: Client, email: string) => Promise<{ status: number; body: unknown }>;
  /** A user whom the request may name. Default: an active user. */
  named?: string;
}
const ways: Record<string, Way> = {
  'POST /leads': {
    send: ({ call }, assignedTo) => call(createLead, { query, body: { ...leadInput, assignedTo } }),
  },
  'PATCH /leads/{leadId}': {
    send: ({ call }, assignedTo) => call(updateLead, { params: { leadId }, body: { assignedTo } }),
  },
  'POST /leads/{leadId}/assign': {
    send: ({ call }, assignedTo) => call(assignLead, { params: { leadId }, body: { assignedTo } }),
  },
  'PATCH /applications/{applicationId}/underwriting': {
    send: ({ call }, assignedTo) =>
      call(updateUnderwriting, { params: { applicationId }, body: { assignedTo } }),
  },
  'PUT /applications/{applicationId}/owner': {
    send: ({ call }, ownerId) => call(setApplicationOwner, { params: { applicationId }, body: { ownerId } }),
  },
  'PUT /merchants/{merchantId}/owner': {
    send: ({ call }, ownerId) => call(setMerchantOwner, { params: { merchantId }, body: { ownerId } }),
  },
  'PUT /leads/{leadId}/participants': {
    send: ({ call }, one) => call(setLeadParticipants, { params: { leadId }, body: { participants: [one] } }),
  },
  'PUT /applications/{applicationId}/participants': {
    send: ({ call }, one) =>
      call(setApplicationParticipants, { params: { applicationId }, body: { participants: [one] } }),
  },
  'PUT /merchants/{merchantId}/participants': {
    send: ({ call }, one) =>
      call(setMerchantParticipants, { params: { merchantId }, body: { participants: [one] } }),
  },
  'PUT /tickets/{ticketId}/participants': {
    send: ({ call }, one) =>
      call(setTicketParticipants, { params: { ticketId: uniqueId }, body: { participants: [one] } }),
  },
  'POST /tickets': {
    send: ({ call }, assignedTo) => call(createTicket, { body: { ...ticketInput, assignedTo } }),
  },
  'POST /tickets, requesterId': {
    send: ({ call }, requesterId) =>
      call(createTicket, {
        body: {
          ...ticketInput,
          requesterType: 'user',
          requesterId,
          requesterName: 'Grace Hopper',
          requesterEmail: 'grace@example.com',
        },
      }),
  },
  'PATCH /tickets/{ticketId}': {
    send: ({ call }, assignedTo) =>
      call(updateTicket, { params: { ticketId: uniqueId }, body: { assignedTo } }),
  },
  'POST /tickets/bulk': {
    send: ({ call }, assignedTo) =>
      call(bulkTickets, { body: { ticketIds: [uniqueId], action: 'assign', payload: { assignedTo } } }),
  },
  'POST /reassignments, from': {
    named: former.user.email,
    send: ({ call }, from) => call(createReassignment, { body: { from, to: 'none' } }),
  },
  'POST /reassignments, to': {
    send: ({ call }, to) => call(createReassignment, { body: { from: String(former.user.id), to } }),
  },
  'POST /underwriting-rules': {
    send: ({ call }, assignedTo) => call(createRule, { body: rule(assignedTo) }),
  },
};

const shown = ({ status, body }: { status: number; body: unknown }) => {
  const { requestId: _, ...rest } = body as Record<string, unknown>;
  return { status, ...rest };
};

test.each(Object.entries(ways))(
  '%s gives a caller without readUsers the same answer for the email of a user and of nobody',
  async (_, { send, named = colleague.user.email }) => {
    expect((await send(reader.client, named)).status).toBeLessThan(300);
    const [known, unknown] = [
      await send(blind.client, named),
      await send(blind.client, 'nobody@example.com'),
    ];
    expect(unknown.status).toBe(400);
    expect(shown(known)).toEqual(shown(unknown));
    // The id of a user and the caller's own email are allowed.
    const id = named === colleague.user.email ? colleague.user.id : former.user.id;
    expect((await send(blind.client, String(id))).status).toBeLessThan(300);
    if (named === colleague.user.email)
      expect((await send(blind.client, blind.user.email)).status).toBeLessThan(300);
  },
);

test('PATCH /underwriting-rules/{id} gives a caller without readUsers the same answer for both', async () => {
  const { id } = await acme.admin.ok(createRule, { body: rule(reader.user.email) });
  const send = async (email: string) =>
    shown(await blind.client.call(updateRule, { params: { id }, body: { action: rule(email).action } }));
  expect(await send(colleague.user.email)).toEqual(await send('nobody@example.com'));
  expect((await send(String(colleague.user.id))).status).toBe(200);
});

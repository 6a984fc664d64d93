import { describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import createTicketTypeMapping from '../../functions/integrations/create-ticket-type-mapping.ts';
import listTicketTypeMappings from '../../functions/integrations/list-ticket-type-mappings.ts';
import replaceTicketTypeMapping from '../../functions/integrations/replace-ticket-type-mapping.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import readLeadRotation from '../../functions/lead-rotations/read-lead-rotation.ts';
import updateLeadRotation from '../../functions/lead-rotations/update-lead-rotation.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import deactivateLeadSource from '../../functions/lead-sources/deactivate-lead-source.ts';
import readLeadSource from '../../functions/lead-sources/read-lead-source.ts';
import updateLeadSource from '../../functions/lead-sources/update-lead-source.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import deleteTicketRotation from '../../functions/ticket-rotations/delete-ticket-rotation.ts';
import readTicketRotation from '../../functions/ticket-rotations/read-ticket-rotation.ts';
import updateTicketRotation from '../../functions/ticket-rotations/update-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import deleteTicketType from '../../functions/ticket-types/delete-ticket-type.ts';
import readTicketType from '../../functions/ticket-types/read-ticket-type.ts';
import replaceTicketType from '../../functions/ticket-types/replace-ticket-type.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import readUser from '../../functions/users/read-user.ts';
import removeUserFromAccount from '../../functions/users/remove-user-from-account.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { call } from '../harness/call.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';

type Values = Record<string, unknown>;

const owner = await tenant();
const { admin } = owner;
const [deletedTeam, inactiveTeam] = await Promise.all(
  ['Field', 'Phone'].map((name) => admin.ok(createTeam, { body: { name } })),
);
const [deletedTeamId, inactiveTeamId] = [deletedTeam?.id ?? 0, inactiveTeam?.id ?? 0];
const source = await admin.ok(createLeadSource, { body: { name: 'Fair', teamId: inactiveTeamId } });
const { user: gone } = await member(owner, []);
const { user: inactive } = await member(owner, [], { teamId: deletedTeamId });
const userRotationArray = [owner.adminEmail, gone.email].map((userId) => ({ userId, weight: 1 }));
const typeBody = { name: 'Fault', description: 'Of a terminal', category: 'technical' } as const;
const deletedType = await admin.ok(createTicketType, {
  body: { ...typeBody, customFields: [{ key: 'serial', label: 'Serial number', type: 'text' }] },
});
const ticketRotation = { name: 'Faults', userRotationArray };
const deletedRotation = await admin.ok(createTicketRotation, { body: ticketRotation });

const application = await admin.ok(createApplication, { body: {} });
const ofLead = await admin.ok(createLead, {
  body: { firstName: 'Ada', lastName: 'Byron', teamId: inactiveTeamId, leadSourceId: source.id },
});
await admin.ok(updateLead, { params: { leadId: ofLead.id }, body: { assignedTo: gone.email } });
const ticketBody = { subject: 'No cards', description: 'Since noon', requesterType: 'external' as const };
const ticket = await admin.ok(createTicket, {
  body: {
    ...ticketBody,
    requesterId: 'customer-4711',
    requesterName: 'Ada',
    requesterEmail: 'ada@example.com',
    ticketTypeId: deletedType.uniqueId,
    customFields: { serial: 'A1' },
    assignedTo: inactive.email,
    assignedTeamId: deletedTeamId,
  },
});
await admin.ok(updateUnderwriting, {
  params: { applicationId: application.id },
  body: { assignedTo: gone.email },
});

const mapping = await admin.ok(createTicketTypeMapping, {
  body: { partnerCategoryId: 7, serviceTicketTypeId: deletedType.uniqueId },
});
const type = await admin.ok(createTicketType, {
  body: { ...typeBody, rotationId: deletedRotation.uniqueId },
});
const leadRotation = await admin.ok(createLeadRotation, {
  body: { name: 'Inbound', teamId: deletedTeamId, userRotationArray },
});
const rotation = await admin.ok(createTicketRotation, {
  body: { ...ticketRotation, ticketTypeId: deletedType.uniqueId },
});
await drain();

await admin.ok(deleteTicketRotation, { params: { id: deletedRotation.uniqueId } });
await admin.ok(deleteTicketType, { params: { id: deletedType.uniqueId } });
await admin.ok(deleteTeam, { params: { id: deletedTeamId } });
await admin.ok(deactivateTeam, { params: { id: inactiveTeamId } });
await admin.ok(deactivateLeadSource, { params: { id: source.id } });
await admin.ok(updateUser, { params: { email: inactive.email }, body: { active: false } });
await admin.ok(removeUserFromAccount, { params: { email: gone.email, accountId: owner.accountId } });
await drain();

interface Holder {
  /** The fields that refer to deleted or inactive records. */
  fields: string[];
  read: Endpoint;
  write: Endpoint;
  params: Values;
}

const holders: Record<string, Holder> = {
  lead: {
    fields: ['teamId', 'leadSourceId', 'assignedTo'],
    read: readLead,
    write: updateLead,
    params: { leadId: ofLead.id },
  },
  ticket: {
    fields: ['assignedTo', 'assignedTeamId', 'customFields'],
    read: readTicket,
    write: updateTicket,
    params: { ticketId: ticket.uniqueId },
  },
  user: { fields: ['teamId'], read: readUser, write: updateUser, params: { email: inactive.email } },
  'lead source': {
    fields: ['teamId'],
    read: readLeadSource,
    write: updateLeadSource,
    params: { id: source.id },
  },
  'lead rotation': {
    fields: ['teamId', 'userRotationArray'],
    read: readLeadRotation,
    write: updateLeadRotation,
    params: { id: leadRotation.id },
  },
  'ticket rotation': {
    fields: ['ticketTypeId', 'userRotationArray'],
    read: readTicketRotation,
    write: updateTicketRotation,
    params: { id: rotation.uniqueId },
  },
  'ticket type': {
    fields: ['rotationId'],
    read: readTicketType,
    write: replaceTicketType,
    params: { id: type.uniqueId },
  },
  'ticket type mapping': {
    fields: ['serviceTicketTypeId'],
    read: listTicketTypeMappings,
    write: replaceTicketTypeMapping,
    params: { id: mapping.id },
  },
};

describe.each(Object.entries(holders))('a %s', (_, { fields, read, write, params }) => {
  const shown = async () => {
    const found = (await admin.ok(read, read === listTicketTypeMappings ? {} : { params })) as Values;
    return read === listTicketTypeMappings ? (found.data as Values[])[0] : found;
  };
  const send = (body: unknown) =>
    call(write, { params, rawBody: JSON.stringify(body), headers: admin.headers });

  test('with references to deleted or inactive records accepts its own values unchanged', async () => {
    const before = (await shown()) ?? {};
    expect(Object.keys(before)).toEqual(expect.arrayContaining(fields));
    const { status, body } = await send(before);
    expect([status, body]).toEqual([200, expect.anything()]);
    expect(await shown()).toEqual(before);
  });

  test('rejects other references to unknown records', async () => {
    const before = (await shown()) ?? {};
    for (const field of fields) {
      const { status } = await send({ ...before, [field]: another(before[field]) });
      expect([field, status]).toEqual([field, 400]);
    }
  });
});

/** Returns a value in a valid format that refers to no record. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return value.replace(/.$/, (last) => (last === '1' ? '2' : '1'));
  return Array.isArray(value) ? [{ userId: '1', weight: 1 }] : { unknown: 'A1' };
}

test('when the priority changes, an underwriter who has left the account can stay assigned', async () => {
  const params = { applicationId: application.id };
  const { admin: underwriting } = await admin.ok(readApplication, { params });
  const changed = await admin.ok(updateUnderwriting, {
    params,
    body: { assignedTo: underwriting?.assignedTo, priority: 'high' },
  });
  expect(changed.admin).toMatchObject({ assignedTo: String(gone.id), priority: 'high' });
});

test('when a weight of a rotation changes, a member who has left the account can be kept', async () => {
  const members = [owner.adminEmail, String(gone.id)].map((userId, at) => ({ userId, weight: at + 1 }));
  const { userRotationArray: after } = await admin.ok(updateLeadRotation, {
    params: { id: leadRotation.id },
    body: { userRotationArray: members },
  });
  expect(after).toMatchObject([{ weight: 1 }, { userId: String(gone.id), weight: 2 }]);
});

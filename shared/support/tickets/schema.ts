import { participants } from '../../people/ownership/schema.ts';
import {
  array,
  clearable,
  dateTime,
  email,
  integer,
  multilineText,
  object,
  oneOf,
  openObject,
  optional,
  partial,
  recordId,
  type Static,
  string,
  uniqueId,
} from '../../schema.ts';
import { priorities, slaFields, ticketStatuses } from '../../sla/schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { ticketCategories } from '../ticket-types/schema.ts';

const ticketSources = ['email', 'phone', 'portal', 'internal', 'api'] as const;

export const requesterTypes = [
  'application',
  'lead',
  'user',
  'merchant',
  'merchant-internal',
  'mid',
  'external',
] as const;
export type RequesterType = (typeof requesterTypes)[number];

export const maxTags = 50;
export const maxTagLength = 64;

const id = recordId({ readOnly: true });
const texts = {
  subject: string({ minLength: 1, maxLength: 255, examples: ['The terminal does not print'] }),
  description: multilineText({
    minLength: 1,
    maxLength: 65_536,
    description: 'Lists show the first 200 characters.',
    examples: ['Since this morning no receipt comes out.'],
  }),
};
const ticketTypeId = uniqueId('tty', { description: 'Type of the ticket.' });
const status = oneOf(ticketStatuses);
const priority = oneOf(priorities);
const category = oneOf(ticketCategories);
const source = oneOf(ticketSources);
const requesterType = oneOf(requesterTypes);
const requesterId = string({
  minLength: 1,
  maxLength: 254,
  description:
    'A user’s id or email, or the id of a lead, application, merchant or MID. For an external requester, any text.',
  examples: ['customer-4711'],
});
const requesterName = string({ minLength: 1, maxLength: 401, examples: ['Ada Byron'] });
const requesterEmail = string({ minLength: 1, maxLength: 254, examples: ['ada@example.com'] });
const requesterPhone = string({ minLength: 1, maxLength: 64, examples: ['+1 415 555 0134'] });
const assignee = {
  assignedTo: string({
    minLength: 1,
    maxLength: 254,
    description: 'A user id or email. Stored as the id.',
    examples: ['214563398120449'],
  }),
  assignedTeamId: recordId(),
};
const links = {
  merchantId: recordId(),
  leadId: recordId(),
  applicationId: string({ minLength: 1, maxLength: 64, examples: ['app_65YB3N0G2M1'] }),
  midId: recordId({ description: 'Record id of the MID.' }),
};
const customFields = openObject({
  description: 'Values by key. The ticket type defines the keys.',
  examples: [{}],
});
const tag = string({ minLength: 1, examples: ['Hardware'] });
const tagsSent = array(string({ minLength: 1, maxLength: maxTagLength, examples: ['Hardware'] }), {
  maxItems: maxTags,
  description:
    'Stored as sent. Duplicates are removed. Tags are compared as in filters, without case and accents.',
});
const metaData = openObject({ examples: [{ shop: 'harbor-street' }] });
const count = (description: string) => integer({ readOnly: true, description, examples: [0] });
const { version, ...stamps } = recordFields;

export const Ticket = object({
  ...stamps,
  id,
  uniqueId: uniqueId('tkt', { readOnly: true }),
  ticketNumber: string({ readOnly: true, description: 'Number shown to users.', examples: ['TKT-000123'] }),
  version,
  ticketTypeId: optional(ticketTypeId),
  ...texts,
  status,
  priority,
  category,
  source,
  requesterType,
  requesterId,
  requesterName,
  requesterEmail,
  requesterPhone: optional(requesterPhone),
  partnerTicketId: optional(
    string({
      readOnly: true,
      description: 'The partner’s id of the support request. Public staff comments are sent to the partner.',
      examples: ['case-4711'],
    }),
  ),
  ...partial(assignee).properties,
  participants: optional(participants),
  ...partial(links).properties,
  merchantName: optional(string({ readOnly: true, examples: ['Harbor Street Coffee'] })),
  lastResponseAt: optional(dateTime({ readOnly: true, description: 'When staff last responded.' })),
  lastCustomerResponseAt: optional(
    dateTime({ readOnly: true, description: 'When the customer last responded.' }),
  ),
  ...slaFields,
  responseCount: count('Number of public staff comments.'),
  internalNoteCount: optional(
    count('Number of internal comments. Shown only to callers with readInternalComments.'),
  ),
  attachmentCount: count('Number of documents.'),
  customFields: optional(customFields),
  tags: array(tag),
  metaData: optional(metaData),
});
export type Ticket = Static<typeof Ticket>;

export const TicketInput = object({
  ticketTypeId: optional(ticketTypeId),
  ...texts,
  status: optional(oneOf(ticketStatuses, { default: 'open' })),
  priority: optional(oneOf(priorities, { default: 'medium' })),
  category: optional(oneOf(ticketCategories, { description: 'Default: the category of the ticket type.' })),
  source: optional(oneOf(ticketSources, { default: 'api' })),
  requesterType: oneOf(requesterTypes, { examples: ['external'] }),
  requesterId,
  requesterName: optional(requesterName),
  requesterEmail: optional(email({ examples: ['ada@example.com'] })),
  requesterPhone: optional(requesterPhone),
  ...partial(assignee).properties,
  ...partial(links).properties,
  customFields: optional(customFields),
  tags: optional(tagsSent),
  metaData: optional(metaData),
});
export type TicketInput = Static<typeof TicketInput>;

export const TicketPatch = partial({
  ...texts,
  status,
  priority,
  category,
  ...clearable(assignee),
  customFields: openObject({ description: 'Values by key. Null clears a field.', examples: [{}] }),
  tags: tagsSent,
});
export type TicketPatch = Static<typeof TicketPatch>;

export const TicketParams = object({
  ticketId: string({
    minLength: 1,
    maxLength: 64,
    description: 'id, uniqueId or ticketNumber.',
    examples: ['tkt_0634kqj0x01'],
  }),
});

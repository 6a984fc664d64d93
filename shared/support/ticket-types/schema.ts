import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
  uniqueId,
  unsafe,
} from '../../schema.ts';
import { allPermissions } from '../../security/permissions.ts';
import { recordFields } from '../../table/record-fields.ts';

/** Interface, "Ticket", category enum. */
export const ticketCategories = [
  'technical',
  'billing',
  'account',
  'compliance',
  'feature_request',
  'underwriting',
  'general_support',
  'general_forms',
  'retention',
  'activations',
  'fee_change_forms',
  'bank_submissions',
] as const;

export const customFieldTypes = [
  'text',
  'long_text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'date_time',
  'select',
  'multi_select',
  'email',
  'phone',
  'url',
] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

/** What a ticket holds under the key of a custom field. */
export type CustomFieldValue = string | number | boolean | string[];

const key = string({
  pattern: '^[a-z][A-Za-z0-9_]{0,39}$',
  examples: ['terminalModel'],
  description: 'What tickets hold the value under. It has one type for the life of the ticket type.',
});
const label = string({ minLength: 1, maxLength: 200, examples: ['Model of the terminal'] });
const options = array(
  object({
    value: string({ minLength: 1, maxLength: 100, examples: ['countertop'] }),
    label: string({ minLength: 1, maxLength: 200, examples: ['Countertop'] }),
  }),
  { minItems: 1, maxItems: 100, description: 'What a select or multi_select chooses from.' },
);
const bound = (what: string) =>
  unsafe<number | string>({
    type: ['number', 'string'],
    maxLength: 40,
    examples: [1],
    description: `The ${what} value: of integer and decimal a number, of date and date_time a text of that type.`,
  });
const most = integer({
  minimum: 1,
  maximum: 10_000,
  examples: [80],
  description: 'The most characters, of a text.',
});
const fallback = unsafe<CustomFieldValue>({
  type: ['string', 'number', 'boolean', 'array'],
  maxLength: 1000,
  maxItems: 100,
  items: string({ maxLength: 100, examples: ['countertop'] }),
  examples: ['countertop'],
  description: 'What a new ticket gets where nothing is sent. It fits its own definition.',
});
const helpText = string({ examples: ['It is printed below the terminal.'] });

const definition = {
  key,
  label,
  type: oneOf(customFieldTypes),
  options: optional(options),
  min: optional(bound('least')),
  max: optional(bound('greatest')),
  maxLength: optional(most),
  default: optional(fallback),
  helpText: optional(helpText),
};
const exampleField = { key: 'terminalModel', label: 'Model of the terminal', type: 'text', maxLength: 80 };

/** What tickets of a type hold beside what every ticket has: the definition of one field. */
export const CustomField = object({ ...definition, required: boolean() });
export type CustomField = Static<typeof CustomField>;

const CustomFieldInput = object({ ...definition, required: optional(boolean({ default: false })) });
export type CustomFieldInput = Static<typeof CustomFieldInput>;

const name = string({ minLength: 1, maxLength: 200, examples: ['Terminal fault'] });
const description = string({ minLength: 1, examples: ['A terminal that does not take cards'] });
const category = oneOf(ticketCategories);
const isActive = boolean({ description: 'Only an active type takes new tickets.' });
const rotationId = uniqueId('rot', { description: 'The rotation that assigns its tickets.' });
const permissions = (annotations: { default?: string[] } = {}) =>
  array(oneOf(allPermissions), {
    maxItems: 100,
    examples: [['bulkTickets']],
    description: 'What it takes, beside writeTickets, to create a ticket of the type.',
    ...annotations,
  });
const sortOrder = { examples: [10] };
const autoAssignment = { description: 'Whether a ticket that names nobody takes a turn of a rotation.' };

/** A kind of tickets. Interface, "Ticket type". */
export const TicketType = object({
  ...recordFields,
  uniqueId: uniqueId('tty', { readOnly: true }),
  name,
  description,
  category,
  requiredPermissions: permissions(),
  isActive,
  autoAssignmentEnabled: boolean(autoAssignment),
  rotationId: optional(rotationId),
  customFields: array(CustomField, { maxItems: 50, examples: [[{ ...exampleField, required: false }]] }),
  sortOrder: integer(sortOrder),
});
export type TicketType = Static<typeof TicketType>;

/** A type as it is stored: its `uniqueId` follows from its id. */
export type StoredTicketType = Omit<TicketType, 'uniqueId'> & {
  /** The types of the custom fields that were taken out, by key. Nobody is shown them. */
  formerFields?: Record<string, CustomFieldType>;
};

const settings = {
  name,
  description,
  category,
  requiredPermissions: optional(permissions({ default: [] })),
  autoAssignmentEnabled: optional(boolean({ ...autoAssignment, default: false })),
  rotationId: optional(nullable(rotationId)),
  customFields: optional(array(CustomFieldInput, { maxItems: 50, default: [], examples: [[exampleField]] })),
  sortOrder: optional(integer({ ...sortOrder, default: 0 })),
};

/** The body of PUT: what is absent falls to its default. Interface, "PUT /ticket-types/{id}". */
export const TicketTypeReplacement = object(settings);
export type TicketTypeReplacement = Static<typeof TicketTypeReplacement>;

export const TicketTypeInput = object({
  ...settings,
  isActive: optional(boolean({ default: true, description: 'Only an active type takes new tickets.' })),
});

export const TicketTypeStatus = object({ isActive });

/** The path of a type: `/ticket-types/{id}`, by its `uniqueId` or its id. */
export const TicketTypeParams = object({ id: uniqueId('tty') });

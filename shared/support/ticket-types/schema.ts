import { allPermissions } from '../../resources/derived.ts';
import {
  array,
  boolean,
  integer,
  multilineText,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
  uniqueId,
  unsafe,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

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

export type CustomFieldValue = string | number | boolean | string[];

const key = string({
  pattern: '^[a-z][A-Za-z0-9_]{0,39}$',
  examples: ['terminalModel'],
  description: 'Key of the value in customFields. The type of a key can never change.',
});
const label = string({ minLength: 1, maxLength: 200, examples: ['Model of the terminal'] });
const options = array(
  object({
    value: string({ minLength: 1, maxLength: 100, examples: ['countertop'] }),
    label: string({ minLength: 1, maxLength: 200, examples: ['Countertop'] }),
  }),
  { minItems: 1, maxItems: 100, description: 'Choices of a select or multi_select.' },
);
const bound = (what: string) =>
  unsafe<number | string>({
    type: ['number', 'string'],
    maxLength: 40,
    examples: [1],
    description: `${what} value: a number for integer and decimal, a string for date and date_time.`,
  });
const most = integer({
  minimum: 1,
  maximum: 10_000,
  examples: [80],
  description: 'Maximum number of characters in a text.',
});
const fallback = unsafe<CustomFieldValue>({
  type: ['string', 'number', 'boolean', 'array'],
  maxLength: 1000,
  'x-text': 'multiline',
  maxItems: 100,
  items: string({ maxLength: 100, examples: ['countertop'] }),
  examples: ['countertop'],
  description: 'Used if a new ticket is created without a value. Must be valid for this field.',
});
const helpText = multilineText({ examples: ['It is printed below the terminal.'] });

const definition = {
  key,
  label,
  type: oneOf(customFieldTypes),
  options: optional(options),
  min: optional(bound('Minimum')),
  max: optional(bound('Maximum')),
  maxLength: optional(most),
  default: optional(fallback),
  helpText: optional(helpText),
};
const exampleField = { key: 'terminalModel', label: 'Model of the terminal', type: 'text', maxLength: 80 };

export const CustomField = object({ ...definition, required: boolean() });
export type CustomField = Static<typeof CustomField>;

export const CustomFieldInput = object({ ...definition, required: optional(boolean({ default: false })) });
export type CustomFieldInput = Static<typeof CustomFieldInput>;

const name = string({ minLength: 1, maxLength: 200, examples: ['Terminal fault'] });
const description = multilineText({ minLength: 1, examples: ['A terminal that does not take cards'] });
const category = oneOf(ticketCategories);
const isActive = boolean({ description: 'Only an active type accepts new tickets.' });
const rotationId = uniqueId('rot', { description: 'Rotation that assigns the tickets of this type.' });
const permissions = (annotations: { default?: string[] } = {}) =>
  array(oneOf(allPermissions), {
    maxItems: 100,
    examples: [['bulkTickets']],
    description: 'Permissions needed, in addition to writeTickets, to create a ticket of this type.',
    ...annotations,
  });
const sortOrder = { examples: [10] };
const autoAssignment = {
  description: 'Whether a rotation assigns tickets that are created without assignedTo.',
};

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

export type StoredTicketType = Omit<TicketType, 'uniqueId'> & {
  /** The types of removed custom fields, by key. Never shown. */
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

export const TicketTypeReplacement = object(settings);
export type TicketTypeReplacement = Static<typeof TicketTypeReplacement>;

export const TicketTypeInput = object({
  ...settings,
  isActive: optional(boolean({ default: true, description: 'Only an active type accepts new tickets.' })),
});

export const TicketTypeStatus = object({ isActive });

/** The path accepts the `uniqueId` or the id. */
export const TicketTypeParams = object({ id: uniqueId('tty') });

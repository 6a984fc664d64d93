import {
  boolean,
  dateTime,
  expiry,
  integer,
  multilineText,
  nullable,
  object,
  openObject,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const value = string({ minLength: 1, examples: ['restaurant'], description: 'The value that programs use.' });
const text = string({ examples: ['Restaurant'], description: 'The label that users see.' });
const displayOrder = integer({ examples: [10] });
const metadata = openObject({ examples: [{ mcc: '5814' }] });
const parent_id = recordId({ description: 'The parent option, from any table and field of the account.' });
const custom_sort_index = integer({ examples: [1], description: 'The first key of the default order.' });
const group_name = string({ maxLength: 200, examples: ['Food and drink'] });
const locale = string({ maxLength: 64, examples: ['en-US'] });
const description = multilineText({ examples: ['Eating places of every kind'] });
const is_active = boolean({ description: 'An inactive option is listed only with all=true.' });
const expiryRule = 'After this time, the option is listed only with all=true.';
const expires_at = dateTime({ description: expiryRule });
const newExpiry = expiry(expiryRule);

const { id, ...stamps } = recordFields;

const fields = {
  value,
  text: optional(text),
  displayOrder: optional(displayOrder),
  metadata: optional(metadata),
  parent_id: optional(parent_id),
  custom_sort_index: optional(custom_sort_index),
  group_name: optional(group_name),
  locale: optional(locale),
  description: optional(description),
  is_active,
  expires_at: optional(expires_at),
};

/** An option for a field of a table. */
export const LookupOption = object({ id, ...fields, ...stamps });
export type LookupOption = Static<typeof LookupOption>;

/** An option as stored, with the table and field from the path of the request. */
export type StoredLookupOption = LookupOption & { table: string; field: string };

export const LookupOptionInput = object({
  ...fields,
  is_active: optional(boolean({ default: true })),
  expires_at: optional(newExpiry),
});

/** The body of `PUT /lookup/{table}/{field}/id/{id}`. */
export const LookupOptionPatch = object({
  text: optional(text),
  value: optional(value),
  parent_id: optional(nullable(parent_id)),
  custom_sort_index: optional(nullable(custom_sort_index)),
  displayOrder: optional(displayOrder),
  group_name: optional(nullable(group_name)),
  locale: optional(nullable(locale)),
  description: optional(nullable(description)),
  is_active: optional(is_active),
  metadata: optional(nullable(metadata)),
  expires_at: optional(nullable(newExpiry)),
});

/** The name of a table or field, chosen by the account. */
const name = (example: string) =>
  string({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_.-]+$', examples: [example] });
const ofField = { table: name('merchant'), field: name('category') };

export const LookupFieldParams = object(ofField);
export type LookupField = Static<typeof LookupFieldParams>;

export const LookupOptionParams = object({ ...ofField, id: recordId() });

/** The response to the creation, change or deletion of an option. */
export const LookupResponse = object({
  message: string({ examples: ['Lookup value updated'] }),
  lookupValue: LookupOption,
});

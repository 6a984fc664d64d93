import { ApiError, type FieldError } from '../../errors.ts';
import { calendarDay, emailAddress, phoneNumber, webAddress } from '../../formats.ts';
import { asInstant } from '../../instant.ts';
import { sameValue } from '../../table/revise.ts';
import type { CustomField, CustomFieldType, CustomFieldValue } from './schema.ts';

/** What a ticket holds in its custom fields, by key. */
export type CustomFields = Record<string, unknown>;

/** A value as it is stored, or what is wrong with it. */
type ValidatedValue = { value: CustomFieldValue; fault?: undefined } | { value?: undefined; fault: string };

/** As many characters as a text may have where its definition sets no limit of its own. */
export const longest = { text: 1000, long_text: 10_000, email: 254, phone: 40, url: 2048 } as const;

/** As many bytes as the custom fields of a ticket may have as JSON. */
const largest = 32 * 1024;

/** So many faults a response names. */
const mostDetails = 20;

/** A value as the definition of its field stores it, an instant in UTC to the millisecond, or what is wrong with it. */
export const validateValue = (definition: CustomField, value: unknown): ValidatedValue =>
  validators[definition.type](value, definition);

type FieldValidator = (value: unknown, definition: CustomField) => ValidatedValue;

const isWhole: FieldValidator = (value, definition) =>
  typeof value === 'number' && Number.isSafeInteger(value)
    ? within(value, definition)
    : { fault: 'must be a whole number' };

const isNumber: FieldValidator = (value, definition) =>
  typeof value === 'number' && Number.isFinite(value)
    ? within(value, definition)
    : { fault: 'must be a number' };

const isTruth: FieldValidator = (value) =>
  typeof value === 'boolean' ? { value } : { fault: 'must be true or false' };

const isDay: FieldValidator = (value, definition) =>
  typeof value === 'string' && calendarDay.test(value)
    ? within(value, definition)
    : { fault: 'must be a day of the calendar, such as 2026-03-01' };

const isInstant: FieldValidator = (value, definition) => {
  const instant = typeof value === 'string' ? asInstant(value) : undefined;
  return instant === undefined
    ? { fault: 'must be a date-time, such as 2026-03-01T09:30:00Z' }
    : within(instant, definition);
};

const isOption: FieldValidator = (value, definition) =>
  typeof value === 'string' && optionsOf(definition).includes(value)
    ? { value }
    : { fault: `must be one of ${optionsOf(definition).join(', ')}` };

const areOptions: FieldValidator = (value, definition) => {
  const known = new Set(optionsOf(definition));
  const chosen: unknown[] | undefined = Array.isArray(value) ? value : undefined;
  const options = chosen?.filter((one): one is string => typeof one === 'string' && known.has(one));
  if (!chosen || !options || options.length < chosen.length)
    return { fault: `must be a list of some of ${[...known].join(', ')}` };
  if (new Set(options).size < options.length) return { fault: 'must name each option once' };
  return definition.required && options.length === 0 ? { fault: 'is required' } : { value: options };
};

/** A text of this form: never empty, since null is what says that there is none. */
const textLike =
  (most: number, form: { test(text: string): boolean } = /^/, what = 'a text'): FieldValidator =>
  (value, { maxLength = most }) => {
    if (typeof value !== 'string' || value.trim() === '') return { fault: `must be ${what}, and not empty` };
    // A text that is far too long is neither counted nor looked at.
    const characters = value.length > 2 * most ? value.length : [...value].length;
    if (characters > Math.min(maxLength, most))
      return { fault: `must have at most ${Math.min(maxLength, most)} characters` };
    return form.test(value) ? { value } : { fault: `must be ${what}` };
  };

const telephone = {
  test(text: string): boolean {
    const digits = text.replaceAll(/\D/g, '').length;
    return phoneNumber.test(text) && digits >= 5 && digits <= 21;
  },
};

const address = { test: (text: string): boolean => /^https?:/i.test(text) && webAddress.test(text) };

const validators: Record<CustomFieldType, FieldValidator> = {
  text: textLike(longest.text),
  long_text: textLike(longest.long_text),
  integer: isWhole,
  decimal: isNumber,
  boolean: isTruth,
  date: isDay,
  date_time: isInstant,
  select: isOption,
  multi_select: areOptions,
  email: textLike(longest.email, emailAddress, 'an email address'),
  phone: textLike(longest.phone, telephone, 'a telephone number'),
  url: textLike(longest.url, address, 'an http or https address'),
};

const optionsOf = ({ options = [] }: CustomField): string[] => options.map(({ value }) => value);

const within = (value: number | string, { min, max }: CustomField): ValidatedValue => {
  if (min !== undefined && comesBefore(value, min)) return { fault: `must be at least ${min}` };
  if (max !== undefined && comesBefore(max, value)) return { fault: `must be at most ${max}` };
  return { value };
};

/** Numbers by size; days and instants as texts, which sort as they do. */
export const comesBefore = (one: number | string, other: number | string): boolean =>
  typeof one === 'number' && typeof other === 'number' ? one < other : String(one) < String(other);

/**
 * The custom fields of a ticket after `sent` came for it. A new ticket (`stored` undefined) gets the defaults and needs
 * what is required. One that has fields keeps them: what is sent is merged by key, null clears, a required field
 * excepted, and nothing is validated but values that differ from the stored ones. So a definition that is newer than a value does not reach back, and
 * a type that is gone (no definitions) takes no value. Throws `invalid_input`, every fault named `customFields.<key>`.
 */
export function checkCustomFields(
  definitions: readonly CustomField[],
  sent: Readonly<CustomFields>,
  stored: Readonly<CustomFields> | undefined,
): CustomFields {
  const defined = new Map(definitions.map((definition) => [definition.key, definition]));
  const after = new Map(Object.entries(stored ?? {}));
  const faults = new Map<string, string>();
  for (const [key, value] of Object.entries(sent)) {
    const definition = defined.get(key);
    if (value === undefined || (stored && sameValue(value, stored[key]))) continue;
    if (value === null && (definition ? !definition.required : after.has(key))) {
      after.delete(key);
      continue;
    }
    const validated = definition
      ? validateSent(definition, value)
      : { fault: 'is no field of this ticket type' };
    if (validated.fault === undefined) after.set(key, validated.value);
    else faults.set(key, validated.fault);
  }
  if (!stored)
    for (const { key, default: fallback, required } of definitions) {
      if (Object.hasOwn(sent, key) && sent[key] !== undefined) continue;
      if (fallback !== undefined) after.set(key, fallback);
      else if (required) faults.set(key, 'is required');
    }
  const fields = Object.fromEntries(after);
  if (faults.size === 0 && bytesOf(fields) > Math.max(largest, bytesOf(stored ?? {})))
    for (const key of Object.keys(sent)) faults.set(key, `would make more than ${largest} bytes of them all`);
  if (faults.size > 0) throw new ApiError('invalid_input', { details: named(faults) });
  return fields;
}

const bytesOf = (fields: Readonly<CustomFields>): number => Buffer.byteLength(JSON.stringify(fields));

const validateSent = (definition: CustomField, value: unknown): ValidatedValue =>
  value === null ? { fault: 'is required' } : validateValue(definition, value);

const named = (faults: ReadonlyMap<string, string>): FieldError[] =>
  [...faults].slice(0, mostDetails).map(([key, message]) => ({ field: `customFields.${key}`, message }));

import { ApiError, type FieldError } from '../../errors.ts';
import {
  asLines,
  asWebAddress,
  calendarDay,
  emailIn,
  isWebAddress,
  phoneNumber,
  textForms,
  visibleCharacter,
} from '../../formats.ts';
import { asInstant } from '../../instant.ts';
import { sameValue } from '../../table/revise.ts';
import type { CustomField, CustomFieldType, CustomFieldValue } from './schema.ts';

export type CustomFields = Record<string, unknown>;

type ValidatedValue = { value: CustomFieldValue; fault?: undefined } | { value?: undefined; fault: string };

/** The default and maximum `maxLength` of each text type, in characters. */
export const maxLengths = { text: 1000, long_text: 10_000, email: 254, phone: 40, url: 2048 } as const;

const maxBytes = 32 * 1024;

const maxDetails = 20;

/** Validates a value and returns its stored form. Date-times are stored in UTC with milliseconds. */
export const validateValue = (definition: CustomField, value: unknown): ValidatedValue =>
  validators[definition.type](value, definition);

type FieldValidator = (value: unknown, definition: CustomField) => ValidatedValue;

/**
 * Validates a text. `stored` returns its stored form; undefined if the text is not valid. A text without a visible
 * character is rejected. To clear a field, a request sends null.
 */
const textLike =
  (
    most: number,
    stored: (text: string) => string | undefined,
    what = 'a string',
    fault = `must be ${what}`,
  ): FieldValidator =>
  (value, { maxLength = most }) => {
    if (typeof value !== 'string' || !visibleCharacter.test(value))
      return { fault: `must be ${what} and must not be empty` };
    // A text that is far too long is rejected without counting its characters.
    const characters = value.length > 2 * most ? value.length : [...value].length;
    if (characters > Math.min(maxLength, most))
      return { fault: `must have at most ${Math.min(maxLength, most)} characters` };
    const valid = stored(value);
    return valid === undefined ? { fault } : { value: valid };
  };

const line = (text: string) => (textForms.line.form.test(text) ? text : undefined);

function lines(text: string): string | undefined {
  const stored = asLines(text);
  return textForms.multiline.form.test(stored) ? stored : undefined;
}

function telephone(text: string): string | undefined {
  const digits = text.replaceAll(/\D/g, '').length;
  return line(text) !== undefined && phoneNumber.test(text) && digits >= 5 && digits <= 21 ? text : undefined;
}

function address(text: string): string | undefined {
  const stored = asWebAddress(text);
  return isWebAddress(stored) ? stored : undefined;
}

const validators: Record<CustomFieldType, FieldValidator> = {
  text: textLike(maxLengths.text, line, 'a string', textForms.line.message),
  long_text: textLike(maxLengths.long_text, lines, 'a string', textForms.multiline.message),
  integer: (value, definition) =>
    typeof value === 'number' && Number.isSafeInteger(value)
      ? within(value, definition)
      : { fault: 'must be a whole number' },
  decimal: (value, definition) =>
    typeof value === 'number' && Number.isFinite(value)
      ? within(value, definition)
      : { fault: 'must be a number' },
  boolean: (value) => (typeof value === 'boolean' ? { value } : { fault: 'must be true or false' }),
  date: (value, definition) =>
    typeof value === 'string' && calendarDay.test(value)
      ? within(value, definition)
      : { fault: 'must be a valid date, such as 2026-03-01' },
  date_time(value, definition) {
    const instant = typeof value === 'string' ? asInstant(value) : undefined;
    return instant === undefined
      ? { fault: 'must be a valid date-time, such as 2026-03-01T09:30:00Z' }
      : within(instant, definition);
  },
  select: (value, definition) =>
    typeof value === 'string' && optionsOf(definition).includes(value)
      ? { value }
      : { fault: `must be one of ${optionsOf(definition).join(', ')}` },
  multi_select(value, definition) {
    const known = new Set(optionsOf(definition));
    const chosen: unknown[] | undefined = Array.isArray(value) ? value : undefined;
    const options = chosen?.filter((one): one is string => typeof one === 'string' && known.has(one));
    if (!chosen || !options || options.length < chosen.length)
      return { fault: `must be an array of values from ${[...known].join(', ')}` };
    if (new Set(options).size < options.length) return { fault: 'must not contain duplicates' };
    return definition.required && options.length === 0 ? { fault: 'is required' } : { value: options };
  },
  email: textLike(maxLengths.email, emailIn, 'an email address'),
  phone: textLike(maxLengths.phone, telephone, 'a telephone number'),
  url: textLike(maxLengths.url, address, 'an http or https address'),
};

const optionsOf = ({ options = [] }: CustomField): string[] => options.map(({ value }) => value);

const within = (value: number | string, { min, max }: CustomField): ValidatedValue => {
  if (min !== undefined && comesBefore(value, min)) return { fault: `must be at least ${min}` };
  if (max !== undefined && comesBefore(max, value)) return { fault: `must be at most ${max}` };
  return { value };
};

/** Compares dates and date-times as strings. Their stored forms sort in order of time. */
export const comesBefore = (one: number | string, other: number | string): boolean =>
  typeof one === 'number' && typeof other === 'number' ? one < other : String(one) < String(other);

/**
 * Applies `sent` to the custom fields of a ticket. Throws `invalid_input` with every fault as
 * `customFields.<key>`.
 * - A new ticket (`stored` is undefined) gets the defaults and needs all required fields.
 * - In an existing ticket, only sent fields change, and null clears a field that is not required.
 * - Only changed values are validated. A newer definition therefore does not affect stored values.
 * - If the ticket type was deleted, there are no definitions, and new values are rejected.
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
      : { fault: 'is not a field of this ticket type' };
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
  if (faults.size === 0 && bytesOf(fields) > Math.max(maxBytes, bytesOf(stored ?? {})))
    for (const key of Object.keys(sent))
      faults.set(key, `makes the custom fields larger than ${maxBytes} bytes in total`);
  if (faults.size > 0) throw new ApiError('invalid_input', { details: named(faults) });
  return fields;
}

const bytesOf = (fields: Readonly<CustomFields>): number => Buffer.byteLength(JSON.stringify(fields));

const validateSent = (definition: CustomField, value: unknown): ValidatedValue =>
  value === null ? { fault: 'is required' } : validateValue(definition, value);

const named = (faults: ReadonlyMap<string, string>): FieldError[] =>
  [...faults].slice(0, maxDetails).map(([key, message]) => ({ field: `customFields.${key}`, message }));

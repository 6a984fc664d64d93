import {
  Array as ArrayOf,
  Boolean as BooleanOf,
  Integer as IntegerOf,
  Number as NumberOf,
  Object as ObjectOf,
  Optional,
  type Static,
  String as StringOf,
  type TBoolean,
  type TInteger,
  type TNumber,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnsafe,
  Unsafe,
} from 'typebox';
import type { TextForm } from './formats.ts';
import type { AccountId } from './id/account-id.ts';
import type { UniquePrefix } from './id/unique-id.ts';

/**
 * The builders of schemas. Each schema is both JSON Schema 2020-12 and a TypeScript type. TypeBox's computed types
 * (Partial, Omit, Record) are not used, because they would add the whole TypeBox engine to every bundle.
 */
export type { Static, TObject, TProperties, TSchema, TUnsafe };
export { Optional as optional };

type Annotations = {
  description?: string;
  default?: unknown;
  examples?: unknown[];
  readOnly?: boolean;
  /** Ignored in a request, because the value depends on the query or can change at any time. */
  'x-volatile'?: true;
  'x-expiry'?: true;
};

type StringRules = Annotations & {
  'x-redacts'?: 'sensitive' | 'credential';
  /** The fields that a `sort` may contain. */
  'x-sort-fields'?: readonly string[];
  'x-text'?: TextForm;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
};
type NumberRules = Annotations & { minimum?: number; maximum?: number };

/** A closed object. In a request, an unknown field is rejected. In a response, an unknown field fails a test. */
export const object = <P extends TProperties>(properties: P, annotations: Annotations = {}): TObject<P> =>
  ObjectOf(properties, { additionalProperties: false, ...annotations });

/** A query that another service writes. Unknown parameters are ignored. */
export const openQuery = <P extends TProperties>(properties: P): TObject<P> =>
  ObjectOf(properties, { additionalProperties: true });

/** Makes all fields optional, for the body of a PATCH. */
export function partial<P extends TProperties>(properties: P): TObject<{ [K in keyof P]: TOptional<P[K]> }> {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Optional(schema)]);
  return object(Object.fromEntries(entries) as { [K in keyof P]: TOptional<P[K]> });
}

export const array = <S extends TSchema>(
  items: S,
  rules: Annotations & { minItems?: number; maxItems?: number; uniqueItems?: boolean } = {},
) => ArrayOf(items, rules);

/**
 * A text of one line. In a request, the text must not contain control characters. With `minLength`, it must contain a
 * visible character. Default limit 1,000 characters, so that 100 records always fit into one response.
 */
export const string = (rules: StringRules = {}): TString => StringOf({ maxLength: 1000, ...rules });

/** A text that may have several lines. Every line break is stored as a line feed. */
export const multilineText = (rules: StringRules = {}): TString =>
  string({ 'x-text': 'multiline', ...rules });

/** A name, which may be shown in mail, terminals and file lists. Default limit 200 characters. */
export const nameText = (rules: StringRules = {}): TString =>
  string({ minLength: 1, maxLength: 200, 'x-text': 'name', ...rules });

/** A secret that is only compared with a stored hash. Any character is accepted, as when the secret was set. */
export const enteredSecret = (rules: StringRules = {}): TString => string({ 'x-text': 'verbatim', ...rules });

/** A personal or business value that is stored encrypted. Dry runs and stored responses show REDACTED instead. */
export const sensitive = (rules: StringRules = {}): TString => string({ ...rules, 'x-redacts': 'sensitive' });

/** A key, token, secret or signed URL. Dry runs show REDACTED instead. */
export const credential = (rules: StringRules = {}): TString =>
  string({ ...rules, 'x-redacts': 'credential' });

export const integer = (rules: NumberRules = {}): TInteger =>
  IntegerOf({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...rules });

/** A validated account id in a record or response. In parameters, an account id is a `string`. */
export const accountId = (annotations: Annotations = {}): TUnsafe<AccountId> =>
  Unsafe<AccountId>({ ...string({ examples: ['acme'], ...annotations }) });

/** The id of a record. Newer records have larger ids. */
export const recordId = (annotations: Annotations = {}): TInteger =>
  integer({ minimum: 1, examples: [214563398120449], ...annotations });

/**
 * The `uniqueId` of a ticket, ticket type or ticket rotation. A request may use upper or lower case, omit the padding,
 * or send the decimal id instead. The endpoint checks that the record exists.
 */
export const uniqueId = (prefix: UniquePrefix, annotations: Annotations = {}): TString =>
  StringOf({ maxLength: 32, examples: [`${prefix}_0634kqj0x01`], ...annotations });

export const number = (rules: NumberRules = {}): TNumber => NumberOf(rules);

/**
 * A decimal with at most 15 significant digits, which are stored exactly. `places` is the largest number of decimal places: 4
 * for amounts of money and quantities, 6 for rates and ratios, 1 for basis points. `multipleOf` is not used, because 0.0001 is
 * not exact as a double.
 */
export const decimal = ({ places, ...rules }: NumberRules & { places: 1 | 4 | 6 }): TNumber =>
  NumberOf({ ...rules, 'x-decimal-places': places });

export const boolean = (annotations: Annotations = {}): TBoolean => BooleanOf(annotations);

/** A schema in plain JSON Schema with an explicit type. */
export const unsafe = <T>(schema: Record<string, unknown>): TUnsafe<T> => Unsafe<T>(schema);

export const oneOf = <const V extends readonly string[]>(
  values: V,
  annotations: Annotations = {},
): TUnsafe<V[number]> => Unsafe<V[number]>({ type: 'string', enum: [...values], ...annotations });

/**
 * One of several closed objects. In each variant, the field `key` accepts exactly one string
 * (`oneOf(['text'])`), which identifies the variant. The build fails if a variant has no such field, or if
 * two variants accept the same string.
 */
export const union = <K extends string, const V extends readonly TObject<Record<K, TUnsafe<string>>>[]>(
  key: K,
  variants: V,
  annotations: Annotations = {},
): TUnsafe<{ [N in keyof V]: Static<V[N]> }[number]> =>
  Unsafe({ type: 'object', discriminator: { propertyName: key }, oneOf: [...variants], ...annotations });

/** One of two different objects. Only for responses. */
export const either = <A extends TSchema, B extends TSchema>(
  one: A,
  other: B,
): TUnsafe<Static<A> | Static<B>> => Unsafe({ anyOf: [one, other] });

/** Also accepts null. Throws when the module is loaded if the schema does not have a single `type`. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, enum: values, ...rules } = schema as { type?: unknown; enum?: unknown[] };
  if (typeof type !== 'string')
    throw new Error(`nullable() needs a schema with one "type", not ${JSON.stringify(schema)}`);
  return Unsafe<Static<S> | null>({
    ...rules,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** Makes all fields nullable. Null clears a field. */
export const clearable = <P extends TProperties>(
  properties: P,
): { [K in keyof P]: TUnsafe<Static<P[K]> | null> } =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, nullable(schema)] as const),
  ) as { [K in keyof P]: TUnsafe<Static<P[K]> | null> };

/** An object with any fields, of at most 32 KB. */
export const openObject = (annotations: Annotations = {}): TUnsafe<Record<string, unknown>> =>
  Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    'x-max-bytes': 32 * 1024,
    ...annotations,
  });

/** A map from names to values of one schema. */
export const mapOf = <S extends TSchema>(
  values: S,
  annotations: Annotations = {},
): TUnsafe<Record<string, Static<S>>> =>
  Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: values, ...annotations });

/** An ISO 8601 date-time or date, in UTC by default. Stored and returned as `2026-03-01T09:30:00.000Z`. */
export const dateTime = (annotations: Annotations = {}): TString =>
  StringOf({
    format: 'date-time',
    maxLength: 40,
    examples: ['2026-03-01T09:30:00.000Z'],
    ...annotations,
  });

/**
 * When a record of a request expires: like `dateTime`, but a date means the end of that day in the account's time zone.
 * `readExpiry` validates and converts the text.
 */
export const expiry = (description: string): TString =>
  dateTime({
    description: `${description} A date means the end of that day in the account’s time zone.`,
    examples: ['2099-01-01T00:00:00Z'],
    'x-expiry': true,
  });

/**
 * A time of a filter: like `dateTime`, but a date means the start of that day in the account's time zone. The filter
 * validates and converts the text.
 */
export const zonedTime = (description: string): TString =>
  dateTime({
    description: `${description} A date means the start of that day in the account’s time zone.`,
    'x-expiry': true,
  });

/** A date: `2026-03-01`. */
export const date = (annotations: Annotations = {}): TString =>
  StringOf({ format: 'date', maxLength: 10, examples: ['2026-03-01'], ...annotations });

/** An email address. Surrounding spaces are removed, and the domain is stored in lower case and in Punycode. */
export const email = (annotations: Annotations = {}): TString =>
  StringOf({ format: 'email', maxLength: 254, ...annotations });

/**
 * An absolute http or https URL without user name and password. Surrounding spaces are removed. A URL with characters
 * outside ASCII is stored as browsers send it: with the host in Punycode and the path percent-encoded.
 */
export const webAddress = (rules: Pick<StringRules, 'maxLength' | keyof Annotations> = {}): TString =>
  StringOf({
    format: 'uri',
    pattern: '^https?://',
    maxLength: 2048,
    examples: ['https://example.com/harbor-street'],
    ...rules,
  });

/** A hash. `description` names the hashed text, and has no period. */
export const sha256 = (description: string) =>
  string({
    maxLength: 64,
    description: `${description} (SHA-256, hexadecimal).`,
    examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
  });

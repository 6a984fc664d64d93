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
import { plainName } from './formats.ts';
import type { AccountId } from './id/account-id.ts';
import type { UniquePrefix } from './id/unique-id.ts';

/**
 * The words schemas are written in. Each is a JSON Schema 2020-12 value and a TypeScript type at once. Only
 * builders that cost nothing at load time are used: TypeBox's computed types (Partial, Omit, Record) pull its
 * whole engine into every bundle.
 */
export type { Static, TObject, TProperties, TSchema, TUnsafe };
export { Optional as optional };

type Annotations = {
  description?: string;
  default?: unknown;
  examples?: unknown[];
  readOnly?: boolean;
  /** The service changes it at any time, or it depends on the query: a body may send back an old value. */
  'x-volatile'?: true;
};

type StringRules = Annotations & {
  'x-redacts'?: 'sensitive' | 'credential';
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
};
type NumberRules = Annotations & { minimum?: number; maximum?: number };

/** A closed object: an unknown field is an error in a request, and fails a test in a response. */
export const object = <P extends TProperties>(properties: P, annotations: Annotations = {}): TObject<P> =>
  ObjectOf(properties, { additionalProperties: false, ...annotations });

/** The same fields, every one of them optional: the body of a PATCH. */
export function partial<P extends TProperties>(properties: P): TObject<{ [K in keyof P]: TOptional<P[K]> }> {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Optional(schema)]);
  return object(Object.fromEntries(entries) as { [K in keyof P]: TOptional<P[K]> });
}

export const array = <S extends TSchema>(
  items: S,
  rules: Annotations & { minItems?: number; maxItems?: number; uniqueItems?: boolean } = {},
) => ArrayOf(items, rules);

/** Free text. 1,000 characters unless told otherwise, so that a hundred records always fit one response. */
export const string = (rules: StringRules = {}): TString => StringOf({ maxLength: 1000, ...rules });

/** A name, which may be shown in mail, terminals and file lists. 200 characters unless told otherwise. */
export const nameText = (rules: StringRules = {}): TString =>
  string({ minLength: 1, maxLength: 200, pattern: plainName, ...rules });

/** A value about a person or a business that is stored sealed. Dry runs and stored responses show REDACTED in its place. */
export const sensitive = (rules: StringRules = {}): TString => string({ ...rules, 'x-redacts': 'sensitive' });

/** Text that gives access to something: a key, a token, a secret or a signed address. Dry runs show REDACTED in its place. */
export const credential = (rules: StringRules = {}): TString =>
  string({ ...rules, 'x-redacts': 'credential' });

export const integer = (rules: NumberRules = {}): TInteger =>
  IntegerOf({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...rules });

/** An account's id in a record or response, where it is checked already; a parameter is a `string` until then. */
export const accountId = (annotations: Annotations = {}): TUnsafe<AccountId> =>
  Unsafe<AccountId>({ ...string({ examples: ['acme'], ...annotations }) });

/** The id of a record: a number that grows with time. */
export const recordId = (annotations: Annotations = {}): TInteger =>
  integer({ minimum: 1, examples: [214563398120449], ...annotations });

/**
 * The `uniqueId` of a ticket, a ticket type or a ticket rotation. In a request it may be written in either case, padded
 * or not, and the decimal id may stand in for it; what it names is for the endpoint to say.
 */
export const uniqueId = (prefix: UniquePrefix, annotations: Annotations = {}): TString =>
  StringOf({ maxLength: 32, examples: [`${prefix}_0634kqj0x01`], ...annotations });

export const number = (rules: NumberRules = {}): TNumber => NumberOf(rules);

/**
 * A decimal of at most 15 significant digits, `places` of them behind the point: 4 for amounts of money, 6 for rates and
 * ratios. So many always come back as they were sent. A step of 0.0001 would not do: no double is one.
 */
export const decimal = ({ places, ...rules }: NumberRules & { places: 4 | 6 }): TNumber =>
  NumberOf({ ...rules, 'x-decimal-places': places });

export const boolean = (annotations: Annotations = {}): TBoolean => BooleanOf(annotations);

/** A schema in plain JSON Schema, with the type it stands for. */
export const unsafe = <T>(schema: Record<string, unknown>): TUnsafe<T> => Unsafe<T>(schema);

/** One of a closed list of strings. */
export const oneOf = <const V extends readonly string[]>(
  values: V,
  annotations: Annotations = {},
): TUnsafe<V[number]> => Unsafe<V[number]>({ type: 'string', enum: [...values], ...annotations });

/** The value, or null where null says "none" or "clear it". Throws at load for a schema without one `type`. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, enum: values, ...rules } = schema as { type?: unknown; enum?: unknown[] };
  if (typeof type !== 'string')
    throw new Error(
      `nullable() takes a schema with one "type" to add null to, and this has none: ${JSON.stringify(schema)}`,
    );
  return Unsafe<Static<S> | null>({
    ...rules,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** The same fields, each of which null clears. */
export const clearable = <P extends TProperties>(
  properties: P,
): { [K in keyof P]: TUnsafe<Static<P[K]> | null> } =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, nullable(schema)] as const),
  ) as { [K in keyof P]: TUnsafe<Static<P[K]> | null> };

/** An object whose fields are the writer's own, of at most 32 KB. */
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

/**
 * An instant: an ISO 8601 date-time or a plain date, in UTC if it has no zone. It is stored and returned as
 * `2026-03-01T09:30:00.000Z`.
 */
export const dateTime = (annotations: Annotations = {}): TString =>
  StringOf({
    format: 'date-time',
    maxLength: 40,
    examples: ['2026-03-01T09:30:00.000Z'],
    ...annotations,
  });

/** A day of the calendar: `2026-03-01`. */
export const date = (annotations: Annotations = {}): TString =>
  StringOf({ format: 'date', maxLength: 10, examples: ['2026-03-01'], ...annotations });

export const email = (annotations: Annotations = {}): TString =>
  StringOf({ format: 'email', maxLength: 254, ...annotations });

/** An absolute http or https address. */
export const webAddress = (annotations: Annotations = {}): TString =>
  StringOf({
    format: 'uri',
    pattern: '^https?://',
    maxLength: 2048,
    examples: ['https://example.com/harbor-street'],
    ...annotations,
  });

import type { FieldError } from '../errors.ts';
import { asInstant } from '../instant.ts';

/**
 * The fields of a record that a PUT or PATCH does not set. The build derives these fields from the contract:
 * they occur in the schema of the record, but not in the schema of the body.
 * - `true`: the request is rejected if the value differs from the value that GET returns
 * - `false`: the value is always ignored, because the value in GET depends on the query, or because the service
 *   may change it at any time
 */
export interface ReadOnlyFields {
  readonly [name: string]: boolean | ReadOnlyFields;
}

/** The parts of a GET response that a client may send back in the body of a PUT or PATCH. */
export interface SentBack {
  readOnly: ReadOnlyFields;
  /** If the body is an array: the field of the GET response that contains this array. */
  bodyField?: string;
}

type FieldValues = Record<string, unknown>;

interface Split {
  /** The fields that the schema of the body validates. */
  body: unknown;
  /** The sent read-only fields, to be compared with the record. */
  readOnly: FieldValues;
}

const isObject = (value: unknown): value is FieldValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Separates the read-only fields of a body from its other fields. Unknown fields remain in `body`. */
export function splitBody(sent: unknown, { readOnly, bodyField }: SentBack): Split {
  if (!isObject(sent)) return { body: sent, readOnly: {} };
  const split = splitFields(sent, readOnly);
  if (bodyField === undefined) return split;
  const { [bodyField]: body, ...others } = split.body;
  return Object.keys(others).length > 0 ? { body: sent, readOnly: {} } : { body, readOnly: split.readOnly };
}

function splitFields(sent: FieldValues, fields: ReadOnlyFields): Split & { body: FieldValues } {
  const body: FieldValues = {};
  const readOnly: FieldValues = {};
  for (const [name, value] of Object.entries(sent)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof field === 'object' && isObject(value)) {
      const inner = splitFields(value, field);
      body[name] = inner.body;
      if (Object.keys(inner.readOnly).length > 0) readOnly[name] = inner.readOnly;
    } else if (field === true) readOnly[name] = value;
    else if (field !== false) body[name] = value;
  }
  return { body, readOnly };
}

/** Moves the fields with these names from a valid body to the read-only fields. */
export function makeReadOnly(
  { body, readOnly }: { body: FieldValues; readOnly: FieldValues },
  names: readonly string[],
): Split {
  const sent = Object.entries(body).filter(([name]) => names.includes(name));
  const compared = sent.map(([name, value]) => {
    const inner = readOnly[name];
    return [name, isObject(value) && isObject(inner) ? { ...inner, ...value } : value] as const;
  });
  return {
    body: Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name))),
    readOnly: { ...readOnly, ...Object.fromEntries(compared) },
  };
}

/**
 * Returns an error for each sent read-only field that differs from `shown`, the response that GET returns to this
 * caller before the change. Fields that the caller cannot see are never compared with stored values. A stale
 * `version` or `updatedAt` is also an error, because the body was made from an old copy. Absent read-only fields are
 * not compared.
 */
export const fieldsThatDiffer = (sent: FieldValues, shown: unknown): FieldError[] =>
  differences(sent, isObject(shown) ? shown : {}, '').map((field) => {
    const message = 'is read-only and differs from the stored value: omit it, or read the record again';
    return { field, message };
  });

const differences = (sent: FieldValues, shown: FieldValues, path: string): string[] =>
  Object.entries(sent).flatMap(([name, value]) => {
    const own = Object.hasOwn(shown, name) ? shown[name] : undefined;
    if (isObject(value) && isObject(own)) return differences(value, own, `${path}${name}.`);
    return isSame(value, own) ? [] : [`${path}${name}`];
  });

/**
 * Null equals an absent field. Instants are compared in UTC. Objects are equal if all sent fields are equal. In a list
 * of records, such as an audit log, entries that were not sent are ignored.
 */
function isSame(sent: unknown, shown: unknown): boolean {
  if (sent === null) return shown === undefined || shown === null;
  if (Array.isArray(sent)) return Array.isArray(shown) && isSameList(sent, shown);
  if (isObject(sent)) return isObject(shown) && differences(sent, shown, '').length === 0;
  if (sent === shown) return true;
  return typeof sent === 'string' && typeof shown === 'string' && asInstant(sent) === shown;
}

function isSameList(sent: readonly unknown[], shown: readonly unknown[]): boolean {
  if (!shown.every((entry) => isObject(entry) && entry.id !== undefined))
    return sent.length === shown.length && sent.every((entry, at) => isSame(entry, shown[at]));
  const byId = new Map(shown.map((entry) => [isObject(entry) && entry.id, entry]));
  return sent.every((entry) => isObject(entry) && isSame(entry, byId.get(entry.id)));
}

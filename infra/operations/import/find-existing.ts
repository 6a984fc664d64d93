import { type Client, ResponseError } from '../../client/client.ts';
import { InvalidOption } from '../options.ts';
import type { ColumnMap } from './map-columns.ts';
import type { ImportedResource } from './resources.ts';

/** The values of a record in the fields that identify it, normalized. */
type Keys = Readonly<Record<string, string | undefined>>;

/** A record in the service, or (in a dry run) a row of the file. */
export interface Existing {
  id: string;
  version: number;
  /** The name of the record in messages, such as `lead 244650025204944`. */
  label: string;
  keys: Keys;
}

/** The records with the same value as a row, and the field with this value. */
interface MatchedRecords {
  field: string;
  records: readonly Existing[];
}

export interface ExistingRecords {
  add(record: Existing): void;
  find(keys: Keys): MatchedRecords | undefined;
}

/** Returns the normalized values of a row or a record in the fields that identify it. */
export const identifyingValues = (
  values: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Keys => Object.fromEntries(fields.map((field) => [field, normalized(field, values[field])]));

/**
 * Numbers with and without country code are equal, so only the last ten digits of a phone number are compared, without
 * the extension. Other texts are compared regardless of case and spaces.
 */
function normalized(field: string, value: unknown): string | undefined {
  const text = String(value ?? '')
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ');
  if (field !== 'phone') return text || undefined;
  const digits = text.replace(/(?:x|ext\.?)\s*\d+$/, '').replaceAll(/\D/g, '');
  return digits.length < 7 ? undefined : digits.slice(-10);
}

const entryOf = (field: string, value: string): string => `${field}\n${value}`;

/** The name of a record of a resource, such as `lead source`. */
export const recordName = ({ name }: ImportedResource): string => name.replace('-', ' ').replace(/s$/, '');

/**
 * Returns an index of records by the fields that identify them. The first field has precedence: a record with another
 * email is another person, even if the phone number is the same.
 */
function indexOfRecords(fields: readonly string[]): ExistingRecords {
  const byValue = new Map<string, Existing[]>();
  return {
    add(record) {
      for (const field of fields) {
        const value = record.keys[field];
        if (value === undefined) continue;
        const key = entryOf(field, value);
        byValue.set(key, [...(byValue.get(key) ?? []), record]);
      }
    },
    find(keys) {
      for (const [n, field] of fields.entries()) {
        const value = keys[field];
        const differs = (record: Existing) =>
          fields
            .slice(0, n)
            .some((earlier) => keys[earlier] !== undefined && record.keys[earlier] !== undefined);
        const records =
          value === undefined
            ? []
            : (byValue.get(entryOf(field, value)) ?? []).filter((record) => !differs(record));
        if (records.length > 0) return { field, records };
      }
      return undefined;
    },
  };
}

/** Reads the whole list of a resource once, because the service has no search by several values. */
async function readExisting(
  client: Client,
  resource: ImportedResource,
  fields: readonly string[],
): Promise<ExistingRecords> {
  const index = indexOfRecords(fields);
  const list = client.list(resource.path as '/leads', { params: { query: { pageSize: 100 } } });
  for await (const record of list) {
    const values = record as Readonly<Record<string, unknown>>;
    const id = String(values.id);
    index.add({
      id,
      version: Number(values.version),
      label: `${recordName(resource)} ${id}`,
      keys: identifyingValues(values, fields),
    });
  }
  return index;
}

/**
 * Returns the fields by which existing records are found: the fields in the option `--match`, or else all fields that
 * identify a record of the resource. Leaves out fields without a column. Throws for other fields in the option.
 */
export function matchingFields(
  { name, matching }: ImportedResource,
  map: ColumnMap,
  option: string | undefined,
): string[] {
  const possible = matching?.fields ?? [];
  const given = option?.split(',').map((field) => field.trim()) ?? possible;
  if (option !== undefined && possible.length === 0)
    throw new InvalidOption(`--match cannot be used for ${name}.`);
  if (given.some((field) => !possible.includes(field)))
    throw new InvalidOption(`--match must be one or more of ${possible.join(',')}.`);
  const mapped = given.filter((field) => Object.values(map).includes(field));
  if (option !== undefined && mapped.length === 0)
    throw new InvalidOption(`No column is imported as ${given.join(' or ')}, which --match requires.`);
  return mapped;
}

/**
 * Reads the existing records. If they cannot be read, returns an empty index and a message, unless `isRequired`. A dry
 * run may run without a service.
 */
export async function openExisting(
  connect: () => Promise<Client>,
  resource: ImportedResource,
  fields: readonly string[],
  { isRequired, dryRun }: { isRequired: boolean; dryRun: boolean },
): Promise<{ existing: ExistingRecords; message?: string }> {
  if (fields.length === 0) return { existing: indexOfRecords(fields) };
  try {
    return { existing: await readExisting(await connect(), resource, fields) };
  } catch (error) {
    const isDenied = error instanceof ResponseError && error.status === 403;
    if (isRequired || !(error instanceof Error) || !(dryRun || isDenied)) throw error;
    const reason = error.message.split('\n')[0];
    return {
      existing: indexOfRecords(fields),
      message: `the file was not compared with the ${resource.path.slice(1)} of the account: ${reason}`,
    };
  }
}

/** Returns a function that does the work of rows with a common value one after the other. */
export function inTurns(): <T>(keys: Keys, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (keys, work) => {
    const own = Object.entries(keys).flatMap(([field, value]) =>
      value === undefined ? [] : [entryOf(field, value)],
    );
    const done = Promise.all(own.map((key) => last.get(key))).then(work);
    const ended = done.catch(() => undefined);
    for (const key of own) last.set(key, ended);
    try {
      return await done;
    } finally {
      for (const key of own) if (last.get(key) === ended) last.delete(key);
    }
  };
}

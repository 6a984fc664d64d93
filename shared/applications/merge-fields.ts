import { invalid } from '../errors.ts';
import { REDACTED } from '../security/redacted.ts';
import { isSensitive, type SensitiveField } from './sensitive-values.ts';

/** A sensitive value that a request sent in clear. It has to be sealed for its place before anything is stored. */
export interface SentValue {
  field: SensitiveField;
  plain: string;
}

/** Sensitive values that were sent in clear, by the path of their place. */
export type SentValues = ReadonlyMap<string, SentValue>;

type Fields = Readonly<Record<string, unknown>>;

interface Merge {
  section: Parameters<typeof isSensitive>[0];
  /** The path of a field's place: what its value is sealed for. */
  pathOf(field: string): string;
  /** How the request calls the field: `businessOwners[0].name`. */
  nameOf(field: string): string;
}

/**
 * Fields as they are after a change: a value sets, null or an empty text clears, what is not sent stays. Where a
 * sensitive value came in clear, the field keeps what is stored until the new one is sealed. Throws where `REDACTED`
 * stands for a value that there is not.
 */
export function mergeFields(
  stored: Fields,
  sent: Fields,
  { section, pathOf, nameOf }: Merge,
): { fields: Fields; sentValues: SentValues } {
  const fields: Record<string, unknown> = { ...stored };
  const sentValues = new Map<string, SentValue>();
  for (const [field, value] of Object.entries(sent)) {
    if (value === undefined) continue;
    if (isEmpty(value)) delete fields[field];
    else if (!isSensitive(section, field)) fields[field] = value;
    else if (value === REDACTED) expectStored(stored, field, nameOf);
    else sentValues.set(pathOf(field), { field, plain: String(value) });
  }
  return { fields, sentValues };
}

/** A form sends an empty text for what nobody filled in. */
const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

function expectStored(stored: Fields, field: string, nameOf: (field: string) => string): void {
  if (stored[field] === undefined)
    throw invalid(nameOf(field), 'is REDACTED, which keeps the value there is, and there is none');
}

import { invalid } from '../errors.ts';

/** What a response shows in place of a sensitive value, and what a request sends to leave the value as it is. */
export const REDACTED = 'REDACTED';

/** Sensitive values that a request sent in clear, by the path of their place. They are sealed before they are stored. */
export type SentTexts = ReadonlyMap<string, string>;

export type Fields = Readonly<Record<string, unknown>>;

interface Merge {
  isSensitive(field: string): boolean;
  /** The path of a field's place: what its value is sealed for. */
  pathOf(field: string): string;
  /** How the request calls the field: `principals[0].ssn`. */
  nameOf(field: string): string;
}

/**
 * Fields as they are after a change: a value sets, null clears, what is not sent stays. Where a sensitive value came in
 * clear, the field keeps what is stored until the new one is sealed. Throws `invalid_input` where `REDACTED` stands for
 * a value that there is not.
 */
export function mergeFields(
  stored: Fields,
  sent: Fields,
  { isSensitive, pathOf, nameOf }: Merge,
): { fields: Fields; sentTexts: SentTexts } {
  const fields: Record<string, unknown> = { ...stored };
  const sentTexts = new Map<string, string>();
  for (const [field, value] of Object.entries(sent)) {
    if (value === undefined) continue;
    if (value === null) delete fields[field];
    else if (!isSensitive(field)) fields[field] = value;
    else if (value !== REDACTED) sentTexts.set(pathOf(field), String(value));
    else if (stored[field] === undefined)
      throw invalid(nameOf(field), 'is REDACTED, which keeps the value there is, and there is none');
  }
  return { fields, sentTexts };
}

import { invalid } from '../errors.ts';

/** In a response, this text replaces a sensitive value. In a request, it leaves the stored value unchanged. */
export const REDACTED = 'REDACTED';

/** Sensitive values that a request sent in plain text, by path. They are encrypted before they are stored. */
export type SentTexts = ReadonlyMap<string, string>;

export type Fields = Readonly<Record<string, unknown>>;

interface Merge {
  isSensitive(field: string): boolean;
  /** The path to which the encrypted value is bound. */
  pathOf(field: string): string;
  /** The field's name in the request: `principals[0].ssn`. */
  nameOf(field: string): string;
}

/**
 * Applies the sent fields to the stored fields. A value sets a field, and null clears the field. Sensitive values in
 * plain text are returned in `sentTexts`, and their fields keep the stored values until the new values are encrypted.
 * Throws `invalid_input` if a field is REDACTED but has no stored value.
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
      throw invalid(nameOf(field), 'cannot be REDACTED: no value is stored yet');
  }
  return { fields, sentTexts };
}

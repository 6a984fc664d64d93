import type { Shape } from '../endpoints/shape.ts';
import { REDACTED } from '../security/merge-fields.ts';
import { allowedNumber, allowedText, isRecordId } from './allowed-values.ts';
import { type Cleaning, cleanText, isSensitiveNumber, newCleaning } from './clean-text.ts';
import { shortestKnown } from './known-values.ts';
import { isSensitiveName } from './sensitive-names.ts';

/**
 * Returns the sensitive values in a body: the values of fields that the shape marks, and of fields with a sensitive name.
 * `cleanBody` removes them from other fields, too.
 */
export function sensitiveValuesIn(value: unknown, shape: Shape, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) {
    const isMarked = shape === 'sensitive' || shape === 'credential';
    const text = isMarked && value !== null ? String(value) : '';
    if (text !== REDACTED && text.length >= shortestKnown) found.push(text);
    return found;
  }
  for (const [name, inner] of Object.entries(value)) {
    const isMarked =
      typeof shape === 'object' || shape === 'open'
        ? isSensitiveField(shape, meaningOf(value, name), inner)
        : true;
    sensitiveValuesIn(inner, isMarked ? 'sensitive' : (innerShape(shape, name) ?? 'value'), found);
  }
  return found;
}

/**
 * Returns a body without sensitive values. Keeps only the fields of the shape, because another field could contain any
 * value. Replaces a field with REDACTED if the shape marks it as sensitive or as a credential, or if its name is sensitive.
 * Replaces parts of texts that are known, or have the form of a sensitive value. In an object with any fields, replaces each
 * value without an allowed form.
 */
export function cleanBody(value: unknown, shape: Shape, cleaning: Cleaning = newCleaning()): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (shape === 'sensitive' || shape === 'credential') return REDACTED;
  if (typeof value === 'string')
    return shape === 'open' ? allowedText(value, cleaning) : cleanText(value, cleaning);
  if (typeof value === 'number')
    return shape === 'open'
      ? allowedNumber(value, cleaning)
      : isSensitiveNumber(value, cleaning)
        ? REDACTED
        : value;
  if (typeof value !== 'object' || shape === 'value') return undefined;
  if (Array.isArray(value))
    return shape === 'open' || 'items' in shape
      ? value.map((item) => cleanBody(item, innerShape(shape) ?? 'value', cleaning))
      : undefined;
  if (shape !== 'open' && 'items' in shape) return undefined;
  const clean: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of Object.entries(value)) {
    const of = innerShape(shape, name);
    if (of === undefined) continue;
    // Only the names of a schema cannot be sensitive.
    const shown = isOfSchema(shape) ? name : cleanText(name, cleaning);
    if (isSensitiveField(shape, meaningOf(value, name), inner)) clean[shown] = redacted(inner);
    else if (of === 'value' && isIdField(name) && isRecordId(inner, cleaning.now)) clean[shown] = inner;
    else clean[shown] = cleanBody(inner, of, cleaning);
  }
  return clean;
}

const redacted = (value: unknown): unknown =>
  value === null || value === undefined || typeof value === 'boolean' ? value : REDACTED;

/** The name of what a field contains. In an operation of a PATCH with SCIM, `path` names what `value` contains. */
function meaningOf(object: object, name: string): string {
  const { path } = object as { path?: unknown };
  return name === 'value' && typeof path === 'string' ? path : name;
}

const isOfSchema = (shape: Shape): boolean => typeof shape === 'object' && 'fields' in shape;

/** An object in a field of a schema has a schema, too. Its own fields are marked. */
const isSensitiveField = (shape: Shape, name: string, value: unknown): boolean =>
  isSensitiveName(name) && !(isOfSchema(shape) && typeof value === 'object');

/** Reports whether a field of a schema refers to a record of this service. */
const isIdField = (name: string): boolean =>
  name === 'id' || name === 'assignedTo' || (name.endsWith('Id') && !name.startsWith('external'));

/** The shape of a field, or of an item of an array. Undefined for a field that the shape does not have. */
function innerShape(shape: Shape, name?: string): Shape | undefined {
  if (shape === 'open') return 'open';
  if (typeof shape === 'string') return undefined;
  if ('items' in shape) return shape.items;
  if ('values' in shape) return shape.values;
  return name === undefined || !Object.hasOwn(shape.fields, name) ? undefined : shape.fields[name];
}

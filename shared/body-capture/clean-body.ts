import type { Shape } from '../endpoints/shape.ts';
import { REDACTED } from '../security/merge-fields.ts';
import { cleanText, isSensitiveNumber } from './clean-text.ts';

/** Names of fields whose values are removed, wherever they occur. */
const sensitiveName =
  /passw|secret|token|(api|app)[_-]?key$|authorization|credential|cookie|ssn|social[_-]?security|tax[_-]?id|^ein$|cvv|cvc|card[_-]?number|^(pan|pin)$|account[_-]?number|bank[_-]?account|iban|birth|driver'?s?[_-]?licen[cs]e/i;

/** Values with fewer characters are not searched for in other fields, because they occur by chance. */
const shortestKnown = 4;

/**
 * Returns the sensitive values in a body: the values of fields that the shape marks, and of fields with a sensitive name.
 * `cleanBody` removes them from other fields, too.
 */
export function sensitiveValuesIn(value: unknown, shape: Shape): string[] {
  if (typeof value !== 'object' || value === null) {
    const isMarked = shape === 'sensitive' || shape === 'credential';
    const text = String(value);
    return isMarked && value !== null && text !== REDACTED && text.length >= shortestKnown ? [text] : [];
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    sensitiveValuesIn(inner, sensitiveName.test(name) ? 'sensitive' : (innerShape(shape, name) ?? 'value')),
  );
}

/**
 * Returns a body without sensitive values. Keeps only the fields of the shape, because another field could contain any
 * value. Replaces a field with REDACTED if the shape marks it as sensitive or as a credential, or if its name is sensitive.
 * Replaces parts of texts that are in `known`, or have the form of a sensitive value.
 */
export function cleanBody(value: unknown, shape: Shape, known: readonly string[] = []): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (shape === 'sensitive' || shape === 'credential') return REDACTED;
  if (typeof value === 'string') return cleanText(value, known);
  if (typeof value === 'number') return isSensitiveNumber(value, known) ? REDACTED : value;
  if (typeof value !== 'object' || shape === 'value') return undefined;
  if (Array.isArray(value))
    return shape === 'open' || 'items' in shape
      ? value.map((item) => cleanBody(item, innerShape(shape) ?? 'value', known))
      : undefined;
  if (shape !== 'open' && 'items' in shape) return undefined;
  const fields = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const of = innerShape(shape, name);
    if (of === undefined) return [];
    const isNamed = sensitiveName.test(name) && typeof inner !== 'object';
    return [[cleanText(name, known), cleanBody(inner, isNamed ? 'sensitive' : of, known)]];
  });
  return Object.fromEntries(fields);
}

/** The shape of a field, or of an item of an array. Undefined for a field that the shape does not have. */
function innerShape(shape: Shape, name?: string): Shape | undefined {
  if (shape === 'open') return 'open';
  if (typeof shape === 'string') return undefined;
  if ('items' in shape) return shape.items;
  if ('values' in shape) return shape.values;
  return name === undefined || !Object.hasOwn(shape.fields, name) ? undefined : shape.fields[name];
}

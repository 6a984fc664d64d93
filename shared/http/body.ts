import { fieldOf, findInexactNumber } from '../endpoints/exact-number.ts';
import { ApiError } from '../errors.ts';

const largestBody = 256 * 1024;
const deepest = 20;
/** Setting a field with one of these names could change an object's prototype. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** An unpaired UTF-16 surrogate: valid in JSON, but rejected by DynamoDB. */
const unpairedSurrogate = /\p{Surrogate}/u;

interface RawBody {
  body?: string;
  isBase64Encoded: boolean;
}

/** Returns the bytes of a body as the caller sent them. */
export const bytesOfBody = ({ body = '', isBase64Encoded }: RawBody): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/**
 * Parses the JSON body. Throws for a body over 256 KB, invalid UTF-8 or JSON, and nesting deeper than 20 levels. Also
 * rejects inexact numbers, unpaired surrogates, and field names that could change a prototype.
 */
export function readBody(raw: RawBody): unknown {
  const bytes = bytesOfBody(raw);
  if (bytes.length > largestBody) throw new ApiError('body_too_large');
  let json: string;
  let value: unknown;
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(json);
  } catch {
    throw new ApiError('invalid_json');
  }
  inspect(value, '', 1);
  requireExactNumbers(json);
  return value;
}

/** Parses a body that is a form. Every field is a text. Of repeated fields, the last one counts. */
export function readForm(raw: RawBody): unknown {
  const bytes = bytesOfBody(raw);
  if (bytes.length > largestBody) throw new ApiError('body_too_large');
  const fields = Object.fromEntries(new URLSearchParams(bytes.toString()));
  inspect(fields, '', 1);
  return fields;
}

/** Checks the text, because JSON.parse rounds each number to the nearest double. */
function requireExactNumbers(json: string): void {
  const changed = findInexactNumber(json);
  if (!changed) return;
  const field = fieldOf(json, changed);
  const rule = 'send at most 15 digits, and integers within ±(2^53 − 1)';
  throw new ApiError('invalid_json', {
    message: `A number is too large or too precise to be stored exactly: ${rule}.`,
    ...(field && { details: [{ field, message: `cannot be stored exactly: ${rule}` }] }),
  });
}

function inspect(value: unknown, field: string, depth: number): void {
  if (typeof value === 'string') {
    if (unpairedSurrogate.test(value))
      throw new ApiError('invalid_json', {
        message: 'A string contains an unpaired UTF-16 surrogate.',
        ...(field && { details: [{ field, message: 'contains an unpaired UTF-16 surrogate' }] }),
      });
  } else if (typeof value === 'object' && value !== null) {
    if (depth > deepest)
      throw new ApiError('invalid_json', {
        message: 'The body is nested too deeply. At most 20 levels are allowed.',
      });
    for (const [name, inner] of Object.entries(value)) {
      if (forbidden.has(name))
        throw new ApiError('invalid_json', { message: `The field name ${name} is not allowed.` });
      // DynamoDB rejects attributes with empty names.
      if (name === '') throw new ApiError('invalid_json', { message: 'A field name must not be empty.' });
      inspect(name, field, depth);
      inspect(
        inner,
        Array.isArray(value) ? `${field}[${name}]` : field ? `${field}.${name}` : name,
        depth + 1,
      );
    }
  }
}

import { fieldOf, findInexactNumber } from '../endpoints/exact-number.ts';
import { ApiError } from '../errors.ts';

const largestBody = 256 * 1024;
const deepest = 20;
/** Names that reach into the prototype of the object they are set on. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** One half of a surrogate pair: JSON can spell it, and DynamoDB rejects it. */
const halfCharacter = /\p{Surrogate}/u;

interface RawBody {
  body?: string;
  isBase64Encoded: boolean;
}

/**
 * The JSON in a request's body. Throws for more than 256 KB, what is not UTF-8 or not JSON, nesting beyond 20, numbers
 * that would not come back as they were sent, half characters, and names that reach into a prototype.
 */
export function readBody({ body = '', isBase64Encoded }: RawBody): unknown {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > largestBody) throw new ApiError('body_too_large');
  let json: string;
  let value: unknown;
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(json);
  } catch {
    throw new ApiError('invalid_json');
  }
  inspect(value, 1);
  requireExactNumbers(json);
  return value;
}

/** JSON.parse takes the nearest double for a number, so what was sent is only in the text. */
function requireExactNumbers(json: string): void {
  const changed = findInexactNumber(json);
  if (!changed) return;
  const field = fieldOf(json, changed);
  const rule = 'send at most 15 digits, and integers within ±(2^53 − 1)';
  throw new ApiError('invalid_json', {
    message: `A number would not come back as it was sent: ${rule}.`,
    ...(field && { details: [{ field, message: `would not come back as it was sent: ${rule}` }] }),
  });
}

function inspect(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if (halfCharacter.test(value))
      throw new ApiError('invalid_json', { message: 'A text holds half a character.' });
  } else if (typeof value === 'object' && value !== null) {
    if (depth > deepest) throw new ApiError('invalid_json', { message: 'A body may nest at most 20 deep.' });
    for (const [name, inner] of Object.entries(value)) {
      if (forbidden.has(name))
        throw new ApiError('invalid_json', { message: `A field may not be named ${name}.` });
      // DynamoDB has no attribute without a name.
      if (name === '') throw new ApiError('invalid_json', { message: 'A field may not have an empty name.' });
      inspect(name, depth);
      inspect(inner, depth + 1);
    }
  }
}

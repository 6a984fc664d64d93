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
 * that JavaScript would change, half characters, and names that reach into a prototype.
 */
export function readBody({ body = '', isBase64Encoded }: RawBody): unknown {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > largestBody) throw new ApiError('body_too_large');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('invalid_json');
  }
  inspect(value, 1);
  return value;
}

function inspect(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if (halfCharacter.test(value))
      throw new ApiError('invalid_json', { message: 'A text holds half a character.' });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      throw new ApiError('invalid_json', { message: 'A number is outside ±(2^53 − 1).' });
  } else if (typeof value === 'object' && value !== null) {
    if (depth > deepest) throw new ApiError('invalid_json', { message: 'A body may nest at most 20 deep.' });
    for (const [name, inner] of Object.entries(value)) {
      if (forbidden.has(name))
        throw new ApiError('invalid_json', { message: `A field may not be named ${name}.` });
      inspect(name, depth);
      inspect(inner, depth + 1);
    }
  }
}

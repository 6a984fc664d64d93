import { ApiError, type FieldError } from '../errors.ts';
import { fileName, plainName } from '../formats.ts';
import { type Coercion, coerced } from './coercion.ts';
import type { SentBack } from './read-only-fields.ts';
import type { Shape } from './shape.ts';

/** A compiled schema. Filling in defaults changes the value in place. */
export interface Validate {
  (value: unknown): boolean;
  coercion?: Coercion;
  errors?: readonly Violation[] | null;
}

/** The part of an ajv error that is shown. */
interface Violation {
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
}

/** The compiled schemas of an endpoint, by the part of the request they check, and the shape of its response. */
export interface Validators {
  params?: Validate;
  query?: Validate;
  body?: Validate;
  /** The read-only fields of a body, which no schema validates. */
  sentBack?: SentBack;
  response: Shape;
  /** Of what a dry run responds with, where there is one. */
  dryRun?: Shape;
}

const mostDetails = 20;

/**
 * The value as its schema reads it: numbers, truths and instants in place of how they were coerced. Throws
 * `invalid_input` for one that does not fit, and names each wrong field.
 */
export function check(validate: Validate | undefined, given: unknown): unknown {
  const value = coerced(given, validate?.coercion);
  if (!validate || validate(value)) return value;
  const details = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf').map(explain);
  throw new ApiError('invalid_input', { details: details.slice(0, mostDetails) });
}

function explain({ instancePath, keyword, message, params }: Violation): FieldError {
  const inside = params.missingProperty ?? params.additionalProperty;
  const field = [...instancePath.split('/').slice(1), ...(inside === undefined ? [] : [String(inside)])]
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
      '',
    );
  return { field, message: sentence(keyword, message, params) };
}

function sentence(keyword: string, message: string | undefined, params: Record<string, unknown>): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a field of this request';
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  if (keyword === 'format' && params.format === 'date')
    return 'must be a day of the calendar, such as 2026-03-01';
  if (keyword === 'pattern' && params.pattern === plainName)
    return 'must not contain control characters or direction marks';
  if (keyword === 'pattern' && params.pattern === fileName)
    return 'must not contain control characters, direction marks, / or \\';
  return message ?? 'is not valid';
}

import { ApiError, type FieldError } from '../errors.ts';
import { formatMessages, patternMessages } from '../formats.ts';
import { type Coercion, coerced } from './coercion.ts';
import type { SentBack } from './read-only-fields.ts';
import type { Shape } from './shape.ts';

/** A compiled schema. The validation adds the schema's defaults to the validated value. */
export interface Validate {
  (value: unknown): boolean;
  coercion?: Coercion;
  errors?: readonly Violation[] | null;
}

/** The fields of an Ajv error that are used here. */
interface Violation {
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
}

/** The compiled schemas of the parts of a request, and the shapes of the responses. */
export interface Validators {
  params?: Validate;
  query?: Validate;
  body?: Validate;
  /** The read-only fields of the body. No schema validates these fields. */
  sentBack?: SentBack;
  response: Shape;
  /** The shape of the body, if bodies of the endpoint are captured. */
  sent?: Shape;
  /** The shape of the response to a dry run, if the endpoint accepts dry runs. */
  dryRun?: Shape;
}

const mostDetails = 20;

/**
 * Returns the value, with strings converted to the types in the schema. Throws `invalid_input` with at most
 * 20 wrong fields if the value does not match the schema.
 */
export function check(validate: Validate | undefined, given: unknown): unknown {
  const value = coerced(given, validate?.coercion);
  if (!validate || validate(value)) return value;
  throw invalidInput(violationsOf(validate).map(asFieldError));
}

const violationsOf = ({ errors }: Validate): Violation[] =>
  (errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');

const invalidInput = (details: readonly FieldError[]): ApiError =>
  new ApiError('invalid_input', { details: details.slice(0, mostDetails) });

/** An element of a list that does not match its schema. The fields of its faults are relative to the element. */
export class InvalidElement {
  readonly faults: readonly FieldError[];

  constructor(
    readonly given: unknown,
    faults: readonly FieldError[],
  ) {
    this.faults = faults.slice(0, mostDetails);
  }
}

/**
 * Like `check`, but replaces each invalid element of a list in the body by an InvalidElement. Throws `invalid_input` for
 * faults outside the elements.
 */
export function checkElements(validate: Validate | undefined, given: unknown, list: string): unknown {
  const value = coerced(given, validate?.coercion) as Record<string, unknown>;
  if (!validate || validate(value)) return value;
  const start = `/${list}/`;
  const faults = new Map<number, FieldError[]>();
  const outside: FieldError[] = [];
  for (const violation of violationsOf(validate)) {
    const { instancePath } = violation;
    const [index = '', ...inside] = instancePath.startsWith(start)
      ? instancePath.slice(start.length).split('/')
      : [];
    if (index === '') outside.push(asFieldError(violation));
    else {
      const fault = asFieldError({ ...violation, instancePath: ['', ...inside].join('/') });
      faults.set(Number(index), [...(faults.get(Number(index)) ?? []), fault]);
    }
  }
  if (outside.length > 0) throw invalidInput(outside);
  const elements = (value[list] as unknown[]).map((element, index) => {
    const found = faults.get(index);
    return found ? new InvalidElement(element, found) : element;
  });
  return { ...value, [list]: elements };
}

function asFieldError({ instancePath, keyword, message, params }: Violation): FieldError {
  const inside = params.missingProperty ?? params.additionalProperty;
  const field = [...instancePath.split('/').slice(1), ...(inside === undefined ? [] : [String(inside)])]
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
      '',
    );
  return { field, message: keywordMessages[keyword]?.(params) ?? message ?? 'is not valid' };
}

/** The messages for violations of JSON Schema keywords. Custom keywords have their own messages. */
export const keywordMessages: Readonly<Record<string, (params: Violation['params']) => string | undefined>> =
  {
    required: () => 'is required',
    additionalProperties: () => 'is not a field of this request',
    enum: ({ allowedValues }) => `must be one of ${[allowedValues].flat().map(String).join(', ')}`,
    type: ({ type }) =>
      `must be ${[type]
        .flat()
        .map((name) => typeNames[String(name)])
        .join(' or ')}`,
    minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
    maxLength: ({ limit }) => `must have at most ${limit} characters`,
    minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} items`),
    maxItems: ({ limit }) => `must have at most ${limit} items`,
    uniqueItems: () => 'must not contain duplicates',
    minimum: ({ limit }) => `must be at least ${limit}`,
    maximum: ({ limit }) => `must be at most ${limit}`,
    format: ({ format }) => formatMessages[String(format)],
    pattern: ({ pattern }) => patternMessages[String(pattern)],
  };

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types';
import type { Access, Contract } from '../../shared/endpoints/contract.ts';
import { isIdempotent } from '../../shared/http/idempotency.ts';
import { querySchema } from '../contract-schemas.ts';
import { takesIfMatch } from './errors.ts';
import { exampleOf } from './example.ts';
import { documentTag, entityTag } from './responses.ts';

type Parameter = OpenAPIV3_1.ParameterObject;
type Reference = OpenAPIV3_1.ReferenceObject;
/** The library has a parameter's schema as OpenAPI 3.0 had it, without `examples`. */
type Schema = OpenAPIV3.SchemaObject & { examples?: unknown[] };

const accountId: Schema = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };

/** The headers that many operations take. */
export const sharedParameters = {
  AccountId: {
    name: 'x-account-id',
    in: 'header',
    required: true,
    description:
      'The account that the request is for. With an API key it may be left out: a key has one account.',
    schema: accountId,
  },
  AccountIdUnlessApplicant: {
    name: 'x-account-id',
    in: 'header',
    description:
      'The account that the request is for. With an appKey `acctId` names it; with an API key it may be left out.',
    schema: accountId,
  },
  OptionalAccountId: {
    name: 'x-account-id',
    in: 'header',
    description: 'The account that the request is for. Left out: the primary account of the caller.',
    schema: accountId,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the request safe to repeat for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the record as it was read. If it has changed since, the response is 412.',
    schema: entityTag,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the document as it was last read. If it is still the same, the response is 304.',
    schema: documentTag,
  },
} as const satisfies Record<string, Parameter>;

const refer = (name: keyof typeof sharedParameters): Reference => ({
  $ref: `#/components/parameters/${name}`,
});

const accountHeader: Readonly<Record<Access, Reference[]>> = {
  account: [refer('AccountId')],
  home: [refer('OptionalAccountId')],
  session: [],
  public: [],
};

/** What an operation takes beside its body: path, query and headers, in this order. */
export function parametersOf(contract: Contract): (Parameter | Reference)[] {
  const query = querySchema(contract);
  return [
    ...fieldsOf(contract.params).map(([name, schema]) => pathParameter(name, schema)),
    ...fieldsOf(query).map(([name, schema]) => queryParameter(name, schema, requiredIn(query))),
    ...(contract.applicant
      ? [refer('AccountIdUnlessApplicant')]
      : accountHeader[contract.access ?? 'account']),
    ...(isIdempotent(contract) ? [refer('IdempotencyKey')] : []),
    ...(takesIfMatch(contract) ? [refer('IfMatch')] : []),
    ...(contract.mediaType === undefined ? [] : [refer('IfNoneMatch')]),
  ];
}

function pathParameter(name: string, { description, ...schema }: Schema): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    ...described(description),
    schema,
    example: exampleOf(schema, 'request'),
  };
}

/** Without an example: a reader who tries an endpoint starts with its default view. */
function queryParameter(name: string, schema: Schema, required: readonly string[]): Parameter {
  const { description, examples: _, ...rules } = schema;
  return {
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...described(description),
    schema: rules,
  };
}

const described = (description: unknown) => (typeof description === 'string' ? { description } : {});

const fieldsOf = (schema: unknown): [string, Schema][] =>
  Object.entries((schema as { properties?: Record<string, Schema> } | undefined)?.properties ?? {});

const requiredIn = (schema: unknown): readonly string[] => (schema as { required?: string[] }).required ?? [];

import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types';
import {
  type Access,
  type Contract,
  isBuiltDocument,
  proofsOf,
  takesDryRun,
} from '../../shared/endpoints/contract.ts';
import { isIdempotent } from '../../shared/http/idempotency.ts';
import { dryRunParameter, querySchema } from '../contract-schemas.ts';
import { takesIfMatch } from './errors.ts';
import { exampleOf } from './example.ts';
import { documentTag, entityTag } from './headers.ts';
import type { SharedSchemas } from './schemas.ts';

type Parameter = OpenAPIV3_1.ParameterObject;
type Reference = OpenAPIV3_1.ReferenceObject;
/** Adds keywords to the library's type of parameter schemas, which follows OpenAPI 3.0. */
type Schema = OpenAPIV3.SchemaObject & {
  examples?: unknown[];
  contentSchema?: Reference;
  'x-sort-fields'?: string[];
};

const accountId: Schema = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };

const header = (name: string, schema: Schema, description: string): Parameter => ({
  name,
  in: 'header',
  description,
  schema,
});

export const sharedParameters = {
  AccountId: header(
    'x-account-id',
    accountId,
    'The account of the request. Required with a session of a user. Optional with an API key, which belongs to one account.',
  ),
  RequiredAccountId: { ...header('x-account-id', accountId, 'The account of the request.'), required: true },
  AccountIdUnlessApplicant: header(
    'x-account-id',
    accountId,
    'The account of the request. Optional with an API key. With an appKey, send `acctId` instead.',
  ),
  OptionalAccountId: header(
    'x-account-id',
    accountId,
    'The account of the request. Default: the primary account of the caller.',
  ),
  // `contentSchema` has no effect on a boolean. It only refers to the component `DryRun`, because linters
  // report components without a reference.
  DryRun: queryParameter('dryRun', {
    ...(dryRunParameter as Schema),
    contentSchema: { $ref: '#/components/schemas/DryRun' },
  }),
  IdempotencyKey: header(
    'Idempotency-Key',
    { type: 'string', minLength: 1, maxLength: 255 },
    'Makes the request safe to retry for 24 hours.',
  ),
  IfMatch: header(
    'If-Match',
    entityTag,
    'The `ETag` of the record. If the record has changed since then, the response is 412.',
  ),
  StepUpToken: header(
    'x-step-up-token',
    { type: 'string', maxLength: 2048 },
    'A single-use token of `POST /auth/step-up`. Not needed if the proof of the session is fresh.',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    documentTag,
    'The `ETag` of the document. If the document has not changed, the response is 304.',
  ),
};

const refer = (name: keyof typeof sharedParameters): Reference => ({
  $ref: `#/components/parameters/${name}`,
});

const accountHeader: Readonly<Record<Access, Reference[]>> = {
  account: [refer('AccountId')],
  home: [refer('OptionalAccountId')],
  session: [],
  public: [],
};

/** The parameters of an operation: path, query and headers, in this order. */
export function parametersOf(contract: Contract, schemas: SharedSchemas): (Parameter | Reference)[] {
  const query = querySchema(contract);
  return [
    ...fieldsOf(contract.params).map(([name, schema]) => pathParameter(name, schema)),
    ...fieldsOf(query).map(([name, schema]) =>
      name === 'dryRun' && takesDryRun(contract)
        ? refer('DryRun')
        : queryParameter(name, schemas.refer(schema) as Schema, requiredIn(query)),
    ),
    ...(contract.applicant
      ? [refer('AccountIdUnlessApplicant')]
      : contract.administratorOnly && contract.access !== 'home'
        ? [refer('RequiredAccountId')]
        : accountHeader[contract.access ?? 'account']),
    ...(isIdempotent(contract) ? [refer('IdempotencyKey')] : []),
    ...(takesIfMatch(contract) ? [refer('IfMatch')] : []),
    ...(proofsOf(contract).length > 0 ? [refer('StepUpToken')] : []),
    ...(isBuiltDocument(contract) ? [refer('IfNoneMatch')] : []),
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

/** Omits examples, because forms such as those of Swagger UI send them when a reader tries the endpoint. */
function queryParameter(name: string, schema: Schema, required: readonly string[] = []): Parameter {
  const { description, examples: _, 'x-sort-fields': sorts, ...rules } = schema;
  return {
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...described(description),
    schema: { ...rules, ...(sorts && { pattern: listOf(sorts) }) },
  };
}

/** The pattern of a comma-separated list of fields, each with an optional prefix `-`. */
function listOf(fields: readonly string[]): string {
  const field = `-?(${fields.join('|')})`;
  return `^${field}(,${field})*$`;
}

function described(description: unknown): { description?: string } {
  return typeof description === 'string' ? { description } : {};
}

const fieldsOf = (schema: unknown): [string, Schema][] =>
  Object.entries((schema as { properties?: Record<string, Schema> } | undefined)?.properties ?? {});

const requiredIn = (schema: unknown): readonly string[] => (schema as { required?: string[] }).required ?? [];

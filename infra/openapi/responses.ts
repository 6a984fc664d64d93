import type { OpenAPIV3_1 } from 'openapi-types';
import { type Contract, successStatus, takesDryRun } from '../../shared/endpoints/contract.ts';
import { type ErrorCode, messageOf, statusOf } from '../../shared/errors.ts';
import { isIdempotent } from '../../shared/http/idempotency.ts';
import { dryRunSchema } from '../contract-schemas.ts';
import { errorsByStatus } from './errors.ts';
import { exampleOf } from './example.ts';
import { pascalCase } from './naming.ts';
import { describeOneTime, documentedResponse } from './one-time.ts';
import type { SharedSchemas } from './schemas.ts';

type Example = OpenAPIV3_1.ExampleObject;
type Reference = OpenAPIV3_1.ReferenceObject;
type Response = OpenAPIV3_1.ResponseObject;

export const entityTag = { type: 'string' as const, examples: ['"3"'] };

/** The schema of a document's ETag and If-None-Match headers. */
export const documentTag = { type: 'string' as const, examples: ['"0u1vK2yQm3bZ4nTg5HxWpA-br"'] };

export const sharedHeaders = {
  RequestId: {
    description: 'The id of the request. Include it in error reports.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The version of the record, for If-Match.',
    schema: entityTag,
  },
  DocumentETag: {
    description: 'The version of the document in this encoding, for If-None-Match.',
    schema: documentTag,
  },
  IdempotencyReplayed: {
    description: '`true` if this response repeats the first response to the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  WwwAuthenticate: { description: 'How to sign in.', schema: { type: 'string', enum: ['Bearer'] } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
} as const satisfies Record<string, OpenAPIV3_1.HeaderObject>;

const refer = (name: keyof typeof sharedHeaders): Reference => ({ $ref: `#/components/headers/${name}` });

/** The responses of an operation by status: the success, then the errors. */
export function responsesOf(contract: Contract, schemas: SharedSchemas): OpenAPIV3_1.ResponsesObject {
  const errors = [...errorsByStatus(contract)].map(([status, codes]) => [status, apiError(status, codes)]);
  return {
    ...(takesDryRun(contract) && { 200: dryRunOf(contract, schemas) }),
    [successStatus(contract)]: successOf(contract, schemas),
    ...(contract.mediaType !== undefined && { 304: unchanged }),
    ...Object.fromEntries(errors),
  };
}

const unchanged: Response = {
  description: 'The document has not changed since the version in If-None-Match.',
  headers: { 'x-request-id': refer('RequestId'), ETag: refer('DocumentETag') },
};

const meanings = {
  ok: 'Done.',
  created: 'Created.',
  accepted: 'Accepted. The work continues in the background.',
};

function successOf(contract: Contract, schemas: SharedSchemas): Response {
  const response = schemas.refer(documentedResponse(contract));
  const dryRun = takesDryRun(contract) && successStatus(contract) === 200;
  const schema = dryRun ? { oneOf: [response, schemas.refer(dryRunSchema(contract))] } : response;
  const [mediaType = 'application/json'] = contract.mediaType?.split(';') ?? [];
  const example = contract.mediaType ? undefined : exampleOf(contract.response, 'response');
  return {
    description: meanings[contract.success ?? 'ok'] + describeOneTime(contract),
    headers: {
      'x-request-id': refer('RequestId'),
      ...(hasVersion(contract) && { ETag: refer('ETag') }),
      ...(contract.mediaType !== undefined && { ETag: refer('DocumentETag') }),
      ...(isIdempotent(contract) && { 'Idempotency-Replayed': refer('IdempotencyReplayed') }),
    },
    content: { [mediaType]: { schema, ...(example !== undefined && { example }) } },
  };
}

/** A dry run always returns 200. If a real request also returns 200, `successOf` documents both responses. */
const dryRunOf = (contract: Contract, schemas: SharedSchemas): Response => ({
  description:
    'With `dryRun=true`: a preview. Nothing was changed. Sensitive values and secrets are `REDACTED`.',
  headers: { 'x-request-id': refer('RequestId') },
  content: { 'application/json': { schema: schemas.refer(dryRunSchema(contract)) } },
});

const hasVersion = ({ response }: Contract): boolean =>
  'version' in ((response as { properties?: object }).properties ?? {});

/** Operations share responses with a single error code. A response with several codes belongs to one operation. */
function apiError(status: number, codes: readonly ErrorCode[]): Response | Reference {
  const [only, ...others] = codes;
  if (only !== undefined && others.length === 0)
    return { $ref: `#/components/responses/${pascalCase(only)}` };
  return errorResponse(status, codes);
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Response {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${messageOf(code)}`).join('\n\n'),
    headers: {
      'x-request-id': refer('RequestId'),
      ...(status === 401 && { 'WWW-Authenticate': refer('WwwAuthenticate') }),
      ...((status === 429 || status === 503) && { 'Retry-After': refer('RetryAfter') }),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The error responses that operations share, and an example of each error code. */
export function sharedErrors(contracts: readonly Contract[]): {
  responses: Record<string, Response>;
  examples: Record<string, Example>;
} {
  const statuses = contracts.flatMap((contract) => [...errorsByStatus(contract)]);
  const alone = new Set(statuses.flatMap(([, codes]) => (codes.length === 1 ? codes : [])));
  const all = new Set(statuses.flatMap(([, codes]) => codes));
  return {
    responses: Object.fromEntries(
      [...alone].sort().map((code) => [pascalCase(code), errorResponse(statusOf(code), [code])]),
    ),
    examples: Object.fromEntries([...all].sort().map((code) => [code, exampleError(code)])),
  };
}

function exampleError(code: ErrorCode): Example {
  const details = [{ field: 'email', message: 'must be an email address' }];
  const value = { error: code, status: statusOf(code), message: messageOf(code) };
  return { summary: code, value: code === 'invalid_input' ? { ...value, details } : value };
}

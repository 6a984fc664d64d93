import { STATUS_CODES } from 'node:http';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type ErrorCode, messageOf, statusOf } from '../../shared/errors.ts';
import { purposes } from '../../shared/security/proofs.ts';
import { errorsByStatus } from './errors.ts';
import { rateLimitHeaders, referToHeader } from './headers.ts';
import { type NamedContract, operationIdOf, pascalCase } from './naming.ts';
import type { JsonSchema } from './schemas.ts';

type Example = OpenAPIV3_1.ExampleObject;
type Response = OpenAPIV3_1.ResponseObject;

/** The error responses of all operations. */
export interface ErrorResponses {
  /** The error responses of an operation by status. */
  of(endpoint: NamedContract): OpenAPIV3_1.ResponsesObject;
  /** The responses that operations share, a schema for each list of error codes, and an example of each code. */
  components: {
    responses: Record<string, Response>;
    schemas: Record<string, JsonSchema>;
    examples: Record<string, Example>;
  };
}

/**
 * A response with a single error code is always a shared component. A response with several codes is shared
 * if the same list of codes occurs more than once.
 */
export function errorResponses(endpoints: readonly NamedContract[]): ErrorResponses {
  const uses = new Map<string, number>();
  for (const { contract } of endpoints)
    for (const codes of errorsByStatus(contract).values())
      uses.set(codes.join(), (uses.get(codes.join()) ?? 0) + 1);
  const components: ErrorResponses['components'] = {
    responses: {},
    schemas: { ErrorDetail: errorDetail, NeededProof: neededProof },
    examples: {},
  };
  const responseTo = (endpoint: NamedContract, status: number, codes: readonly ErrorCode[]) => {
    const isShared = codes.length === 1 || (uses.get(codes.join()) ?? 0) > 1;
    const name = isShared
      ? pascalCase(codes.join('_or_'))
      : `${pascalCase(operationIdOf(endpoint.name))}${phraseOf(status)}`;
    const schema = `${name.replace(/Error$/, '')}Error`;
    const response = errorResponse(status, codes, schema);
    for (const code of codes) components.examples[code] = exampleError(code);
    components.schemas[schema] = schemaOf(status, codes);
    if (!isShared) return response;
    components.responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  const byEndpoint = new Map(
    endpoints.map((endpoint) => {
      const byStatus = [...errorsByStatus(endpoint.contract)];
      return [
        endpoint.name,
        Object.fromEntries(byStatus.map(([status, codes]) => [status, responseTo(endpoint, status, codes)])),
      ];
    }),
  );
  return { of: ({ name }) => byEndpoint.get(name) ?? {}, components };
}

/** `Bad Request` becomes `BadRequest`. */
const phraseOf = (status: number): string => (STATUS_CODES[status] ?? String(status)).replaceAll(' ', '');

function errorResponse(status: number, codes: readonly ErrorCode[], schema: string): Response {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${messageOf(code)}`).join('\n\n'),
    headers: {
      'x-request-id': referToHeader('RequestId'),
      ...(status === 401 && { 'WWW-Authenticate': referToHeader('WwwAuthenticate') }),
      ...(status === 429 && rateLimitHeaders),
      ...((status === 429 || status === 503) && { 'Retry-After': referToHeader('RetryAfter') }),
    },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The body of an error response with one of these codes. */
const schemaOf = (status: number, codes: readonly ErrorCode[]): JsonSchema => ({
  type: 'object',
  required: ['error', 'status', 'message', 'requestId'],
  properties: {
    error: { type: 'string', ...(codes.length === 1 ? { const: codes[0] } : { enum: [...codes] }) },
    status: { type: 'integer', const: status },
    message: { type: 'string', description: 'The cause of the error and the remedy.' },
    details: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
    ...(codes.includes('step_up_required') && { stepUp: { $ref: '#/components/schemas/NeededProof' } }),
    requestId: { type: 'string', description: 'The id of the request. Include it in error reports.' },
  },
});

function exampleError(code: ErrorCode): Example {
  const details = [{ field: 'email', message: 'must be an email address' }];
  const stepUp = {
    purpose: 'reveal',
    subject: { accountId: 'acme', id: '244650025204944' },
    method: 'password',
  };
  const value = {
    error: code,
    status: statusOf(code),
    message: messageOf(code),
    ...(code === 'invalid_input' && { details }),
    ...(code === 'step_up_required' && { stepUp }),
    requestId: 'JKJaXmPLvHcESHA=',
  };
  return { summary: code, value };
}

const errorDetail: JsonSchema = {
  type: 'object',
  description: 'An invalid field of the request.',
  required: ['field', 'message'],
  properties: {
    field: { type: 'string', description: 'The path of the field, for example `members[0].weight`.' },
    message: { type: 'string' },
  },
};

const neededProof: JsonSchema = {
  type: 'object',
  description: 'Present if the error is `step_up_required`.',
  required: ['purpose', 'subject', 'method'],
  properties: {
    purpose: {
      type: 'string',
      enum: [...purposes],
      description: 'The purpose of a single-use token for this request.',
    },
    subject: {
      type: 'object',
      description: 'The subject of a single-use token for this request.',
      properties: { accountId: { type: 'string' }, id: { type: 'string' } },
    },
    method: {
      type: 'string',
      enum: ['code', 'passkey', 'password', 'single_sign_on'],
      description:
        'How the user proves the identity: with a code of a second factor, a passkey, the password, or a new sign-in at the identity provider.',
    },
  },
};

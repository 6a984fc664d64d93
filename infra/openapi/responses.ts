import type { OpenAPIV3_1 } from 'openapi-types';
import { type Contract, isBuiltDocument, successStatus } from '../../shared/endpoints/contract.ts';
import { isIdempotent } from '../../shared/http/idempotency.ts';
import type { ErrorResponses } from './error-responses.ts';
import { exampleOf } from './example.ts';
import { rateLimitHeaders, referToHeader } from './headers.ts';
import type { NamedContract } from './naming.ts';
import type { SharedSchemas } from './schemas.ts';

type Response = OpenAPIV3_1.ResponseObject;

/** The responses of an operation by status: the success, then the errors. */
export const responsesOf = (
  endpoint: NamedContract,
  schemas: SharedSchemas,
  errors: ErrorResponses,
): OpenAPIV3_1.ResponsesObject => ({
  [successStatus(endpoint.contract)]: successOf(endpoint.contract, schemas),
  ...(isBuiltDocument(endpoint.contract) && { 304: unchanged }),
  ...errors.of(endpoint),
});

const unchanged: Response = {
  description: 'The document has not changed since the version in If-None-Match.',
  headers: { 'x-request-id': referToHeader('RequestId'), ETag: referToHeader('DocumentETag') },
};

const meanings = {
  ok: 'Done.',
  created: 'Created.',
  accepted: 'Accepted. The work continues in the background.',
  redirect: 'The browser continues at the address in the `location` header.',
  empty: 'Done. The response has no body.',
};

function successOf(contract: Contract, schemas: SharedSchemas): Response {
  const schema = schemas.refer(contract.response);
  const json = contract.scim ? 'application/scim+json' : 'application/json';
  const [mediaType = json] = contract.mediaType?.split(';') ?? [];
  const example =
    contract.mediaType || '$ref' in schema ? undefined : exampleOf(contract.response, 'response');
  return {
    description: meanings[contract.success ?? 'ok'] + describeOneTime(contract),
    headers: {
      'x-request-id': referToHeader('RequestId'),
      ...(contract.access !== 'public' && rateLimitHeaders),
      ...(hasVersion(contract) && { ETag: referToHeader('ETag') }),
      ...(isBuiltDocument(contract) && { ETag: referToHeader('DocumentETag') }),
      ...(isIdempotent(contract) && { 'Idempotency-Replayed': referToHeader('IdempotencyReplayed') }),
    },
    ...(contract.success !== 'empty' && {
      content: { [mediaType]: { schema, ...(example !== undefined && { example }) } },
    }),
  };
}

/** A sentence about the fields whose value is shown only once. Empty if there are no such fields. */
const describeOneTime = ({ oneTime = [] }: Contract): string =>
  oneTime.length === 0
    ? ''
    : ` A replayed response contains \`REDACTED\` in ${oneTime.map((field) => `\`${field}\``).join(', ')}, because the value is shown only once.`;

const hasVersion = ({ response }: Contract): boolean =>
  'version' in ((response as { properties?: object }).properties ?? {});

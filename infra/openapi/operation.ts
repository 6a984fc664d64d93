import type { OpenAPIV3_1 } from 'openapi-types';
import { type Contract, permissionsOf } from '../../shared/endpoints/contract.ts';
import { bodySchema } from '../contract-schemas.ts';
import { exampleOf } from './example.ts';
import { groupOf } from './groups.ts';
import { operationIdOf } from './naming.ts';
import { parametersOf } from './parameters.ts';
import { responsesOf } from './responses.ts';
import type { NamedContract, SharedSchemas } from './schemas.ts';
import { securityOf } from './security.ts';

/** An operation, which is never without a name, a group or a summary; and what contracts say beyond OpenAPI. */
export type ApiOperation = OpenAPIV3_1.OperationObject & {
  operationId: string;
  tags: string[];
  summary: string;
  responses: OpenAPIV3_1.ResponsesObject;
  /** The permissions without which the response is 403; all of them are needed. */
  'x-required-permissions'?: readonly string[];
  /** Open to administrators of the account only. */
  'x-administrator-only'?: true;
  /** The kinds of events that a success can emit. */
  'x-emits'?: readonly string[];
};

/** What an endpoint is, as an operation of the document. */
export function operationOf({ name, contract }: NamedContract, schemas: SharedSchemas): ApiOperation {
  const { path, summary, administratorOnly, emits = [], body, bodyOptional } = contract;
  const permissions = permissionsOf(contract);
  const parameters = parametersOf(contract);
  const description = describe(contract);
  return {
    operationId: operationIdOf(name),
    tags: [groupOf(path).name],
    summary,
    ...(description && { description }),
    security: securityOf(contract),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !bodyOptional, content: json(contract, schemas) } }),
    responses: responsesOf(contract, schemas),
    ...(permissions.length > 0 && { 'x-required-permissions': permissions }),
    ...(administratorOnly && { 'x-administrator-only': true }),
    ...(emits.length > 0 && { 'x-emits': emits }),
  };
}

const json = (contract: Contract, schemas: SharedSchemas) => ({
  'application/json': {
    schema: schemas.refer(bodySchema(contract)),
    example: exampleOf(contract.body ?? {}, 'request'),
  },
});

/** The contract's own description, then who may call it and what it emits. */
function describe(contract: Contract): string {
  const { description, administratorOnly, orSelf, sessionOnly, applicant, noDryRun, emits = [] } = contract;
  return [
    description,
    requirement(permissionsOf(contract)),
    administratorOnly &&
      `Open to administrators of the account only${orSelf ? ', and to the user itself' : ''}: to no API key, and to no session of one.`,
    applicant &&
      `Also open to whoever has the key of the application${without(contract.applicantMayNotSend)}.`,
    sessionOnly && 'Takes a session token only, no API key.',
    noDryRun && `Takes no dry run. ${noDryRun}`,
    emits.length > 0 && `Emits ${emits.map((kind) => `\`${kind}\``).join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function requirement(permissions: readonly string[]): string {
  if (permissions.length === 0) return '';
  const names = permissions.map((name) => `\`${name}\``).join(' and ');
  return `Requires the permission${permissions.length > 1 ? 's' : ''} ${names}.`;
}

const without = (names: readonly string[] = []): string =>
  names.length === 0 ? '' : `, who may not send ${names.map((name) => `\`${name}\``).join(' or ')}`;

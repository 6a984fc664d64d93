import type { OpenAPIV3_1 } from 'openapi-types';
import {
  accountPermissionOf,
  type Contract,
  type NeededFor,
  permissionsOf,
  proofsOf,
} from '../../shared/endpoints/contract.ts';
import { limitedPermissions } from '../../shared/resources/derived.ts';
import { bodySchema } from '../contract-schemas.ts';
import type { ErrorResponses } from './error-responses.ts';
import { groupOf } from './groups.ts';
import { type NamedContract, operationIdOf } from './naming.ts';
import { parametersOf } from './parameters.ts';
import type { RecordHint } from './records.ts';
import { responsesOf } from './responses.ts';
import type { SharedSchemas } from './schemas.ts';
import { securityOf } from './security.ts';
import type { UploadHint } from './uploads.ts';

/** An operation with this project's OpenAPI extensions. Its name, group and summary are required. */
export type ApiOperation = OpenAPIV3_1.OperationObject & {
  operationId: string;
  tags: string[];
  summary: string;
  responses: OpenAPIV3_1.ResponsesObject;
  /** The caller needs all of these permissions. */
  'x-required-permissions'?: readonly string[];
  'x-any-permission'?: readonly string[];
  /** The permissions for these record types may also be limited to some of the records. */
  'x-reach'?: readonly string[];
  /** Only administrators of the account may call the operation. */
  'x-administrator-only'?: true;
  /** The event kinds that a successful request can emit. */
  'x-emits'?: readonly string[];
  /** The happenings in the events `no_event_name` of a successful request. */
  'x-happenings'?: readonly string[];
  'x-record'?: RecordHint;
  'x-upload'?: UploadHint;
  /** The requests that need a fresh proof of the user's identity. */
  'x-proof'?: readonly NeededFor[];
  /** No other request undoes the operation. */
  'x-destructive'?: true;
};

export function operationOf(
  endpoint: NamedContract,
  schemas: SharedSchemas,
  errors: ErrorResponses,
): ApiOperation {
  const { name, contract } = endpoint;
  const {
    path,
    summary,
    anyPermission,
    reach,
    administratorOnly,
    emits = [],
    happenings = [],
    body,
    bodyOptional,
  } = contract;
  const permissions = permissionsOf(contract);
  const proofs = proofsOf(contract);
  const parameters = parametersOf(contract, schemas);
  const description = describe(contract);
  return {
    operationId: operationIdOf(name),
    tags: [groupOf(path).name],
    summary,
    ...(description && { description }),
    security: securityOf(contract),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !bodyOptional, content: bodyContent(contract, schemas) } }),
    responses: responsesOf(endpoint, schemas, errors),
    ...(permissions.length > 0 && { 'x-required-permissions': permissions }),
    ...(anyPermission && { 'x-any-permission': anyPermission }),
    ...(reach && { 'x-reach': [reach].flat() }),
    ...(administratorOnly && { 'x-administrator-only': true }),
    ...(emits.length > 0 && { 'x-emits': emits }),
    ...(happenings.length > 0 && { 'x-happenings': happenings }),
    ...(proofs.length > 0 && { 'x-proof': proofs }),
    ...(isDestructive(contract) && { 'x-destructive': true }),
  };
}

const isDestructive = ({ destructive, method, path }: Contract): boolean =>
  destructive ?? (method === 'DELETE' && path.endsWith('}'));

/** The media types of the body, which have the same fields. */
const bodyContent = (contract: Contract, schemas: SharedSchemas) => ({
  ...json(contract, schemas),
  ...(contract.acceptsForm && {
    'application/x-www-form-urlencoded': { schema: schemas.refer(bodySchema(contract)) },
  }),
});

const json = (contract: Contract, schemas: SharedSchemas) => ({
  'application/json': {
    schema: schemas.refer(bodySchema(contract)),
  },
});

/** Returns the contract's own description, followed by the allowed callers and the emitted events. */
function describe(contract: Contract): string {
  const {
    description,
    anyPermission,
    reach,
    administratorOnly,
    orSelf,
    sessionOnly,
    applicant,
    noDryRun,
    emits = [],
    happenings = [],
  } = contract;
  const ofAccount = accountPermissionOf(contract);
  return [
    description,
    requirement(permissionsOf(contract)),
    anyPermission &&
      `Requires at least one of the permissions ${anyPermission.map((name) => `\`${name}\``).join(', ')}.`,
    reach && limitation(reachedPermissions(contract)),
    administratorOnly &&
      `Only administrators of the account${orSelf ? ', and the user itself,' : ''} may call this. API keys and their sessions are not accepted.`,
    ofAccount && `A child account needs the permission \`${ofAccount}\`.`,
    applicant &&
      `Callers with the \`appKey\` of the application may also call this${without(contract.applicantMayNotSend)}.`,
    ...proofsOf(contract).map(proofNeeded),
    sessionOnly && 'Requires a session token. API keys are not accepted.',
    noDryRun && `Does not support \`dryRun\`. ${noDryRun}`,
    emits.length > 0 &&
      `Emits ${quoted(emits)}${happenings.length > 0 ? ` with the happening ${quoted(happenings)}` : ''}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function requirement(permissions: readonly string[]): string {
  if (permissions.length === 0) return '';
  const names = new Intl.ListFormat('en-GB').format(permissions.map((name) => `\`${name}\``));
  return `Requires the permission${permissions.length > 1 ? 's' : ''} ${names}.`;
}

function proofNeeded({ purpose, ifQuery, ifBody }: NeededFor): string {
  const condition = ifQuery
    ? ` if \`${ifQuery}\` is true`
    : ifBody
      ? ` if the body contains ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ifBody.map((name) => `\`${name}\``))}`
      : '';
  const ofKeys = purpose === 'reveal' ? ' API keys need the permission `revealSensitive` instead.' : '';
  return `Needs a [fresh proof](#fresh-proofs) of a user’s identity, with the purpose \`${purpose}\`${condition}.${ofKeys}`;
}

/** The permissions of the contract that may be limited to some of the records. */
const reachedPermissions = (contract: Contract): readonly string[] =>
  [...permissionsOf(contract), ...(contract.anyPermission ?? [])].filter(
    (name) => name in limitedPermissions,
  );

function limitation(permissions: readonly string[]): string {
  if (permissions.length === 0) return 'Reaches only records that the caller may read.';
  const names = new Intl.ListFormat('en-GB').format(permissions.map((name) => `\`${name}\``));
  return `Permissions that limit ${names} to some of the records are enough for these records.`;
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const without = (names: readonly string[] = []): string =>
  names.length === 0 ? '' : `, but must not send ${names.map((name) => `\`${name}\``).join(' or ')}`;

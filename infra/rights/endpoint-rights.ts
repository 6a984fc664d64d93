import {
  changes,
  emitsEvents,
  type FileUse,
  makesDataKeys,
  rejectsUnknownPaths,
  type StatedRight,
} from '../../shared/endpoints/contract.ts';
import type { BundledEndpoint } from '../build/manifest.ts';
import { partitions } from './partitions.ts';
import { everyFunction, onItems, readsKeyring, type Statement, unwrapsDataKeys } from './statement.ts';

/**
 * The rights of endpoints, in addition to logging and to the rights that the contract states:
 * - `table:read`: read items of accounts and query the indexes of lists
 * - `table:write`: change any item of accounts, except the accounts' own records
 * - `calls:count`: increment the counters of calls
 * - `events:append`: add events to the log and the totals of an account
 * - `passkeys:hold`: read and change the items that lead from a passkey to its user, who may be in any account
 * - `secret:read`: read the signing secret. Only endpoints that accept a session token verify its signature, and only
 *   logins and impersonations sign tokens. The same endpoints compute fingerprints for an Idempotency-Key with this secret.
 * - `data-key:use`: decrypt the data keys of an account
 * - `data-key:make`: create a data key for an account
 * - `files:…`: the file access that the contract declares. A request with a signed URL has the rights of
 *   the function that signed it.
 */
export type Right =
  | 'table:read'
  | 'table:write'
  | StatedRight
  | 'calls:count'
  | 'events:append'
  | 'data-key:use'
  | 'data-key:make'
  | `files:${FileUse}`;

type EndpointContract = BundledEndpoint['contract'];

/**
 * Derives the rights from a contract. Read-only endpoints cannot change records, but can append events. These events
 * report exceeded rate limits, internal errors, unknown paths and records, and GET responses with sensitive values.
 */
export function rightsOf(contract: EndpointContract): Right[] {
  const authenticates = contract.access !== 'public' || rejectsUnknownPaths(contract);
  const writes = changes(contract);
  const states = (right: StatedRight) => contract.rights?.includes(right) === true;
  const rights: Record<Right, boolean> = {
    'table:read': authenticates || writes || states('connections:read'),
    'table:write': writes,
    'account:write': states('account:write'),
    'domains:hold': states('domains:hold'),
    'account:create': states('account:create'),
    'emails:find': states('emails:find'),
    'sign-ins:keep': states('sign-ins:keep'),
    'connections:read': states('connections:read'),
    'passkeys:hold': states('passkeys:hold'),
    'client-secret:use': states('client-secret:use'),
    'calls:count': authenticates,
    'events:append': authenticates || (emitsEvents(contract) && !writes),
    'secret:read': authenticates || states('secret:read'),
    'data-key:use':
      contract.sensitive === true ||
      contract.signedBody !== undefined ||
      contract.factorSecrets !== undefined ||
      states('client-secret:use'),
    'data-key:make': makesDataKeys(contract) || contract.factorSecrets === 'make',
    'files:upload': contract.files === 'upload',
    'files:take': contract.files === 'take',
    'files:check': contract.files === 'check',
    'files:download': contract.files === 'download',
    'files:export': contract.files === 'export',
    'files:mail': contract.files === 'mail',
  };
  return (Object.keys(rights) as Right[]).filter((right) => rights[right]);
}

export const endpointStatements = (contract: EndpointContract): Statement[] =>
  statementsWith(rightsOf(contract));

export const statementsWith = (rights: readonly Right[]): Statement[] => [
  ...everyFunction,
  ...rights.flatMap((right) => statements[right](rights)),
];

const readable = (rights: readonly Right[]): string[] => [
  partitions.accountRecords,
  partitions.ofAccounts,
  ...(rights.includes('emails:find') ? [partitions.emails] : []),
  ...heldDomains(rights),
  ...signInItems(rights),
];
const changeable = (rights: readonly Right[]): string[] => [
  ...(rights.includes('account:write') ? [partitions.accountRecords] : []),
  ...(rights.includes('account:create')
    ? [partitions.accounts, partitions.emails, partitions.loginFailures]
    : []),
  partitions.ofAccounts,
  ...heldDomains(rights),
  ...signInItems(rights),
];
const heldDomains = (rights: readonly Right[]): string[] =>
  rights.includes('domains:hold') ? [partitions.vanityDomainHolders, partitions.mailDomainHolders] : [];
const signInItems = (rights: readonly Right[]): string[] =>
  rights.includes('sign-ins:keep')
    ? [partitions.emails, partitions.passkeyHolders, partitions.passwordTokens, partitions.loginFailures]
    : rights.includes('passkeys:hold')
      ? [partitions.passkeyHolders]
      : [];

const readsUploads: readonly Statement[] = [
  { sid: 'ReadUpload', actions: ['s3:GetObject'], resources: ['files/incoming'] },
  // Without this right, S3 returns 403 instead of 404 for a missing object.
  { sid: 'DetectMissingUpload', actions: ['s3:ListBucket'], resources: ['files'] },
];

/** The statements of each right. Some statements depend on the function's other rights. */
const statements: Record<Right, (rights: readonly Right[]) => readonly Statement[]> = {
  'table:read': (rights) => [
    onItems('ReadItems', ['GetItem', 'BatchGetItem'], readable(rights)),
    // Excludes the index `due`, which contains items of all accounts.
    {
      sid: 'Query',
      actions: ['dynamodb:Query'],
      resources: ['table', 'table/index/list', 'table/index/state', 'table/index/holder'],
      leadingKeys: [partitions.ofAccounts],
    },
  ],
  'table:write': (rights) => [
    onItems('WriteTable', ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'], changeable(rights)),
  ],
  // The statements above include the keys of these rights, because a batch or transaction is allowed only if
  // one statement covers all of its keys.
  'account:write': () => [],
  'domains:hold': () => [],
  'account:create': () => [],
  'emails:find': () => [],
  'sign-ins:keep': () => [],
  'connections:read': () => [],
  'passkeys:hold': () => [],
  'client-secret:use': () => [],
  'calls:count': () => [onItems('CountCalls', ['UpdateItem'], [partitions.calls])],
  'events:append': () => [
    onItems('AppendEvents', ['PutItem'], [partitions.events]),
    onItems('CountEvents', ['UpdateItem'], [partitions.totals]),
  ],
  'secret:read': () => [...readsKeyring],
  'data-key:use': () => [unwrapsDataKeys],
  'data-key:make': () => [
    { sid: 'MakeDataKeys', actions: ['kms:GenerateDataKey'], resources: ['data-key'], onlyForAccounts: true },
  ],
  'files:upload': () => [
    { sid: 'Upload', actions: ['s3:PutObject'], resources: ['files/incoming'] },
    { sid: 'EncryptFile', actions: ['kms:GenerateDataKey'], resources: ['files-key'], onlyForFiles: true },
  ],
  'files:take': () => [
    ...readsUploads,
    { sid: 'StoreFile', actions: ['s3:PutObject'], resources: ['files/documents'] },
    {
      sid: 'CopyFile',
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['files-key'],
      onlyForFiles: true,
    },
  ],
  'files:check': () => [
    ...readsUploads,
    { sid: 'DecryptUpload', actions: ['kms:Decrypt'], resources: ['files-key'], onlyForFiles: true },
  ],
  'files:download': () => [
    { sid: 'Download', actions: ['s3:GetObject'], resources: ['files/documents'] },
    { sid: 'DecryptFile', actions: ['kms:Decrypt'], resources: ['files-key'], onlyForFiles: true },
  ],
  'files:export': () => [
    { sid: 'DownloadExport', actions: ['s3:GetObject'], resources: ['files/exports'] },
    { sid: 'DecryptExport', actions: ['kms:Decrypt'], resources: ['files-key'], onlyForFiles: true },
  ],
  'files:mail': () => [
    { sid: 'DownloadMail', actions: ['s3:GetObject'], resources: ['files/mail'] },
    { sid: 'DecryptMail', actions: ['kms:Decrypt'], resources: ['files-key'], onlyForFiles: true },
  ],
};

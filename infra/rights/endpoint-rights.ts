import { changes, emitsEvents, type FileUse, makesDataKeys } from '../../shared/http/contract.ts';
import { countedPartitions } from '../../shared/table/keys.ts';
import type { BundledEndpoint } from '../build/manifest.ts';
import { everyFunction, type Statement, unwrapsDataKeys } from './statement.ts';

/**
 * What an endpoint may do, beside logging.
 * - `table:read`: read items and the indexes of lists
 * - `table:write`: change any item
 * - `calls:count`: add to a counter of calls, and nothing else
 * - `events:append`: put an event into an account's log and add to its totals, and nothing else
 * - `secret:read`: read the signing secret
 * - `data-key:use`: unwrap the data keys of an account
 * - `data-key:make`: make a data key for an account
 * - `files:…`: what the contract says of files; to sign an address takes the right to what it is for
 */
export type Right =
  | 'table:read'
  | 'table:write'
  | 'calls:count'
  | 'events:append'
  | 'secret:read'
  | 'data-key:use'
  | 'data-key:make'
  | `files:${FileUse}`;

type EndpointContract = BundledEndpoint['contract'];

/**
 * The rights that follow from a contract. An endpoint that only reads cannot write; but whoever is counted may meet a
 * limit, which is an event, and a GET may emit what it showed.
 */
export function rightsOf(contract: EndpointContract): Right[] {
  const authenticates = contract.access !== 'public';
  const writes = changes(contract);
  const rights: Record<Right, boolean> = {
    'table:read': authenticates || writes,
    'table:write': writes,
    'calls:count': authenticates,
    'events:append': authenticates || (emitsEvents(contract) && !writes),
    'secret:read': authenticates || contract.signsIn === true,
    'data-key:use': contract.sensitive === true,
    'data-key:make': makesDataKeys(contract),
    'files:upload': contract.files === 'upload',
    'files:take': contract.files === 'take',
    'files:download': contract.files === 'download',
  };
  return (Object.keys(rights) as Right[]).filter((right) => rights[right]);
}

/** The policy of an endpoint. */
export const endpointStatements = (contract: EndpointContract): Statement[] =>
  statementsWith(rightsOf(contract));

/** The policy that gives these rights. */
export const statementsWith = (rights: readonly Right[]): Statement[] => [
  ...everyFunction,
  ...rights.flatMap((right) => statements[right]),
];

const statements: Record<Right, readonly Statement[]> = {
  'table:read': [
    { sid: 'ReadItems', actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'], resources: ['table'] },
    // Of the indexes all but `due`, which is across accounts.
    {
      sid: 'Query',
      actions: ['dynamodb:Query'],
      resources: ['table', 'table/index/list', 'table/index/state', 'table/index/holder'],
    },
  ],
  'table:write': [
    {
      sid: 'WriteTable',
      actions: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
        (name) => `dynamodb:${name}`,
      ),
      resources: ['table'],
    },
  ],
  'calls:count': [
    {
      sid: 'CountCalls',
      actions: ['dynamodb:UpdateItem'],
      resources: ['table'],
      leadingKeys: [countedPartitions.calls],
    },
  ],
  'events:append': [
    {
      sid: 'AppendEvents',
      actions: ['dynamodb:PutItem'],
      resources: ['table'],
      leadingKeys: [countedPartitions.events],
    },
    {
      sid: 'CountEvents',
      actions: ['dynamodb:UpdateItem'],
      resources: ['table'],
      leadingKeys: [countedPartitions.totals],
    },
  ],
  'secret:read': [
    { sid: 'ReadSecret', actions: ['secretsmanager:GetSecretValue'], resources: ['keyring'] },
    { sid: 'DecryptSecret', actions: ['kms:Decrypt'], resources: ['keyring-key'], onlyForKeyring: true },
  ],
  'data-key:use': [unwrapsDataKeys],
  'data-key:make': [
    { sid: 'MakeDataKeys', actions: ['kms:GenerateDataKey'], resources: ['data-key'], onlyForAccounts: true },
  ],
  'files:upload': [
    { sid: 'Upload', actions: ['s3:PutObject'], resources: ['files/incoming'] },
    { sid: 'EncryptFile', actions: ['kms:GenerateDataKey'], resources: ['files-key'], onlyForFiles: true },
  ],
  'files:take': [
    { sid: 'LookAtUpload', actions: ['s3:GetObject'], resources: ['files/incoming'] },
    { sid: 'KeepFile', actions: ['s3:PutObject'], resources: ['files/documents'] },
    // Without it S3 says of what is not there that it is forbidden.
    { sid: 'MissUpload', actions: ['s3:ListBucket'], resources: ['files'] },
    {
      sid: 'CopyFile',
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['files-key'],
      onlyForFiles: true,
    },
  ],
  'files:download': [
    { sid: 'Download', actions: ['s3:GetObject'], resources: ['files/documents'] },
    { sid: 'DecryptFile', actions: ['kms:Decrypt'], resources: ['files-key'], onlyForFiles: true },
  ],
};

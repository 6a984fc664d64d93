import { changes, emitsEvents, type FileUse, makesDataKeys } from '../../shared/endpoints/contract.ts';
import type { BundledEndpoint } from '../build/manifest.ts';
import { partitions } from './partitions.ts';
import { everyFunction, onItems, type Statement, unwrapsDataKeys } from './statement.ts';

/**
 * What an endpoint may do, beside logging.
 * - `table:read`: read items of accounts and the indexes of lists
 * - `table:write`: change any item of accounts
 * - `emails:find`: read, too, whose an email is
 * - `sign-ins:keep`: read and change, too, what stands across accounts: emails, tokens that set a password, failed logins
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
  | 'emails:find'
  | 'sign-ins:keep'
  | 'calls:count'
  | 'events:append'
  | 'secret:read'
  | 'data-key:use'
  | 'data-key:make'
  | `files:${FileUse}`;

type EndpointContract = BundledEndpoint['contract'];

/**
 * The rights that follow from a contract. An endpoint that only reads cannot write. It can append events: a caller that meets
 * its limit and a request that ends in 500 are events, and a GET may emit what it showed.
 */
export function rightsOf(contract: EndpointContract): Right[] {
  const authenticates = contract.access !== 'public';
  const writes = changes(contract);
  const keepsSignIns = writes && /^\/(auth|users)(\/|$)/.test(contract.path);
  const findsEmails = contract.namesUsers === true || contract.path.includes('{email}');
  const rights: Record<Right, boolean> = {
    'table:read': authenticates || writes,
    'table:write': writes,
    'emails:find': findsEmails && !keepsSignIns,
    'sign-ins:keep': keepsSignIns,
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
  ...rights.flatMap((right) => statements[right](rights)),
];

/** The partitions that functions with these rights may read, beside the indexes, and those that they may change. */
const readable = (rights: readonly Right[]): string[] => [
  ...changeable(rights),
  ...(rights.includes('emails:find') ? [partitions.emails] : []),
];
const changeable = (rights: readonly Right[]): string[] => [
  partitions.accounts,
  ...(rights.includes('sign-ins:keep')
    ? [partitions.emails, partitions.passwordTokens, partitions.loginFailures]
    : []),
];

/** What each right is, among all that a function has. */
const statements: Record<Right, (rights: readonly Right[]) => readonly Statement[]> = {
  'table:read': (rights) => [
    onItems('ReadItems', ['GetItem', 'BatchGetItem'], readable(rights)),
    // Of the indexes all but `due`, which is across accounts.
    {
      sid: 'Query',
      actions: ['dynamodb:Query'],
      resources: ['table', 'table/index/list', 'table/index/state', 'table/index/holder'],
      leadingKeys: [partitions.accounts],
    },
  ],
  'table:write': (rights) => [
    onItems('WriteTable', ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'], changeable(rights)),
  ],
  // Said by the two above: one statement for all keys, as a batch and a transaction name several.
  'emails:find': () => [],
  'sign-ins:keep': () => [],
  'calls:count': () => [onItems('CountCalls', ['UpdateItem'], [partitions.calls])],
  'events:append': () => [
    onItems('AppendEvents', ['PutItem'], [partitions.events]),
    onItems('CountEvents', ['UpdateItem'], [partitions.totals]),
  ],
  'secret:read': () => [
    { sid: 'ReadSecret', actions: ['secretsmanager:GetSecretValue'], resources: ['keyring'] },
    { sid: 'DecryptSecret', actions: ['kms:Decrypt'], resources: ['keyring-key'], onlyForKeyring: true },
  ],
  'data-key:use': () => [unwrapsDataKeys],
  'data-key:make': () => [
    { sid: 'MakeDataKeys', actions: ['kms:GenerateDataKey'], resources: ['data-key'], onlyForAccounts: true },
  ],
  'files:upload': () => [
    { sid: 'Upload', actions: ['s3:PutObject'], resources: ['files/incoming'] },
    { sid: 'EncryptFile', actions: ['kms:GenerateDataKey'], resources: ['files-key'], onlyForFiles: true },
  ],
  'files:take': () => [
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
  'files:download': () => [
    { sid: 'Download', actions: ['s3:GetObject'], resources: ['files/documents'] },
    { sid: 'DecryptFile', actions: ['kms:Decrypt'], resources: ['files-key'], onlyForFiles: true },
  ],
};

import { afterEach, expect } from 'vitest';
import type { Resource, Statement } from '../../infra/rights/statement.ts';
import { queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import { type WireRequest, watchWire } from './wire.ts';

/**
 * Enforces the rights of every function as IAM does: a request that the policy does not allow gets an
 * AccessDeniedException. Requests of the test itself are always allowed.
 */
watchWire({
  refuse(request) {
    const { functionName, statements } = request.invocation ?? {};
    if (!statements) return undefined;
    const needed = needsOf(request).find((need) => !isAllowed(need, statements));
    if (!needed) return undefined;
    const { action, resource, leadingKeys } = needed;
    const where = leadingKeys.length > 0 ? ` in ${[...new Set(leadingKeys)].join(', ')}` : '';
    denied.push(`${functionName}: ${action} on ${resource}${where}`);
    return `${functionName} is not authorized to perform: ${action} on resource: ${resource}`;
  },
  done({ service, operation, status, invocation }) {
    const { functionName, statements } = invocation ?? {};
    if (service !== 's3' || status !== 404 || !statements || isAllowed(listsBucket, statements)) return;
    denied.push(`${functionName}: ${operation} of a missing object, for which S3 responds with 403`);
  },
});

const denied: string[] = [];

/** Returns and clears the denied requests, for tests that expect them. */
export const takeDenied = (): string[] => denied.splice(0);

// A denied request fails the test even if the function handled the error. Either the policy lacks a right, or
// the function sends a request that it should not send.
afterEach(() => expect(takeDenied(), 'denied requests of functions').toEqual([]));

/** One permission that AWS checks before it executes a request. */
interface Need {
  action: string;
  /** The resource as statements name it, or a description of a resource that no statement names. */
  resource: string;
  /** The partition keys in the request, if the action accesses items. */
  leadingKeys: string[];
  /** The encryption context of the request, if the action uses a KMS key. */
  encryptionContext?: Record<string, string>;
  /** True for a mail from the sender of the stage. */
  fromSender?: boolean;
}

/** Without this right, S3 responds with 403 instead of 404 for a missing object (Amazon S3 API Reference, "GetObject"). */
const listsBucket: Need = { action: 's3:ListBucket', resource: 'files', leadingKeys: [] };

/** Reports whether a policy allows an action. Implements only the IAM rules that our statements use. */
function isAllowed(
  { action, resource, leadingKeys, encryptionContext = {}, fromSender = false }: Need,
  statements: readonly Statement[],
): boolean {
  return statements.some(
    ({ actions, resources, leadingKeys: patterns, onlyForAccounts, onlyFromSender }) =>
      actions.includes(action) &&
      resources.some((allowed) => allowed === '*' || allowed === resource) &&
      // ForAllValues: every key in the request must match.
      (!patterns || leadingKeys.every((key) => patterns.some((pattern) => isLike(key, pattern)))) &&
      (!onlyForAccounts || isOfAccount(encryptionContext)) &&
      (!onlyFromSender || fromSender),
  );
}

/** Reports whether an encryption context satisfies the policy condition of `onlyForAccounts`. */
const isOfAccount = ({ account, stage, ...more }: Record<string, string>): boolean =>
  Boolean(account) && stage === process.env.STAGE && Object.keys(more).length === 0;

const patterns = new Map<string, RegExp>();

/** IAM's StringLike: `*` matches any text, and `?` matches any character. */
function isLike(text: string, pattern: string): boolean {
  const known = patterns.get(pattern) ?? expressionOf(pattern);
  patterns.set(pattern, known);
  return known.test(text);
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${parts.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}

type Sent = Pick<WireRequest, 'service' | 'operation' | 'input'>;

function needsOf({ service, operation, input }: Sent): Need[] {
  switch (service) {
    case 'dynamodb':
      return tableNeeds(operation, input);
    case 's3':
      return bucketNeeds(operation, input);
    case 'sqs': {
      const queue = { resource: queueBehind(String(input.QueueUrl)), leadingKeys: [] };
      // A batch needs the right to the single operation, for example SendMessage for SendMessageBatch.
      return [{ action: `sqs:${operation.replace(/Batch$/, '')}`, ...queue }];
    }
    case 'secretsmanager': {
      if (input.SecretId === process.env.ORIGIN_SECRET_ID)
        return [{ action: `secretsmanager:${operation}`, resource: 'origin-token', leadingKeys: [] }];
      const resource = input.SecretId === process.env.SECRET_ID ? 'keyring' : String(input.SecretId);
      return [
        { action: `secretsmanager:${operation}`, resource, leadingKeys: [] },
        { action: 'kms:Decrypt', resource: 'keyring-key', leadingKeys: [] },
      ];
    }
    case 'kms': {
      const { DATA_KEY_ID, SEAL_KEY_ID } = process.env;
      const names: Record<string, string> = {
        [String(DATA_KEY_ID)]: 'data-key',
        [String(SEAL_KEY_ID)]: 'seal-key',
      };
      const resource = names[String(input.KeyId)] ?? String(input.KeyId);
      const encryptionContext = (input.EncryptionContext ?? {}) as Record<string, string>;
      return [{ action: `kms:${operation}`, resource, leadingKeys: [], encryptionContext }];
    }
    case 'ses': {
      if (operation.includes('EmailIdentity'))
        return [{ action: `ses:${operation}`, resource: 'mail-identities', leadingKeys: [] }];
      const fromSender = input.FromEmailAddress === process.env.MAIL_FROM;
      const sender = fromSender ? 'mail-from/address' : 'mail-identities';
      const { Content = {} } = input as { Content?: { Raw?: object } };
      // An AccessDeniedException of SendEmail with a raw message names SendRawEmail.
      const action = operation === 'SendEmail' && Content.Raw ? 'ses:SendRawEmail' : `ses:${operation}`;
      // SES also checks the right to use the default configuration set of the sender's identity. In the sandbox, it also
      // checks the right to use the identities of the recipients.
      return [sender, 'mail-identities', 'configuration-sets'].map((resource) => ({
        ...{ action, resource, fromSender },
        leadingKeys: [],
      }));
    }
    case 'sns': {
      const resource = input.PhoneNumber === undefined ? String(input.TopicArn) : 'phone-numbers';
      return [{ action: `sns:${operation}`, resource, leadingKeys: [] }];
    }
    default:
      return [{ action: `${service}:${operation}`, resource: 'something unknown', leadingKeys: [] }];
  }
}

interface TableInput {
  TableName?: string;
  IndexName?: string;
  Key?: Attributes;
  Item?: Attributes;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
}
type Attributes = Record<string, { S?: string }>;

interface Batch {
  RequestItems: Record<
    string,
    | { Keys: Attributes[] }
    | { PutRequest?: { Item: Attributes }; DeleteRequest?: { Key: Attributes } }[]
    | undefined
  >;
}

interface Transaction {
  TransactItems: Record<string, TableInput>[];
}

/**
 * S3 checks rights on each object and on its encryption key. If an object may be missing, S3 also checks the right to
 * list the bucket.
 */
function bucketNeeds(operation: string, { Bucket, Key, CopySource }: Record<string, unknown>): Need[] {
  const need = (action: string, resource: string): Need => ({ action, resource, leadingKeys: [] });
  const on = (key: unknown) =>
    Bucket === process.env.BUCKET_NAME ? `files/${String(key).split('/')[0]}` : `bucket ${String(Bucket)}`;
  const [reads, encrypts, decrypts] = [
    need('s3:GetObject', on(CopySource ?? Key)),
    need('kms:GenerateDataKey', 'files-key'),
    need('kms:Decrypt', 'files-key'),
  ];
  switch (operation) {
    case 'HeadObject':
      return [reads, need('s3:ListBucket', 'files')];
    case 'GetObject':
      return [reads, decrypts];
    case 'CopyObject':
      return [reads, need('s3:PutObject', on(Key)), decrypts, encrypts];
    case 'PutObject':
      return [need('s3:PutObject', on(Key)), encrypts];
    case 'ListBucketVersions':
    case 'ListBucketMultipartUploads':
      return [need(`s3:${operation}`, 'files')];
    default:
      return [need(`s3:${operation}`, on(Key))];
  }
}

/** A transaction needs the right to each of its operations. A batch needs the right to all of its keys. */
function tableNeeds(operation: string, input: unknown): Need[] {
  if (operation.startsWith('Transact'))
    return (input as Transaction).TransactItems.flatMap((part) =>
      Object.entries(part).map(([kind, on]) =>
        itemNeed(kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, on),
      ),
    );
  if (operation.startsWith('Batch'))
    return Object.entries((input as Batch).RequestItems).map(([TableName, requests]) => ({
      action: `dynamodb:${operation}`,
      resource: tableResource({ TableName }),
      leadingKeys: (Array.isArray(requests)
        ? requests.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key)
        : (requests?.Keys ?? [])
      ).map((key) => key?.[tableDefinition.partitionKey]?.S ?? ''),
    }));
  return [itemNeed(operation, input as TableInput)];
}

const itemNeed = (operation: string, on: TableInput): Need => ({
  action: `dynamodb:${operation}`,
  resource: tableResource(on),
  leadingKeys: partitionsIn(on),
});

function tableResource({ TableName, IndexName }: TableInput): Resource | string {
  if (TableName !== process.env.TABLE_NAME) return `table ${TableName}`;
  return IndexName === undefined ? 'table' : `table/index/${IndexName}`;
}

/** Returns the partition of a key, an item or a query. An index has its own partition key. */
function partitionsIn(on: TableInput): string[] {
  const { Key, Item, IndexName, KeyConditionExpression = '' } = on;
  const key = Key ?? Item;
  if (key) return [key[tableDefinition.partitionKey]?.S ?? ''];
  const index = tableDefinition.indexes.find(({ name }) => name === IndexName);
  const { partitionKey } = index ?? tableDefinition;
  return [...KeyConditionExpression.matchAll(/([#\w]+)\s*=\s*(:\w+)/g)]
    .filter(([, name = '']) => (on.ExpressionAttributeNames?.[name] ?? name) === partitionKey)
    .map(([, , value = '']) => on.ExpressionAttributeValues?.[value]?.S ?? '');
}

function queueBehind(url: string): Resource | string {
  if (url === process.env.RELAY_DEAD_LETTER_URL) return 'relay-dead-letters';
  const name = queueNames.find((queue) => process.env[queueUrlVariable(queue)] === url);
  return name ? `queue/${name}` : url;
}

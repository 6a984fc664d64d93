import { afterEach, expect } from 'vitest';
import type { Resource, Statement } from '../../infra/rights/statement.ts';
import { queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import { type WireRequest, watchWire } from './wire.ts';

/**
 * Holds every function to its rights, as IAM does: what it sends and its policy does not allow is answered with
 * an AccessDeniedException. What the test sends itself is free.
 */
watchWire({
  refuse({ invocation, ...request }) {
    if (!invocation?.statements) return undefined;
    const { functionName, statements } = invocation;
    const needed = needsOf(request).find((need) => !isAllowed(need, statements));
    if (!needed) return undefined;
    const { action, resource, leadingKeys } = needed;
    const where = leadingKeys.length > 0 ? ` in ${[...new Set(leadingKeys)].join(', ')}` : '';
    denied.push(`${functionName}: ${action} on ${resource}${where}`);
    return `${functionName} is not authorized to perform: ${action} on resource: ${resource}`;
  },
});

const denied: string[] = [];

/** What was denied since it was last asked for, by a test that means it to be. */
export const takeDenied = (): string[] => denied.splice(0);

// Whatever became of the failure: a function that caught it, or that only counts calls beside, needs the right too.
afterEach(() => expect(takeDenied(), 'what functions have no right to').toEqual([]));

/** One question that AWS asks IAM before it does what a request says. */
interface Need {
  action: string;
  /** A resource as rights name it, or what is none. */
  resource: string;
  /** The partition keys that the request names, where its action is about items. */
  leadingKeys: string[];
  /** KMS's encryption context, where its action is about a key. */
  encryptionContext?: Record<string, string>;
}

/** Whether a policy allows something, by IAM's rules for what our statements say. */
function isAllowed(
  { action, resource, leadingKeys, encryptionContext = {} }: Need,
  statements: readonly Statement[],
): boolean {
  return statements.some(
    ({ actions, resources, leadingKeys: patterns, onlyForAccounts }) =>
      actions.includes(action) &&
      resources.some((allowed) => allowed === '*' || allowed === resource) &&
      // ForAllValues: every key that the request names.
      (!patterns || leadingKeys.every((key) => patterns.some((pattern) => isLike(key, pattern)))) &&
      (!onlyForAccounts || isOfAccount(encryptionContext)),
  );
}

/** What the policy of the stack demands of an encryption context. */
const isOfAccount = ({ account, stage, ...more }: Record<string, string>): boolean =>
  Boolean(account) && stage === process.env.STAGE && Object.keys(more).length === 0;

const patterns = new Map<string, RegExp>();

/** IAM's StringLike: `*` is any text, `?` any character. */
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
      // A batch needs the right to what it is a batch of.
      return [{ action: `sqs:${operation.replace(/Batch$/, '')}`, ...queue }];
    }
    case 'secretsmanager': {
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
      const fromStage = input.FromEmailAddress === process.env.MAIL_FROM;
      const resource = fromStage ? 'mail-from/address' : String(input.FromEmailAddress);
      return [{ action: `ses:${operation}`, resource, leadingKeys: [] }];
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

/** S3 asks about each object, and about the key that encrypts them; and about the bucket for what may not be there. */
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
    default:
      return [need(`s3:${operation}`, on(Key))];
  }
}

/** A transaction needs the rights to its parts, each by itself; a batch the right to all its keys at once. */
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

/** The partition that a key, an item or a query names; of an index it is the index's own. */
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

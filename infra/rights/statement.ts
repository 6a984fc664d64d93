import type { QueueName } from '../../shared/events/queues.ts';
import type { IndexName } from '../../shared/table/definition.ts';

/** Something that a right is about. The stacks know its ARN, the tests what on the wire it is. */
export type Resource =
  | 'table'
  | `table/index/${IndexName}`
  | 'table/stream'
  | `queue/${QueueName}`
  | 'relay-dead-letters'
  /** Those of the schedule that the statement is for. */
  | 'schedule-dead-letters'
  | 'keyring'
  | 'keyring-key'
  | 'data-key'
  | 'seal-key'
  /** The bucket, and what lies in each half of it. */
  | 'files'
  | 'files/incoming'
  | 'files/documents'
  | 'files-key'
  | 'logs'
  /** Whom the stage's mail comes from, as SES may have verified it: the address, or all of its domain. */
  | 'mail-from/address'
  | 'mail-from/domain'
  /** For actions that AWS limits to nothing. */
  | '*';

/**
 * One statement of a function's policy, as data: the stacks turn it into the policy that is deployed, and the tests
 * judge the requests of a function by the same value.
 */
export interface Statement {
  sid: string;
  /** As IAM spells them: `dynamodb:Query`. */
  actions: readonly string[];
  resources: readonly Resource[];
  /** Only items whose partition key fits one of these patterns, with IAM's `*` and `?`. */
  leadingKeys?: readonly string[];
  /** Only what Secrets Manager decrypts on the way for the keyring, nothing that the function brings itself. */
  onlyForKeyring?: true;
  /** Only with an encryption context that names an account and this stage, and nothing else. */
  onlyForAccounts?: true;
  /** Only what S3 encrypts and decrypts on the way for the bucket of files. */
  onlyForFiles?: true;
}

/** Actions of DynamoDB, without their prefix, on items whose partition key fits one of these patterns. */
export const onItems = (
  sid: string,
  actions: readonly string[],
  leadingKeys: readonly string[],
): Statement => ({
  sid,
  actions: actions.map((name) => `dynamodb:${name}`),
  resources: ['table'],
  leadingKeys,
});

/** Opens what an account has sealed. */
export const unwrapsDataKeys: Statement = {
  sid: 'UnwrapDataKeys',
  actions: ['kms:Decrypt'],
  resources: ['data-key'],
  onlyForAccounts: true,
};

/** What every function may do: write its log, and say how long its parts took. */
export const everyFunction: readonly Statement[] = [
  { sid: 'Log', actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: ['logs'] },
  { sid: 'Trace', actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] },
];

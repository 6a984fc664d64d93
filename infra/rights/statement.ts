import type { QueueName } from '../../shared/events/queues.ts';
import type { IndexName } from '../../shared/table/definition.ts';

/** A resource of a statement. The stacks map resources to ARNs, and the tests map requests to resources. */
export type Resource =
  | 'table'
  | `table/index/${IndexName}`
  | 'table/stream'
  | `queue/${QueueName}`
  | 'relay-dead-letters'
  /** The dead-letter queue of the schedule with this policy. */
  | 'schedule-dead-letters'
  | 'keyring'
  | 'keyring-key'
  /** The secret with the tokens that the front may send. */
  | 'origin-token'
  | 'data-key'
  | 'seal-key'
  /** The bucket, and the objects below its prefixes. */
  | 'files'
  | 'files/incoming'
  | 'files/documents'
  | 'files/exports'
  | 'files/mail'
  | 'files-key'
  | 'logs'
  /** The SES identities of the sender: the address and its domain. */
  | 'mail-from/address'
  | 'mail-from/domain'
  /** All SES identities in the AWS account and region. */
  | 'mail-identities'
  /** All configuration sets of SES in the AWS account and region. */
  | 'configuration-sets'
  /** Phone numbers, which have no ARN: every resource except the topics of SNS. */
  | 'phone-numbers'
  /** All resources, for actions that AWS cannot limit to a resource. */
  | '*';

/** A statement of a function's policy. The stacks deploy the policy. Tests compare the policy with actual requests. */
export interface Statement {
  sid: string;
  /** In IAM's format: `dynamodb:Query`. */
  actions: readonly string[];
  resources: readonly Resource[];
  /** Limits the statement to partition keys that match a pattern. Patterns contain IAM's wildcards `*` and `?`. */
  leadingKeys?: readonly string[];
  /** Limits the statement to decryption of the keyring by Secrets Manager. */
  onlyForKeyring?: true;
  /** Limits the statement to encryption contexts that contain only an account and this stage. */
  onlyForAccounts?: true;
  /** Limits the statement to encryption and decryption that S3 performs for files in the bucket. */
  onlyForFiles?: true;
  /** Limits the statement to mail from the address of `mailFrom`. */
  onlyFromSender?: true;
}

/**
 * Returns a statement for items whose partition key matches a pattern. `actions` omit the prefix `dynamodb:`.
 */
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

export const unwrapsDataKeys: Statement = {
  sid: 'UnwrapDataKeys',
  actions: ['kms:Decrypt'],
  resources: ['data-key'],
  onlyForAccounts: true,
};

/** The statements for the keyring, which signs and verifies. */
export const readsKeyring: readonly Statement[] = [
  { sid: 'ReadSecret', actions: ['secretsmanager:GetSecretValue'], resources: ['keyring'] },
  { sid: 'DecryptSecret', actions: ['kms:Decrypt'], resources: ['keyring-key'], onlyForKeyring: true },
];

export const everyFunction: readonly Statement[] = [
  { sid: 'Log', actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: ['logs'] },
  { sid: 'Trace', actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] },
];

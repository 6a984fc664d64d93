import { parents } from '../../events/cleanup/parents.ts';
import type { Schedule } from '../../events/schedule.ts';
import { type QueueName, queueNames, triggerQueues } from '../../shared/events/queues.ts';
import { auditedNouns } from '../../shared/integrity/audit/audited-nouns.ts';
import { partitions } from './partitions.ts';
import { everyFunction, onItems, type Statement, unwrapsDataKeys } from './statement.ts';

/** The policy of the relay: Lambda reads the stream in its name, and it sends to the queues. */
export const relayStatements: readonly Statement[] = [
  ...everyFunction,
  {
    sid: 'ReadStream',
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'],
    resources: ['table/stream'],
  },
  { sid: 'FindStream', actions: ['dynamodb:ListStreams'], resources: ['*'] },
  {
    sid: 'SendMessages',
    actions: ['sqs:SendMessage'],
    resources: [...queueNames.map((name) => `queue/${name}` as const), 'relay-dead-letters'],
  },
];

/**
 * The policy of a queue's consumer: Lambda takes messages in its name, and it does its work. A stage whose mail comes from
 * nobody gives no right to send any.
 */
export const consumerStatements = (queue: QueueName, { sendsMail = true } = {}): Statement[] => [
  ...everyFunction,
  {
    sid: 'TakeMessages',
    actions: [
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:ChangeMessageVisibility',
      'sqs:GetQueueAttributes',
    ],
    resources: [`queue/${queue}`],
  },
  ...work[queue].filter((statement) => sendsMail || statement !== sendsMailOut),
];

/** Sends trigger messages. */
const sendsTriggers: Statement = {
  sid: 'SendTriggers',
  actions: ['sqs:SendMessage'],
  resources: triggerQueues.map((queue) => `queue/${queue}` as const),
};

/** What opens entries of work queues, and works them. */
const writesWorkQueues: Statement = onItems(
  'WriteWorkQueues',
  ['BatchGetItem', 'GetItem', 'Query', 'PutItem', 'DeleteItem'],
  [partitions.workQueues],
);

/** What tells events to users: who wants to hear of them and may, their inboxes, the account's portal for links. */
const notifiesUsers: readonly Statement[] = [
  onItems('FindSubscribers', ['Query'], [partitions.subscribers]),
  onItems(
    'ReadMembers',
    ['BatchGetItem'],
    [partitions.recordsOf('MEMBER'), partitions.roles, partitions.users],
  ),
  onItems('FillInboxes', ['BatchGetItem', 'PutItem', 'UpdateItem'], [partitions.inboxes]),
  // The key of an account itself begins like every other of its keys.
  onItems('ReadAccount', ['GetItem'], [partitions.accounts]),
];

/** What puts events into the log of an account. */
const emitsEvents: readonly Statement[] = [
  onItems('EmitEvents', ['PutItem'], [partitions.events]),
  onItems('CountEvents', ['UpdateItem'], [partitions.totals]),
];

/** Whether a function with this policy opens sensitive values, and so needs the name of the key. */
export const opensValues = (statements: readonly Statement[]): boolean =>
  statements.some(({ resources }) => resources.includes('data-key'));

/** Whether a function with this policy signs seals, and so needs the name of the key. */
export const signsSeals = (statements: readonly Statement[]): boolean =>
  statements.some(({ resources }) => resources.includes('seal-key'));

/** What seals events. The key signs for nobody else, and no function can read it. */
const sealsEvents: readonly Statement[] = [
  { sid: 'SignSeals', actions: ['kms:Sign', 'kms:GetPublicKey'], resources: ['seal-key'] },
  onItems('WriteSeals', ['GetItem', 'PutItem', 'BatchWriteItem'], [partitions.seals, partitions.sealHeads]),
];

/** What collects events for digests. */
const fillsDigests: Statement = onItems(
  'FillDigests',
  ['BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
  [partitions.digests],
);

const sendsMailOut: Statement = {
  sid: 'SendMail',
  actions: ['ses:SendEmail'],
  resources: ['mail-from/address', 'mail-from/domain'],
};

/** What sends mail and text messages: how much was sent, digests and their events, and tokens that reset a password. */
const sendsMessages: readonly Statement[] = [
  onItems('CountMessages', ['UpdateItem'], [partitions.sendings]),
  onItems('ReadDigests', ['Query'], [partitions.digests]),
  onItems('ReadEvents', ['BatchGetItem'], [partitions.events]),
  onItems('FindUsers', ['GetItem'], [partitions.emails]),
  onItems('MintResetTokens', ['PutItem'], [partitions.passwordTokens]),
  { sid: 'SendText', actions: ['sns:Publish'], resources: ['*'] },
  sendsMailOut,
];

/** Reports whether a function with this policy needs the URLs of the trigger queues. */
export const needsTriggerQueues = (statements: readonly Statement[]): boolean =>
  statements.includes(sendsTriggers);

/**
 * The policy of a schedule: of all there is it may touch the items of accounts, which it finds by what is due. Lambda sends the
 * runs that failed to the dead letters in its name.
 */
export const scheduleStatements = (schedule: Pick<Schedule, 'sendsTriggers'>): Statement[] => [
  ...everyFunction,
  { sid: 'FindDue', actions: ['dynamodb:Query'], resources: ['table/index/due'] },
  onItems(
    'Sweep',
    ['Query', 'GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    [partitions.accounts, partitions.sweepPlaces],
  ),
  { sid: 'GiveUp', actions: ['sqs:SendMessage'], resources: ['schedule-dead-letters'] },
  ...(schedule.sendsTriggers ? [sendsTriggers] : []),
];

const work: Record<QueueName, readonly Statement[]> = {
  /** Entries lie in the partitions of their records, and it reads and writes nothing else. */
  audit: [
    onItems(
      'KeepAuditLogs',
      ['GetItem', 'BatchWriteItem', 'Query'],
      Object.values(auditedNouns).map(partitions.recordsOf),
    ),
  ],
  /** It sees that a record is gone before it removes the children, and writes nothing but in their partitions. */
  cleanup: [
    onItems(
      'ReadTombstones',
      ['GetItem'],
      Object.values(parents).map(({ noun }) => partitions.recordsOf(noun)),
    ),
    onItems(
      'RemoveChildren',
      ['BatchWriteItem', 'Query'],
      Object.values(parents).flatMap(({ noun, childKinds }) =>
        childKinds.map((kind) => partitions.childrenOf(noun, kind)),
      ),
    ),
    {
      sid: 'RemoveFiles',
      actions: ['s3:DeleteObject'],
      resources: ['files/incoming', 'files/documents'],
    },
  ],
  notifications: [sendsTriggers, writesWorkQueues, ...notifiesUsers, fillsDigests],
  webhooks: [
    sendsTriggers,
    writesWorkQueues,
    onItems('ReadSubscriptions', ['GetItem'], [partitions.webhookSubscriptions]),
    onItems('FindEvents', ['GetItem'], [partitions.events]),
  ],
  deliveries: [
    sendsTriggers,
    writesWorkQueues,
    onItems(
      'ReadDeliveries',
      ['GetItem', 'Query'],
      [partitions.webhooks, partitions.dataKeys, partitions.events],
    ),
    unwrapsDataKeys,
    /** How a webhook fares, and that the service disabled it. */
    onItems('KeepHealth', ['PutItem', 'DeleteItem'], [partitions.webhooks]),
    onItems('Disable', ['UpdateItem'], [partitions.webhookSubscriptions, partitions.workQueues]),
    ...emitsEvents,
  ],
  jobs: [
    sendsTriggers,
    writesWorkQueues,
    ...notifiesUsers,
    fillsDigests,
    ...sendsMessages,
    onItems(
      'RewriteSubscribers',
      ['GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
      [partitions.subscribers],
    ),
    onItems('RecoverDeliveries', ['GetItem', 'Query'], [partitions.webhooks, partitions.events]),
    onItems('MarkWorkQueuesDue', ['UpdateItem'], [partitions.workQueues]),
    onItems('WriteTriggers', ['PutItem'], [partitions.triggers]),
    ...emitsEvents,
    ...sealsEvents,
  ],
};

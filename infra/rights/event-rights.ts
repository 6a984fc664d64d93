import type { Schedule } from '../../events/schedule.ts';
import { closingNoun } from '../../shared/accounts/keys.ts';
import { messageChannels } from '../../shared/channels/channels.ts';
import { accountTypes } from '../../shared/child-accounts/store.ts';
import { healthCheckAccount } from '../../shared/events/health-check.ts';
import { eventPartition } from '../../shared/events/keys.ts';
import { type QueueName, queueNames, type TriggerQueue, triggerQueues } from '../../shared/events/queues.ts';
import { typesInOnePartition } from '../../shared/messaging/messages/news-of.ts';
import {
  auditedNouns,
  parents,
  reachedRecords,
  searchedNouns,
  subjectNouns,
} from '../../shared/resources/derived.ts';
import type { ReachedType } from '../../shared/resources/registry.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import type { ListedNoun } from '../../shared/table/keys.ts';
import { workQueueNoun } from '../../shared/work-queue/store.ts';
import { partitions } from './partitions.ts';
import { everyFunction, onItems, readsKeyring, type Statement, unwrapsDataKeys } from './statement.ts';

/** The policy of the relay. It includes the stream, because Lambda reads the stream with the relay's role. */
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
 * The policy of a consumer. It includes the queue, because Lambda receives the messages with the consumer's
 * role. `sendsMail` is true if the stage sends mail.
 */
export const consumerStatements = (queue: QueueName, { sendsMail = true } = {}): Statement[] => [
  ...everyFunction,
  {
    sid: 'ReceiveMessages',
    actions: [
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:ChangeMessageVisibility',
      'sqs:GetQueueAttributes',
    ],
    resources: [`queue/${queue}`],
  },
  ...consumerWork[queue].filter(
    ({ resources, onlyFromSender }) =>
      sendsMail || !(resources.includes('mail-from/address') || onlyFromSender),
  ),
];

/** The statement for triggering work queues, by the SQS queues that receive the trigger messages. */
const sendsTriggers = (...queues: readonly TriggerQueue[]): Statement => ({
  sid: 'SendTriggers',
  actions: ['sqs:SendMessage'],
  resources: queues.map((queue) => `queue/${queue}` as const),
});

const writesWorkQueues: Statement = onItems(
  'WriteWorkQueues',
  ['BatchGetItem', 'GetItem', 'Query', 'PutItem', 'DeleteItem'],
  [partitions.workQueues],
);

const readsMembers: Statement = onItems(
  'ReadMembers',
  ['BatchGetItem'],
  [partitions.recordsOf('MEMBER'), partitions.roles, partitions.users],
);

const readsAccount: Statement = onItems('ReadAccount', ['GetItem'], [partitions.accountRecords]);

/** The statements for notifying users: find subscribers, read their permissions, and fill their inboxes. */
const notifiesUsers: readonly Statement[] = [
  onItems('FindSubscribers', ['Query'], [partitions.subscribers]),
  readsMembers,
  // A user whose permission is limited to some records is notified only of records that the user reaches.
  onItems(
    'ReadSubjects',
    ['BatchGetItem'],
    (Object.keys(reachedRecords) as ReachedType[]).map((type) => partitions.recordsOf(subjectNouns[type])),
  ),
  onItems('FillInboxes', ['BatchGetItem', 'PutItem', 'UpdateItem'], [partitions.inboxes]),
  // The account's record contains the portal's URL.
  readsAccount,
];

const emitsEvents: readonly Statement[] = [
  onItems('EmitEvents', ['PutItem'], [partitions.events]),
  onItems('CountEvents', ['UpdateItem'], [partitions.totals]),
];

/** The statements for `emitCronTriggered`. */
const emitsCronTriggered: readonly Statement[] = [
  onItems('MarkHours', ['UpdateItem'], [partitions.schedules]),
  ...emitsEvents,
];

/** Reports whether a function with this policy needs the name of the data key. */
export const opensValues = (statements: readonly Statement[]): boolean =>
  statements.some(({ resources }) => resources.includes('data-key'));

/** Reports whether a function with this policy needs the id of the secret with the keyring. */
export const usesKeyring = (statements: readonly Statement[]): boolean =>
  statements.some(({ resources }) => resources.includes('keyring'));

/** Reports whether a function with this policy needs the name of the seal key. */
export const signsSeals = (statements: readonly Statement[]): boolean =>
  statements.some(({ resources }) => resources.includes('seal-key'));

/** Only the consumer of `sealing` may use the seal key. */
const sealsEvents: readonly Statement[] = [
  { sid: 'SignSeals', actions: ['kms:Sign', 'kms:GetPublicKey'], resources: ['seal-key'] },
  onItems('ReadEvents', ['Query'], [partitions.events]),
  onItems('WriteSeals', ['GetItem', 'PutItem', 'BatchWriteItem'], [partitions.seals, partitions.sealHeads]),
];

/** The statements for reassigning the records of a user, by rotation or to another user. */
const reassignsRecords: readonly Statement[] = [
  {
    sid: 'ListAssigned',
    actions: ['dynamodb:Query'],
    resources: ['table/index/holder', 'table/index/list'],
    leadingKeys: [
      partitions.recordsOf('LEAD'),
      partitions.recordsOf('TICKET'),
      partitions.listOf('LEADROTATION'),
      partitions.listOf('TICKETROTATION'),
    ],
  },
  onItems('CountAssigned', ['Query'], [partitions.totalsWithin]),
  onItems('ReadPolicies', ['GetItem'], [partitions.slaPolicies]),
  onItems(
    'Reassign',
    ['GetItem', 'PutItem'],
    (['LEAD', 'TICKET', 'APPLICATION', 'MERCHANT', 'TICKETROTATION', 'TICKETTYPE', 'MEMBER'] as const).map(
      partitions.recordsOf,
    ),
  ),
  onItems('FindOwned', ['Query'], [partitions.searchIndex]),
  onItems(
    'CountReassigned',
    ['UpdateItem'],
    [partitions.totalsWithin, partitions.recordsOf('LEADROTATION'), partitions.recordsOf('TICKETROTATION')],
  ),
];

const updatesSearchIndex: Statement = onItems(
  'UpdateSearchIndex',
  ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'DeleteItem'],
  [...Object.values(searchedNouns).map(partitions.recordsOf), partitions.searchIndex],
);

/** The statements for testing an underwriting rule with stored submissions. */
const testsRules: readonly Statement[] = [
  {
    sid: 'ListSubmissions',
    actions: ['dynamodb:Query'],
    resources: ['table/index/list'],
    leadingKeys: [
      partitions.recordsOf('SUBMISSION'),
      partitions.recordsOf('SUBMISSIONOUTCOME'),
      partitions.recordsOf('UNDERWRITINGRULE'),
    ],
  },
  onItems(
    'ReadResubmissions',
    ['Query'],
    [
      partitions.childrenOf('APPLICATION', 'SUBMISSION'),
      partitions.childrenOf('APPLICATION', 'SUBMISSIONOUTCOME'),
    ],
  ),
  onItems(
    'RecordTests',
    ['GetItem', 'PutItem', 'ConditionCheckItem'],
    [partitions.recordsOf('UNDERWRITINGRULE')],
  ),
];

/** The statements for reading uploaded files once, and for deleting them. */
const takesUploads: readonly Statement[] = [
  { sid: 'TakeUploads', actions: ['s3:GetObject', 's3:DeleteObject'], resources: ['files/incoming'] },
  { sid: 'DetectMissingUpload', actions: ['s3:ListBucket'], resources: ['files'] },
  { sid: 'DecryptUploads', actions: ['kms:Decrypt'], resources: ['files-key'], onlyForFiles: true },
];

/** The statements for importing uploaded bank statements. */
const importsStatements: readonly Statement[] = [
  ...takesUploads,
  onItems(
    'ImportStatements',
    ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'BatchWriteItem'],
    [partitions.bankStatements],
  ),
  onItems('RecordDays', ['Query', 'PutItem'], [partitions.statementDays]),
  onItems('FindInvoices', ['BatchGetItem'], [partitions.invoiceNumbers]),
  onItems(
    'RecordPayments',
    ['GetItem', 'PutItem', 'UpdateItem'],
    [partitions.recordsOf('INVOICE'), partitions.ledgers],
  ),
];

/** The statements for reading uploaded files of residuals. */
const readsResidualFiles: readonly Statement[] = [
  ...takesUploads,
  onItems(
    'ReadResidualFiles',
    ['GetItem', 'Query', 'PutItem', 'BatchWriteItem'],
    [partitions.recordsOf('RESIDUALFILE'), partitions.residuals.rows, partitions.residuals.months],
  ),
  onItems('FindMids', ['BatchGetItem'], [partitions.midNumbers]),
];

/** The statements for calculating, posting and reversing runs of residuals. */
const runsResiduals: readonly Statement[] = [
  onItems(
    'ReadResiduals',
    ['GetItem', 'Query'],
    [
      partitions.residuals.agreements,
      partitions.residuals.books,
      partitions.residuals.openAdjustments,
      partitions.residuals.results,
      partitions.residuals.lines,
      partitions.residuals.rows,
      partitions.recordsOf('RESIDUALRUN'),
      partitions.recordsOf('RESIDUALSTATEMENT'),
    ],
  ),
  onItems(
    'ReadResidualSums',
    ['BatchGetItem'],
    [
      partitions.residuals.balances,
      partitions.midNumbers,
      partitions.recordsOf('RESIDUALSTATEMENT'),
      partitions.recordsOf('RESIDUALADJUSTMENT'),
    ],
  ),
  onItems('StoreResults', ['BatchWriteItem'], [partitions.residuals.results, partitions.residuals.lines]),
  onItems(
    'PostStatements',
    ['PutItem', 'DeleteItem', 'UpdateItem'],
    [
      partitions.residuals.balances,
      partitions.residuals.books,
      partitions.residuals.openAdjustments,
      partitions.recordsOf('RESIDUALRUN'),
      partitions.recordsOf('RESIDUALSTATEMENT'),
      partitions.recordsOf('RESIDUALADJUSTMENT'),
      partitions.totalsWithin,
    ],
  ),
];

/** The statements for adding work items in a transaction: mark the work queue as due, and write its trigger. */
const triggersInTransactions: readonly Statement[] = [
  onItems('MarkWorkQueuesDue', ['UpdateItem'], [partitions.workQueues]),
  onItems('WriteTriggers', ['PutItem'], [partitions.triggers]),
];

/** The statements for requests to the partner, which may contain sensitive values and links to documents. */
const sendsToPartner: readonly Statement[] = [
  onItems('ReadDataKeys', ['GetItem'], [partitions.dataKeys]),
  unwrapsDataKeys,
  onItems('ReadConnection', ['GetItem', 'Query'], [partitions.partner]),
  onItems('WriteHealth', ['PutItem'], [partitions.partner]),
  onItems(
    'TransferApplications',
    ['GetItem', 'Query'],
    [
      ...(['APPLICATION', 'TICKET'] as const).map(partitions.recordsOf),
      partitions.childrenOf('APPLICATION', 'DOCUMENT'),
      partitions.childrenOf('TICKET', 'COMMENT'),
    ],
  ),
  // The partner downloads documents with links that this consumer signs.
  { sid: 'LinkFiles', actions: ['s3:GetObject'], resources: ['files/documents'] },
  { sid: 'DecryptFiles', actions: ['kms:Decrypt'], resources: ['files-key'], onlyForFiles: true },
];

/** The statements for a status of the partner, and for its notes: change applications, and create MIDs. */
const changesApplications: readonly Statement[] = [
  onItems(
    'ApplyPartnerEvents',
    ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    [
      ...(['APPLICATION', 'MERCHANT', 'MID'] as const).map(partitions.recordsOf),
      partitions.childrenOf('APPLICATION', 'NOTE'),
      partitions.quotas,
    ],
  ),
  onItems('TakeMids', ['BatchGetItem', 'PutItem'], [partitions.midNumbers]),
];

/** The statements for tickets that no request of a caller creates or changes, and for their rotations. */
const changesTickets: readonly Statement[] = [
  readsAccount,
  {
    sid: 'ListRotations',
    actions: ['dynamodb:Query'],
    resources: ['table/index/list'],
    leadingKeys: [partitions.listOf('TICKETROTATION')],
  },
  onItems('ReadMembers', ['GetItem', 'BatchGetItem'], [partitions.recordsOf('MEMBER')]),
  onItems(
    'ReadForTickets',
    ['GetItem'],
    [...(['TICKETROTATION', 'TICKETTYPE'] as const).map(partitions.recordsOf), partitions.slaPolicies],
  ),
];

/** The statements for the partner's events, which also create tickets and comments, and assign them by rotation. */
const appliesPartnerEvents: readonly Statement[] = [
  ...changesApplications,
  ...changesTickets,
  onItems('ReadCategories', ['GetItem'], [partitions.partnerCategories]),
  onItems('CountAssigned', ['UpdateItem'], [partitions.totalsWithin, partitions.recordsOf('TICKETROTATION')]),
  onItems(
    'CreatePartnerTickets',
    ['GetItem', 'PutItem', 'UpdateItem'],
    [
      ...(['TICKET', 'TICKETTYPEMAPPING'] as const).map(partitions.recordsOf),
      partitions.childrenOf('TICKET', 'COMMENT'),
      partitions.partnerTickets,
      partitions.ticketNumbers,
    ],
  ),
];

/** The statements for the checks of active domains, which may deactivate a domain. */
const checksDomains: Statement = onItems(
  'CheckDomains',
  ['Query', 'GetItem', 'PutItem', 'DeleteItem'],
  [partitions.vanityDomains, partitions.vanityDomainHolders, partitions.accountRecords],
);

/** The statements for registering mail domains at SES and checking them. */
const checksMailDomains: readonly Statement[] = [
  onItems(
    'CheckMailDomains',
    ['GetItem', 'PutItem', 'ConditionCheckItem'],
    [partitions.mailDomains, partitions.mailDomainHolders],
  ),
  {
    sid: 'RegisterMailDomains',
    actions: [
      'ses:CreateEmailIdentity',
      'ses:PutEmailIdentityMailFromAttributes',
      'ses:GetEmailIdentity',
      'ses:DeleteEmailIdentity',
    ],
    resources: ['mail-identities'],
  },
];

const fillsDigests: Statement = onItems(
  'FillDigests',
  ['BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
  [partitions.digests],
);

/** The statements for sending messages: count them, read their digests, events and users, and create password tokens. */
const sendsMessages: readonly Statement[] = [
  onItems('CountMessages', ['UpdateItem'], [partitions.sendings]),
  onItems('ReadDigests', ['Query'], [partitions.digests]),
  onItems('ReadEvents', ['GetItem', 'BatchGetItem'], [partitions.events]),
  // A digest omits events that were read in the inbox, and events of deleted records.
  onItems(
    'FindNews',
    ['BatchGetItem'],
    [
      partitions.inboxes,
      partitions.roles,
      ...Object.values(subjectNouns).map(partitions.recordsOf),
      ...typesInOnePartition.map((type) => partitions.listOf(subjectNouns[type])),
      ...Object.values(parents).flatMap(({ noun, childKinds }) =>
        childKinds.map((kind) => partitions.childrenOf(noun, kind)),
      ),
    ],
  ),
  onItems('FindUsers', ['GetItem'], [partitions.emails, partitions.users, partitions.recordsOf('MEMBER')]),
  onItems('CreatePasswordTokens', ['PutItem'], [partitions.passwordTokens]),
  ...messageChannels.flatMap((channel): Statement[] => ('right' in channel ? [channel.right] : [])),
  // In the sandbox of SES, recipients are verified identities, and SES requires the right to use them, too
  // (github.com/cloudposse/terraform-aws-ses/issues/40).
  { sid: 'SendInSandbox', actions: ['ses:SendEmail'], resources: ['mail-identities'], onlyFromSender: true },
];

/** The statements for received mails, which add comments and documents, and open tickets and leads. */
const receivesMail: readonly Statement[] = [
  ...changesTickets,
  {
    sid: 'ListLeadRotations',
    actions: ['dynamodb:Query'],
    resources: ['table/index/list'],
    leadingKeys: [partitions.listOf('LEADROTATION')],
  },
  onItems(
    'CountAssigned',
    ['UpdateItem'],
    [
      partitions.totalsWithin,
      partitions.recordsOf('LEADROTATION'),
      partitions.recordsOf('TICKETROTATION'),
      partitions.mailLimits,
    ],
  ),
  onItems(
    'ReadForMail',
    ['GetItem'],
    [
      ...(['MAILADDRESS', 'APPLICATION', 'TEAM', 'LEADROTATION'] as const).map(partitions.recordsOf),
      partitions.mailMessages,
      partitions.mailThreadIds,
      partitions.mailLimits,
    ],
  ),
  onItems(
    'ApplyMail',
    ['GetItem', 'PutItem', 'UpdateItem'],
    [
      ...(['MAIL', 'TICKET', 'LEAD'] as const).map(partitions.recordsOf),
      partitions.childrenOf('TICKET', 'COMMENT'),
      partitions.childrenOf('TICKET', 'INTERNALCOMMENT'),
      partitions.childrenOf('TICKET', 'DOCUMENT'),
      partitions.mailMessages,
      partitions.mailThreads,
      partitions.mailThreadIds,
      partitions.ticketNumbers,
      partitions.totals,
    ],
  ),
  // A mail to several accounts is copied, so that each account has an own raw mail.
  { sid: 'ReadAndCopyRawMail', actions: ['s3:GetObject', 's3:PutObject'], resources: ['files/mail'] },
  // Without this right, S3 returns 403 instead of 404 for a missing object.
  { sid: 'DetectMissingMail', actions: ['s3:ListBucket'], resources: ['files'] },
  { sid: 'StoreFiles', actions: ['s3:PutObject'], resources: ['files/documents'] },
  {
    sid: 'CopyFiles',
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: ['files-key'],
    onlyForFiles: true,
  },
  ...readsKeyring,
  // The automatic reply: the limits and blocked addresses, the mail, and its work item.
  onItems('ReadReplyLimits', ['BatchGetItem'], [partitions.mailLimits]),
  onItems('WriteReplies', ['GetItem', 'PutItem'], [partitions.mailLimits, partitions.workQueues]),
  ...triggersInTransactions,
];

/**
 * The statements for sending mails to customers: compose them with their documents and signed addresses, and record the outcomes
 * on the mails, their threads and their tickets.
 */
const sendsCustomerMail: readonly Statement[] = [
  ...readsKeyring,
  readsAccount,
  onItems('CountAttempts', ['UpdateItem'], [partitions.sendings]),
  onItems('ReadSenderDomains', ['GetItem'], [partitions.mailDomainNames, partitions.mailDomains]),
  onItems(
    'RecordOutcomes',
    ['GetItem', 'PutItem', 'UpdateItem'],
    [
      ...(['MAIL', 'TICKET'] as const).map(partitions.recordsOf),
      partitions.childrenOf('TICKET', 'CLOCK'),
      partitions.mailMessages,
      partitions.mailThreads,
      partitions.totalsWithin,
    ],
  ),
  onItems('ReadPolicies', ['GetItem'], [partitions.slaPolicies]),
  { sid: 'ReadDocuments', actions: ['s3:GetObject'], resources: ['files/documents'] },
  // Without this right, S3 returns 403 instead of 404 for a document that was deleted meanwhile.
  { sid: 'DetectDeletedDocument', actions: ['s3:ListBucket'], resources: ['files'] },
  { sid: 'DecryptDocuments', actions: ['kms:Decrypt'], resources: ['files-key'], onlyForFiles: true },
  {
    sid: 'SendCustomerMail',
    // For SendEmail with a raw message, SES checks the right `ses:SendRawEmail` (github.com/nodemailer/nodemailer/issues/1734).
    // It requires the right for the configuration set, too; see shared/channels/mail.ts.
    actions: ['ses:SendEmail', 'ses:SendRawEmail'],
    resources: ['mail-identities', 'configuration-sets'],
  },
];

/** The queues to which a function with this policy sends messages. The function needs their URLs. */
export const receivingQueues = (statements: readonly Statement[]): QueueName[] =>
  queueNames.filter((queue) =>
    statements.some(
      ({ actions, resources }) => actions.includes('sqs:SendMessage') && resources.includes(`queue/${queue}`),
    ),
  );

/**
 * The policy of a schedule. It includes the dead-letter queue, because Lambda uses the schedule's role to send failed
 * invocations to this queue.
 */
export const scheduleStatements = ({ uses }: Pick<Schedule, 'uses'>): Statement[] => [
  ...everyFunction,
  { sid: 'SendDeadLetters', actions: ['sqs:SendMessage'], resources: ['schedule-dead-letters'] },
  ...scheduleWork[uses],
];

/** The statements for the settings of child accounts, which also limit their roles and webhooks. */
const renewsAccounts: readonly Statement[] = [
  onItems('ReadAccounts', ['GetItem'], [partitions.accountRecords, partitions.recordsOf(accountTypes.noun)]),
  onItems('ListChildren', ['Query'], [partitions.childAccounts]),
  onItems(
    'RenewAccounts',
    ['PutItem', 'UpdateItem', 'ConditionCheckItem'],
    [
      partitions.accountRecords,
      partitions.recordsOf(accountTypes.noun),
      partitions.roles,
      partitions.webhookSubscriptions,
    ],
  ),
];

/** The statements for `sweepDue`: find the due records of a type, and store the position of the next sweep. */
const sweeps = (noun: ListedNoun): Statement[] => [
  {
    sid: 'FindDue',
    actions: ['dynamodb:Query'],
    resources: ['table/index/due'],
    leadingKeys: [partitions.dueOf(noun)],
  },
  onItems('StorePlaces', ['GetItem', 'PutItem', 'DeleteItem'], [partitions.sweepPlacesOf(noun)]),
];

const scheduleWork: Record<Schedule['uses'], readonly Statement[]> = {
  'health checks': [onItems('WriteHealthChecks', ['PutItem'], [eventPartition(healthCheckAccount)])],
  tickets: [
    ...sweeps(tickets.noun),
    onItems('ReadTickets', ['GetItem'], [partitions.recordsOf(tickets.noun)]),
    onItems('WriteTickets', ['PutItem'], [partitions.recordsOf(tickets.noun)]),
    ...emitsCronTriggered,
  ],
  'closed accounts': [
    ...sweeps(closingNoun),
    // An account's items, and the users of no other account, can be in any partition. So the erasure searches the table.
    { sid: 'SearchTable', actions: ['dynamodb:Scan'], resources: ['table'] },
    onItems(
      'EraseAccounts',
      [
        'GetItem',
        'BatchGetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'BatchWriteItem',
        'ConditionCheckItem',
      ],
      [
        partitions.accountRecords,
        partitions.ofAccounts,
        partitions.emails,
        partitions.passkeyHolders,
        partitions.passwordTokens,
        partitions.vanityDomainHolders,
        partitions.mailDomainHolders,
        partitions.accounts,
        partitions.erasedAccounts,
        partitions.replays,
      ],
    ),
    onItems('LeaveParents', ['Query'], [partitions.childAccounts]),
    {
      sid: 'WriteExports',
      actions: ['s3:PutObject', 's3:GetObject'],
      resources: ['files/exports'],
    },
    {
      sid: 'EncryptExports',
      actions: ['kms:GenerateDataKey', 'kms:Decrypt'],
      resources: ['files-key'],
      onlyForFiles: true,
    },
    {
      sid: 'FindFiles',
      actions: ['s3:ListBucketVersions', 's3:ListBucketMultipartUploads'],
      resources: ['files'],
    },
    {
      sid: 'RemoveFiles',
      actions: ['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:AbortMultipartUpload'],
      resources: ['files/mail', 'files/incoming', 'files/documents', 'files/exports'],
    },
  ],
  'work queues': [
    ...sweeps(workQueueNoun),
    onItems('PostponeSweeps', ['UpdateItem'], [partitions.workQueues]),
    sendsTriggers(...triggerQueues),
    ...emitsCronTriggered,
    onItems('ListAccounts', ['Query'], [partitions.accounts]),
    onItems('RecordIndexBuilds', ['BatchGetItem', 'UpdateItem'], [partitions.accountRecords]),
    {
      sid: 'ListIndexedRecords',
      actions: ['dynamodb:Query'],
      resources: ['table/index/list'],
      leadingKeys: Object.values(searchedNouns).map(partitions.listOf),
    },
    updatesSearchIndex,
  ],
};

/**
 * Returns the statements of a consumer that reads the items of several messages in one `BatchGetItem`. IAM allows a
 * request only if one statement contains all partition keys of the request (`ForAllValues` on
 * `dynamodb:LeadingKeys`), so one statement contains all partitions that are read in this way.
 */
function readsTogether(statements: readonly Statement[]): readonly Statement[] {
  const read = 'dynamodb:BatchGetItem';
  const readers = statements.filter(({ actions }) => actions.includes(read));
  return [
    onItems(
      'ReadTogether',
      ['BatchGetItem'],
      [...new Set(readers.flatMap(({ leadingKeys = [] }) => leadingKeys))],
    ),
    ...statements
      .map((statement) => ({ ...statement, actions: statement.actions.filter((action) => action !== read) }))
      .filter(({ actions }) => actions.length > 0),
  ];
}

const consumerWork: Record<QueueName, readonly Statement[]> = {
  /** Audit entries are stored in the partitions of their records. */
  audit: [
    onItems(
      'WriteAuditLogs',
      ['BatchGetItem', 'BatchWriteItem', 'Query'],
      Object.values(auditedNouns).map(partitions.recordsOf),
    ),
  ],
  /** The names of a record's index entries are stored in its partition. */
  search: [updatesSearchIndex],
  /** Before the consumer removes a record's children, it reads the tombstone of the record. */
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
    onItems('EraseBodies', ['BatchWriteItem', 'Query'], [partitions.bodies, partitions.bodiesOfRecords]),
    {
      sid: 'RemoveFiles',
      actions: ['s3:DeleteObject'],
      resources: ['files/incoming', 'files/documents'],
    },
  ],
  notifications: readsTogether([
    sendsTriggers('messages', 'jobs'),
    writesWorkQueues,
    ...notifiesUsers,
    onItems('FindErasedAccounts', ['BatchGetItem'], [partitions.accountRecords]),
    fillsDigests,
  ]),
  webhooks: readsTogether([
    sendsTriggers('deliveries', 'sealing'),
    writesWorkQueues,
    onItems('ReadSubscriptions', ['BatchGetItem'], [partitions.webhookSubscriptions]),
    onItems('FindEvents', ['GetItem'], [partitions.events]),
  ]),
  incoming: [...receivesMail, ...emitsEvents],
  deliveries: [
    sendsTriggers('deliveries', 'jobs'),
    writesWorkQueues,
    onItems(
      'ReadDeliveries',
      ['GetItem', 'Query'],
      [partitions.webhooks, partitions.webhookSubscriptions, partitions.dataKeys, partitions.events],
    ),
    onItems('ReadApiKeys', ['GetItem'], [partitions.apiKeys]),
    unwrapsDataKeys,
    onItems('WriteHealth', ['PutItem', 'DeleteItem'], [partitions.webhooks]),
    onItems('DisableWebhooks', ['UpdateItem'], [partitions.webhookSubscriptions, partitions.workQueues]),
    ...emitsEvents,
  ],
  partner: [
    sendsTriggers('partner'),
    writesWorkQueues,
    ...triggersInTransactions,
    ...sendsToPartner,
    ...appliesPartnerEvents,
    ...emitsEvents,
  ],
  messages: [
    sendsTriggers('messages'),
    writesWorkQueues,
    readsMembers,
    readsAccount,
    fillsDigests,
    ...sendsMessages,
  ],
  outgoing: [sendsTriggers('outgoing'), writesWorkQueues, ...sendsCustomerMail, ...emitsEvents],
  jobs: [
    sendsTriggers('deliveries', 'messages', 'jobs'),
    writesWorkQueues,
    ...triggersInTransactions,
    ...notifiesUsers,
    fillsDigests,
    onItems('FindUsers', ['GetItem'], [partitions.emails, partitions.users]),
    onItems(
      'RewriteSubscribers',
      ['GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
      [partitions.subscribers],
    ),
    onItems(
      'RecoverDeliveries',
      ['GetItem', 'Query'],
      [partitions.webhooks, partitions.webhookSubscriptions, partitions.events],
    ),
    ...reassignsRecords,
    ...testsRules,
    ...importsStatements,
    checksDomains,
    ...checksMailDomains,
    ...renewsAccounts,
    ...emitsEvents,
  ],
  residuals: [
    sendsTriggers('residuals'),
    writesWorkQueues,
    ...readsResidualFiles,
    ...runsResiduals,
    ...emitsEvents,
  ],
  sealing: [sendsTriggers('sealing'), writesWorkQueues, ...sealsEvents],
};

import {
  byteLengthOf,
  characters,
  inEach,
  itemsOf,
  type Limit,
  lengthOf,
  numberOf,
  objectOf,
  perOwner,
} from '../limit.ts';

const sqs = 'SQS';
const sqsPolicies =
  'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html';
const createQueue =
  'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html';
const queue = 'AWS::SQS::Queue';
const queuePolicy = 'AWS::SQS::QueuePolicy';

const ses = 'SES';
const sesQuotas = 'https://docs.aws.amazon.com/ses/latest/dg/quotas.html';
const sesReference = 'https://docs.aws.amazon.com/ses/latest/APIReference';
const receiptRule = 'AWS::SES::ReceiptRule';
const receiptRuleSet = 'AWS::SES::ReceiptRuleSet';
const configurationSet = 'AWS::SES::ConfigurationSet';

const scheduler = 'EventBridge Scheduler';
const createSchedule = 'https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html';
const schedule = 'AWS::Scheduler::Schedule';

const statementsOf = (policy: unknown) => itemsOf(objectOf(policy).Statement).map(objectOf);

/** A setting of a queue in seconds. */
const seconds = (counted: string, property: string, allowed: number): Limit => ({
  service: sqs,
  counted: `${counted}, seconds`,
  allowed,
  setting: true,
  kind: 'hard',
  source: createQueue,
  usages: inEach(queue, ({ properties }) => numberOf(properties[property])),
});

export const messagingLimits: readonly Limit[] = [
  {
    service: sqs,
    counted: 'policy of a queue, bytes',
    allowed: 8192,
    kind: 'hard',
    source: sqsPolicies,
    usages: inEach(queuePolicy, ({ properties, resolve }) =>
      byteLengthOf(resolve(properties.PolicyDocument)),
    ),
  },
  {
    service: sqs,
    counted: 'statements of a queue’s policy',
    allowed: 20,
    kind: 'hard',
    source: sqsPolicies,
    usages: inEach(queuePolicy, ({ properties }) => statementsOf(properties.PolicyDocument).length),
  },
  {
    service: sqs,
    counted: 'actions of a statement of a queue’s policy',
    allowed: 7,
    kind: 'hard',
    source: sqsPolicies,
    usages: inEach(queuePolicy, ({ properties }) =>
      Math.max(0, ...statementsOf(properties.PolicyDocument).map(({ Action }) => [Action].flat().length)),
    ),
  },
  {
    service: sqs,
    counted: 'name of a queue, characters',
    allowed: 80,
    kind: 'hard',
    source: createQueue,
    ...characters(queue, 'QueueName'),
  },
  {
    service: sqs,
    counted: 'size of a message, bytes',
    allowed: 1_048_576,
    setting: true,
    kind: 'hard',
    source: createQueue,
    usages: inEach(queue, ({ properties }) => numberOf(properties.MaximumMessageSize)),
  },
  seconds('retention of messages', 'MessageRetentionPeriod', 1_209_600),
  seconds('visibility timeout', 'VisibilityTimeout', 43_200),
  seconds('delay of messages', 'DelaySeconds', 900),
  {
    service: 'SNS',
    counted: 'name of a topic, characters',
    allowed: 256,
    kind: 'hard',
    source: 'https://docs.aws.amazon.com/sns/latest/api/API_CreateTopic.html',
    ...characters('AWS::SNS::Topic', 'TopicName'),
  },
  {
    service: ses,
    counted: 'name of a receipt rule set, characters',
    allowed: 64,
    kind: 'hard',
    source: `${sesReference}/API_CreateReceiptRuleSet.html`,
    ...characters(receiptRuleSet, 'RuleSetName'),
  },
  {
    service: ses,
    counted: 'name of a receipt rule, characters',
    allowed: 64,
    kind: 'hard',
    source: `${sesReference}/API_ReceiptRule.html`,
    usages: inEach(receiptRule, ({ properties, resolve }) =>
      lengthOf(resolve(objectOf(properties.Rule).Name)),
    ),
  },
  {
    service: ses,
    counted: 'rules of a receipt rule set',
    allowed: 200,
    kind: 'hard',
    source: sesQuotas,
    usages: perOwner(receiptRuleSet, receiptRule, 'RuleSetName'),
  },
  {
    service: ses,
    counted: 'recipients of a receipt rule',
    allowed: 500,
    kind: 'hard',
    source: sesQuotas,
    usages: inEach(receiptRule, ({ properties }) => itemsOf(objectOf(properties.Rule).Recipients).length),
  },
  {
    service: ses,
    counted: 'name of a configuration set, characters',
    allowed: 64,
    kind: 'hard',
    source: 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateConfigurationSet.html',
    ...characters(configurationSet, 'Name'),
  },
  {
    service: ses,
    counted: 'event destinations of a configuration set',
    allowed: 10,
    kind: 'hard',
    source: sesQuotas,
    usages: perOwner(configurationSet, 'AWS::SES::ConfigurationSetEventDestination', 'ConfigurationSetName'),
  },
  {
    service: scheduler,
    counted: 'name of a schedule, characters',
    allowed: 64,
    kind: 'hard',
    source: createSchedule,
    ...characters(schedule, 'Name'),
  },
  {
    service: scheduler,
    counted: 'description of a schedule, characters',
    allowed: 512,
    kind: 'hard',
    source: createSchedule,
    ...characters(schedule, 'Description'),
  },
  {
    service: scheduler,
    counted: 'expression of a schedule, characters',
    allowed: 256,
    kind: 'hard',
    source: createSchedule,
    ...characters(schedule, 'ScheduleExpression'),
  },
  {
    service: scheduler,
    counted: 'input of a schedule’s target, bytes',
    allowed: 262_144,
    kind: 'hard',
    source: createSchedule,
    usages: inEach(schedule, ({ properties, resolve }) => {
      const input = resolve(objectOf(properties.Target).Input);
      return lengthOf(input) === undefined ? undefined : byteLengthOf(input);
    }),
  },
  {
    service: scheduler,
    counted: 'retries of a schedule’s target',
    allowed: 185,
    setting: true,
    kind: 'hard',
    source: createSchedule,
    usages: inEach(schedule, ({ properties }) =>
      numberOf(objectOf(objectOf(properties.Target).RetryPolicy).MaximumRetryAttempts),
    ),
  },
];

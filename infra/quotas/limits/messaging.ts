import {
  byteLengthOf,
  characters,
  inEach,
  itemsOf,
  type Limit,
  type ListedLimit,
  lengthOf,
  limitsOf,
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
const seconds = (counted: string, property: string, allowed: number): ListedLimit => ({
  counted: `${counted}, seconds`,
  allowed,
  setting: true,
  usages: inEach(queue, ({ properties }) => numberOf(properties[property])),
});

export const messagingLimits: readonly Limit[] = [
  ...limitsOf(sqs, createQueue, [
    {
      counted: 'policy of a queue, bytes',
      allowed: 8192,
      source: sqsPolicies,
      usages: inEach(queuePolicy, ({ properties, resolve }) =>
        byteLengthOf(resolve(properties.PolicyDocument)),
      ),
    },
    {
      counted: 'statements of a queue’s policy',
      allowed: 20,
      source: sqsPolicies,
      usages: inEach(queuePolicy, ({ properties }) => statementsOf(properties.PolicyDocument).length),
    },
    {
      counted: 'actions of a statement of a queue’s policy',
      allowed: 7,
      source: sqsPolicies,
      usages: inEach(queuePolicy, ({ properties }) =>
        Math.max(0, ...statementsOf(properties.PolicyDocument).map(({ Action }) => [Action].flat().length)),
      ),
    },
    {
      counted: 'name of a queue, characters',
      allowed: 80,
      ...characters(queue, 'QueueName'),
    },
    {
      counted: 'size of a message, bytes',
      allowed: 1_048_576,
      setting: true,
      usages: inEach(queue, ({ properties }) => numberOf(properties.MaximumMessageSize)),
    },
    seconds('retention of messages', 'MessageRetentionPeriod', 1_209_600),
    seconds('visibility timeout', 'VisibilityTimeout', 43_200),
    seconds('delay of messages', 'DelaySeconds', 900),
  ]),
  ...limitsOf('SNS', 'https://docs.aws.amazon.com/sns/latest/api/API_CreateTopic.html', [
    {
      counted: 'name of a topic, characters',
      allowed: 256,
      ...characters('AWS::SNS::Topic', 'TopicName'),
    },
  ]),
  ...limitsOf(ses, sesQuotas, [
    {
      counted: 'name of a receipt rule set, characters',
      allowed: 64,
      source: `${sesReference}/API_CreateReceiptRuleSet.html`,
      ...characters(receiptRuleSet, 'RuleSetName'),
    },
    {
      counted: 'name of a receipt rule, characters',
      allowed: 64,
      source: `${sesReference}/API_ReceiptRule.html`,
      usages: inEach(receiptRule, ({ properties, resolve }) =>
        lengthOf(resolve(objectOf(properties.Rule).Name)),
      ),
    },
    {
      counted: 'rules of a receipt rule set',
      allowed: 200,
      usages: perOwner(receiptRuleSet, receiptRule, 'RuleSetName'),
    },
    {
      counted: 'recipients of a receipt rule',
      allowed: 500,
      usages: inEach(receiptRule, ({ properties }) => itemsOf(objectOf(properties.Rule).Recipients).length),
    },
    {
      counted: 'name of a configuration set, characters',
      allowed: 64,
      source: 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateConfigurationSet.html',
      ...characters(configurationSet, 'Name'),
    },
    {
      counted: 'event destinations of a configuration set',
      allowed: 10,
      usages: perOwner(
        configurationSet,
        'AWS::SES::ConfigurationSetEventDestination',
        'ConfigurationSetName',
      ),
    },
  ]),
  ...limitsOf(scheduler, createSchedule, [
    {
      counted: 'name of a schedule, characters',
      allowed: 64,
      ...characters(schedule, 'Name'),
    },
    {
      counted: 'description of a schedule, characters',
      allowed: 512,
      ...characters(schedule, 'Description'),
    },
    {
      counted: 'expression of a schedule, characters',
      allowed: 256,
      ...characters(schedule, 'ScheduleExpression'),
    },
    {
      counted: 'input of a schedule’s target, bytes',
      allowed: 262_144,
      usages: inEach(schedule, ({ properties, resolve }) => {
        const input = resolve(objectOf(properties.Target).Input);
        return lengthOf(input) === undefined ? undefined : byteLengthOf(input);
      }),
    },
    {
      counted: 'retries of a schedule’s target',
      allowed: 185,
      setting: true,
      usages: inEach(schedule, ({ properties }) =>
        numberOf(objectOf(objectOf(properties.Target).RetryPolicy).MaximumRetryAttempts),
      ),
    },
  ]),
];

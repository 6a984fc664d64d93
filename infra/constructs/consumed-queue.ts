import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { lagMetric } from '../../events/consumer.ts';
import { routing } from '../../events/routing.ts';
import { metricNamespace } from '../../shared/events/emit-metric.ts';
import { isTriggerQueue, type QueueName } from '../../shared/events/queues.ts';
import type { BundledFunction } from '../build/manifest.ts';
import { consumerStatements } from '../rights/event-rights.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import { BundledLambda } from './bundled-lambda.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { ExplainedAlarm } from './explained-alarm.ts';
import { type Arns, FunctionRole } from './function-role.ts';

/**
 * The visibility timeout as a multiple of the function's timeout. AWS recommends six, so that Lambda has time
 * to retry a throttled batch.
 */
const visibilityFactor = 6;
/**
 * The number of receives after which a message becomes a dead letter. AWS recommends at least five, because a
 * receive also counts if Lambda then throttles the invocation.
 */
const maxReceiveCount = 5;

interface ConsumedQueueProps {
  stage: StageSettings;
  name: QueueName;
  alarmTopic: ITopic;
}

interface QueueConsumerProps {
  bundle: BundledFunction;
  logGroup: ILogGroup;
  environment: Record<string, string>;
  /** The ARNs of all resources that the function uses, except the log group. */
  arns: Arns;
}

/** A queue with its consumer, its dead-letter queue and its alarms. */
export class ConsumedQueue extends Construct {
  readonly name: QueueName;
  readonly queue: Queue;
  private readonly stage: StageSettings;

  constructor(scope: Construct, id: string, { stage, name, alarmTopic }: ConsumedQueueProps) {
    super(scope, id);
    const { timeoutSeconds, deadLetter: description } = routing[name];
    const deadLetters = new DeadLetterQueue(this, 'DeadLetters', { stage, name, description, alarmTopic });
    this.stage = stage;
    this.name = name;
    this.queue = new Queue(this, 'Queue', {
      queueName: nameIn(stage, name),
      visibilityTimeout: Duration.seconds(visibilityFactor * timeoutSeconds),
      retentionPeriod: Duration.days(10),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      deadLetterQueue: { queue: deadLetters.queue, maxReceiveCount },
    });
    new ExplainedAlarm(this, 'Old', {
      name: nameIn(stage, `${name}-old`),
      description: `A message has waited in the queue ${name} for 15 minutes. The queue’s consumer fails or is too slow. Look for errors in the log group of the events stack.`,
      metric: this.queue.metricApproximateAgeOfOldestMessage({
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: Duration.minutes(15).toSeconds(),
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Lag', {
      name: nameIn(stage, `${name}-lag`),
      description: `In five minutes, the consumer of ${name} received no health check, or at least one health check was five minutes late. The schedule health-check, the relay or the consumer fails or is too slow.`,
      metric: new Metric({
        namespace: metricNamespace,
        metricName: lagMetric,
        dimensionsMap: { stage: stage.name, queue: name },
        statistic: 'Maximum',
        period: Duration.minutes(5),
      }),
      threshold: Duration.minutes(5).toSeconds(),
      missingDataBreaches: true,
      alarmTopic,
    });
  }

  /** Adds the consumer. All queues to which the consumer may send must already exist. */
  addConsumer({ bundle, logGroup, environment, arns }: QueueConsumerProps): void {
    const { name, stage } = this;
    const { timeoutSeconds, concurrency, batchSize = 10 } = routing[name];
    const description = `Consumes the queue ${name}`;
    new BundledLambda(this, 'Function', {
      stage,
      bundle,
      description,
      role: new FunctionRole(this, 'Role', {
        description,
        statements: consumerStatements(name, { sendsMail: stage.mailFrom !== undefined }),
        arns: { ...arns, logs: logGroup.logGroupArn },
        stage,
      }),
      logGroup,
      timeout: Duration.seconds(timeoutSeconds),
      environment,
      // A worker triggers its own work queue again while work remains. By default, Lambda stops such a chain after about 16
      // runs, and the message becomes a dead letter (docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html).
      ...(isTriggerQueue(name) && { recursiveLoop: RecursiveLoop.ALLOW }),
    }).addEventSourceMapping('Source', {
      eventSourceArn: this.queue.queueArn,
      batchSize,
      // Reserved concurrency would be worse: Lambda would throttle the function after messages are received,
      // and SQS would count these receives toward `maxReceiveCount`.
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
  }
}

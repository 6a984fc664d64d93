import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { lagMetric } from '../../events/consumer.ts';
import { routing } from '../../events/routing.ts';
import { metricNamespace } from '../../shared/events/emit-metric.ts';
import type { QueueName } from '../../shared/events/queues.ts';
import type { BundledFunction } from '../build/manifest.ts';
import { consumerStatements } from '../rights/event-rights.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import { BundledLambda } from './bundled-lambda.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { ExplainedAlarm } from './explained-alarm.ts';
import { type Arns, FunctionRole } from './function-role.ts';

/** AWS asks for six times the function's timeout, so that a batch that was throttled is not seen twice. */
const visibilityTimeouts = 6;
/** AWS asks for five at least: throttles count as receives. */
const receives = 5;

interface ConsumedQueueProps {
  stage: StageSettings;
  name: QueueName;
  alarmTopic: ITopic;
}

interface QueueConsumerProps {
  bundle: BundledFunction;
  logGroup: ILogGroup;
  environment: Record<string, string>;
  /** Where to find what the function uses beside its queue. */
  arns: Arns;
}

/** A queue and everything that belongs to it: the function behind it, its dead letters and their alarms. */
export class ConsumedQueue extends Construct {
  readonly name: QueueName;
  readonly queue: Queue;
  private readonly stage: StageSettings;

  constructor(scope: Construct, id: string, { stage, name, alarmTopic }: ConsumedQueueProps) {
    super(scope, id);
    const { timeoutSeconds, deadLetter: meaning } = routing[name];
    const deadLetters = new DeadLetterQueue(this, 'DeadLetters', { stage, name, meaning, alarmTopic });
    this.stage = stage;
    this.name = name;
    this.queue = new Queue(this, 'Queue', {
      queueName: nameIn(stage, name),
      visibilityTimeout: Duration.seconds(visibilityTimeouts * timeoutSeconds),
      retentionPeriod: Duration.days(10),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      deadLetterQueue: { queue: deadLetters.queue, maxReceiveCount: receives },
    });
    new ExplainedAlarm(this, 'Old', {
      name: nameIn(stage, `${name}-old`),
      meaning: `A message has waited in the queue ${name} for 15 minutes: its consumer fails or cannot keep up. Look for errors in the events logs.`,
      metric: this.queue.metricApproximateAgeOfOldestMessage({
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: Duration.minutes(15).toSeconds(),
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Lag', {
      name: nameIn(stage, `${name}-lag`),
      meaning: `For five minutes no health check has come to the consumer of ${name}, or it came five minutes late: the schedule health-check, the relay or this consumer stands still or cannot keep up.`,
      metric: new Metric({
        namespace: metricNamespace,
        metricName: lagMetric,
        dimensionsMap: { stage: stage.name, queue: name },
        statistic: 'Maximum',
        period: Duration.minutes(5),
      }),
      threshold: Duration.minutes(5).toSeconds(),
      soundsWithout: true,
      alarmTopic,
    });
  }

  /** Puts the function behind the queue: once every queue is there that it may send to. */
  consumeBy({ bundle, logGroup, environment, arns }: QueueConsumerProps): void {
    const { name, stage } = this;
    const { timeoutSeconds, concurrency } = routing[name];
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
    }).addEventSourceMapping('Source', {
      eventSourceArn: this.queue.queueArn,
      batchSize: 10,
      // Reserved concurrency would throttle the poller instead, and each throttle is a receive.
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
  }
}

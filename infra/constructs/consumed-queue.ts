import { Duration } from 'aws-cdk-lib';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueName } from '../../events/routing.ts';
import type { BundledFunction } from '../build/manifest.ts';
import { consumerStatements } from '../rights/event-rights.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import { BundledLambda } from './bundled-lambda.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { type Arns, FunctionRole } from './function-role.ts';

const timeoutSeconds = 30;
/** AWS asks for six times the function's timeout, so that a batch that was throttled is not seen twice. */
const visibilitySeconds = 6 * timeoutSeconds;
/** AWS asks for five at least: throttles count as receives. */
const receives = 5;
/** Batches at once. Reserved concurrency would throttle the poller instead, and each throttle is a receive. */
const concurrency = 10;

interface ConsumedQueueProps {
  stage: StageSettings;
  name: QueueName;
  bundle: BundledFunction;
  logGroup: ILogGroup;
  environment: Record<string, string>;
  /** Where to find what the function uses beside its queue. */
  arns: Arns;
  alarmTopic: ITopic;
  /** What it means that one of its messages was given up, and what to do. */
  meaning: string;
}

/** A queue and everything that belongs to it: the function behind it, its dead letters and their alarm. */
export class ConsumedQueue extends Construct {
  readonly name: QueueName;
  readonly queue: Queue;

  constructor(scope: Construct, id: string, props: ConsumedQueueProps) {
    super(scope, id);
    const { stage, name, bundle, logGroup, environment, arns } = props;
    const deadLetters = new DeadLetterQueue(this, 'DeadLetters', props);
    this.name = name;
    this.queue = new Queue(this, 'Queue', {
      queueName: nameIn(stage, name),
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      retentionPeriod: Duration.days(4),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      deadLetterQueue: { queue: deadLetters.queue, maxReceiveCount: receives },
    });

    const description = `Consumes the queue ${name}`;
    new BundledLambda(this, 'Function', {
      stage,
      bundle,
      description,
      role: new FunctionRole(this, 'Role', {
        description,
        statements: consumerStatements(name),
        arns: { ...arns, [`queue/${name}`]: this.queue.queueArn, logs: logGroup.logGroupArn },
      }),
      logGroup,
      timeout: Duration.seconds(timeoutSeconds),
      environment,
    }).addEventSourceMapping('Source', {
      eventSourceArn: this.queue.queueArn,
      batchSize: 10,
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
  }
}

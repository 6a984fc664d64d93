import { Duration, Validations } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { nameIn, type StageSettings } from '../stages.ts';
import { ExplainedAlarm } from './explained-alarm.ts';

interface DeadLetterQueueProps {
  stage: StageSettings;
  /** What its messages were given up by, such as `audit`. */
  name: string;
  /** What it means that a message is in it, and what to do. */
  meaning: string;
  alarmTopic: ITopic;
}

/** Where messages wait that were given up, for as long as SQS keeps any, with an alarm from the first one on. */
export class DeadLetterQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage, name, meaning, alarmTopic }: DeadLetterQueueProps) {
    super(scope, id);
    const queueName = nameIn(stage, `${name}-dead-letters`);
    this.queue = new Queue(this, 'Queue', {
      queueName,
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is a dead-letter queue; the rule does not see that a stream mapping names it.',
    });
    new ExplainedAlarm(this, 'Alarm', {
      name: queueName,
      meaning,
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: 1,
      alarmTopic,
    });
  }
}

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

/** As long as SQS keeps any, from when a message was first sent to the queue that it died of. */
const keptDays = 14;
/**
 * The metric counts from when a message came to the dead letters, where it may have four days left (Amazon SQS, "Learn how to
 * set up a dead-letter queue"): this leaves one to look at it.
 */
const oldDays = 3;

/** Where messages wait that were given up, with an alarm from the first one on, and another before the oldest is deleted. */
export class DeadLetterQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage, name, meaning, alarmTopic }: DeadLetterQueueProps) {
    super(scope, id);
    const queueName = nameIn(stage, `${name}-dead-letters`);
    this.queue = new Queue(this, 'Queue', {
      queueName,
      retentionPeriod: Duration.days(keptDays),
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
    new ExplainedAlarm(this, 'Old', {
      name: `${queueName}-old`,
      meaning: `A dead letter of ${name} has been there for ${oldDays} days. SQS deletes it ${keptDays} days after it was first sent, which may be tomorrow: redrive or remove it before that.`,
      metric: this.queue.metricApproximateAgeOfOldestMessage({
        statistic: 'Maximum',
        period: Duration.hours(1),
      }),
      threshold: Duration.days(oldDays).toSeconds(),
      alarmTopic,
    });
  }
}

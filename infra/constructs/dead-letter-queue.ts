import { Duration, Validations } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { nameIn, type StageSettings } from '../stages.ts';
import { ExplainedAlarm } from './explained-alarm.ts';

interface DeadLetterQueueProps {
  stage: StageSettings;
  /** The source of the dead letters, for example `audit`. */
  name: string;
  /** The alarm's description: the meaning of a message in the queue, and the remedy. */
  description: string;
  alarmTopic: ITopic;
}

/**
 * The maximum retention of SQS, counted from the day on which a message was first sent. It includes up to ten
 * days in the source queue.
 */
const keptDays = 14;
/**
 * The age at which the second alarm is raised. CloudWatch measures the age from the time a message enters the
 * dead-letter queue. At this time, the message may have only four days left (Amazon SQS, "Learn how to set up
 * a dead-letter queue"). An alarm after three days leaves operators at least one day to react.
 */
const oldDays = 3;

/** A dead-letter queue with two alarms: for the first message, and before the oldest message is deleted. */
export class DeadLetterQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage, name, description, alarmTopic }: DeadLetterQueueProps) {
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
      reason: 'The rule does not recognize the dead-letter queues of stream mappings.',
    });
    new ExplainedAlarm(this, 'Alarm', {
      name: queueName,
      description,
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: 1,
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Old', {
      name: `${queueName}-old`,
      description: `A dead letter of ${name} is ${oldDays} days old. SQS deletes it ${keptDays} days after it was first sent, possibly tomorrow. Redrive or remove the dead letter before that.`,
      metric: this.queue.metricApproximateAgeOfOldestMessage({
        statistic: 'Maximum',
        period: Duration.hours(1),
      }),
      threshold: Duration.days(oldDays).toSeconds(),
      alarmTopic,
    });
  }
}

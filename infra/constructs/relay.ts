import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import type { BundledFunction } from '../build/manifest.ts';
import { relayStatements } from '../rights/event-rights.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import { BundledLambda } from './bundled-lambda.ts';
import type { ConsumedQueue } from './consumed-queue.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { ExplainedAlarm } from './explained-alarm.ts';
import { FunctionRole } from './function-role.ts';

interface RelayProps {
  stage: StageSettings;
  bundle: BundledFunction;
  logGroup: ILogGroup;
  /** The table's stream. */
  streamArn: string;
  /** The queues it feeds. */
  queues: ConsumedQueue[];
  alarmTopic: ITopic;
}

/** The function between the table's stream and the queues. It tries for 20 hours and then says what it gave up. */
export class Relay extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, bundle, logGroup, streamArn, queues, alarmTopic }: RelayProps,
  ) {
    super(scope, id);
    const deadLetters = new DeadLetterQueue(this, 'DeadLetters', {
      stage,
      name: 'relay',
      meaning:
        'Events did not reach their queues: a record holds no readable event, a queue took no message for 15 minutes, or 20 hours of attempts failed. Redrive them after the fix.',
      alarmTopic,
    });
    const description = 'Sends events from the stream of the table to the queues';
    const relay = new BundledLambda(this, 'Function', {
      stage,
      bundle,
      description,
      role: new FunctionRole(this, 'Role', {
        description,
        statements: relayStatements,
        arns: {
          ...Object.fromEntries(queues.map(({ name, queue }) => [`queue/${name}`, queue.queueArn])),
          'table/stream': streamArn,
          'relay-dead-letters': deadLetters.queue.queueArn,
          logs: logGroup.logGroupArn,
        },
      }),
      logGroup,
      timeout: Duration.seconds(60),
      environment: {
        ...Object.fromEntries(queues.map(({ name, queue }) => [queueUrlVariable(name), queue.queueUrl])),
        RELAY_DEAD_LETTER_URL: deadLetters.queue.queueUrl,
      },
    });
    relay.addEventSourceMapping('Source', {
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { type: { S: FilterRule.or('event', 'wake') } } },
        }),
      ],
      batchSize: 100,
      // A shard gives up to 1,000 records a second; four batches of 100 at once outrun it even at 200 ms each.
      parallelizationFactor: 4,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // The stream keeps a record for 24 hours: retries end by age, four hours before that.
      maxRecordAge: Duration.hours(20),
      retryAttempts: -1,
      onFailure: new SqsDlq(deadLetters.queue),
    });
    new ExplainedAlarm(this, 'Behind', {
      name: nameIn(stage, 'relay-behind'),
      meaning:
        'Events reach their queues five minutes late or later: the relay fails or cannot keep up. Nothing is lost for 20 hours.',
      metric: relay.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(1) }),
      threshold: Duration.minutes(5).toMilliseconds(),
      alarmTopic,
    });
  }
}

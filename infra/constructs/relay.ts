import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { relayedTypes } from '../../events/queue-messages.ts';
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
  streamArn: string;
  queues: ConsumedQueue[];
  alarmTopic: ITopic;
}

/** The relay sends events from the table's stream to the queues. Lambda retries for 20 h, then sends a dead letter. */
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
      description:
        'Events did not reach their queues: a record has no readable event, a queue accepted no message for 15 minutes, or retries failed for 20 hours. Fix the cause, then redrive the dead letters.',
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
          dynamodb: { NewImage: { type: { S: FilterRule.or(...relayedTypes) } } },
        }),
      ],
      batchSize: 100,
      // A shard receives at most 1,000 records per second. Four parallel batches of 100 records can process
      // them, even at 400 ms per batch.
      parallelizationFactor: 4,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // The stream keeps records for 24 hours. Retries end four hours earlier. The number of retries is not limited.
      maxRecordAge: Duration.hours(20),
      retryAttempts: -1,
      onFailure: new SqsDlq(deadLetters.queue),
    });
    new ExplainedAlarm(this, 'Behind', {
      name: nameIn(stage, 'relay-behind'),
      description:
        'Events reach their queues at least five minutes late. The relay fails or is too slow. Retries end after 20 hours.',
      metric: relay.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(1) }),
      threshold: Duration.minutes(5).toMilliseconds(),
      alarmTopic,
    });
  }
}

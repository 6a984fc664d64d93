import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type QueueName, queueNames } from '../../events/routing.ts';
import type { Manifest } from '../build/manifest.ts';
import { ConsumedQueue } from '../constructs/consumed-queue.ts';
import { Relay } from '../constructs/relay.ts';
import { ScheduledFunction } from '../constructs/scheduled-function.ts';
import { StageLogs } from '../constructs/stage-logs.ts';
import { consumerStatements } from '../rights/event-rights.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';

/** What it means when one of a queue's messages is given up. */
const meanings: Record<QueueName, string> = {
  audit:
    'An audit entry could not be written: the audit log of a lead or an application lacks it until the message is redriven.',
  cleanup:
    'What belonged to a deleted application, merchant, ticket or file could not be removed: it stays until the message is redriven.',
};

/** Whether the consumer of a queue has a right to files. */
const touchesFiles = (queue: QueueName): boolean =>
  consumerStatements(queue).some(({ resources }) => resources.some((name) => name.startsWith('files/')));

interface EventsProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  manifest: Manifest;
}

/**
 * Everything that follows from an event or from the clock: the relay behind the table's stream, the queues that it feeds, and
 * the schedules.
 */
export class EventsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, manifest, ...props }: EventsProps) {
    super(scope, id, props);
    const logGroup = new StageLogs(this, 'Logs', { stage, logGroupName: `/${nameIn(stage)}/events` });
    const queues = queueNames.map((name) => {
      const bundle = manifest.consumers.find(({ queue }) => queue === name);
      if (!bundle) throw new Error(`The build made no function for the queue "${name}".`);
      return new ConsumedQueue(this, name, {
        stage,
        name,
        bundle,
        logGroup,
        environment: {
          TABLE_NAME: data.tableName,
          ...(touchesFiles(name) && { BUCKET_NAME: data.bucketName }),
        },
        arns: data.arns,
        alarmTopic: data.alarmTopic,
        meaning: meanings[name],
      });
    });
    for (const bundle of manifest.schedules)
      new ScheduledFunction(this, bundle.schedule, {
        stage,
        bundle,
        logGroup,
        environment: { TABLE_NAME: data.tableName },
        arns: data.arns,
        alarmTopic: data.alarmTopic,
      });
    new Relay(this, 'relay', {
      stage,
      bundle: manifest.relay,
      logGroup,
      streamArn: data.streamArn,
      queues,
      alarmTopic: data.alarmTopic,
    });
  }
}

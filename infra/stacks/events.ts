import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import { sealLag } from '../../shared/integrity/event-seals/turns.ts';
import type { Manifest } from '../build/manifest.ts';
import { ConsumedQueue } from '../constructs/consumed-queue.ts';
import { CustomerMail } from '../constructs/customer-mail.ts';
import { ExplainedAlarm } from '../constructs/explained-alarm.ts';
import type { Arns } from '../constructs/function-role.ts';
import { Relay } from '../constructs/relay.ts';
import { emittedMetric, ScheduledFunction } from '../constructs/scheduled-function.ts';
import { logGroupOf, StageLogs } from '../constructs/stage-logs.ts';
import {
  consumerStatements,
  opensValues,
  receivingQueues,
  scheduleStatements,
  signsSeals,
  usesKeyring,
} from '../rights/event-rights.ts';
import type { Statement } from '../rights/statement.ts';
import { nameIn, type StageSettings, senderAddressOf } from '../stages.ts';
import type { DataStack } from './data.ts';

const usesFiles = (statements: readonly Statement[]): boolean =>
  statements.some(({ resources }) => resources.some((name) => name.startsWith('files/')));

/** The identities of SES, those of the stage's sender address, and the configuration sets that they may use. */
function sesArns(stack: Stack, stage: StageSettings): Arns {
  const address = senderAddressOf(stage);
  const arn = (resource: string, resourceName: string) =>
    stack.formatArn({ service: 'ses', resource, resourceName });
  return {
    'mail-identities': arn('identity', '*'),
    'configuration-sets': arn('configuration-set', '*'),
    ...(address !== undefined && {
      'mail-from/address': arn('identity', address),
      'mail-from/domain': arn('identity', address.slice(address.indexOf('@') + 1)),
    }),
  };
}

interface EventsProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  manifest: Manifest;
}

/** The relay of the table's stream, the queues with their consumers, and the schedules. */
export class EventsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, manifest, ...props }: EventsProps) {
    super(scope, id, props);
    const logGroup = new StageLogs(this, 'Logs', { stage, logGroupName: logGroupOf(stage, 'events') });
    const { alarmTopic } = data;
    const queues = queueNames.map((name) => new ConsumedQueue(this, name, { stage, name, alarmTopic }));
    const arns = {
      ...data.arns,
      ...sesArns(this, stage),
      ...Object.fromEntries(queues.map(({ name, queue }) => [`queue/${name}`, queue.queueArn])),
    };
    const queueUrls = (statements: readonly Statement[]): Record<string, string> => {
      const names = receivingQueues(statements);
      return Object.fromEntries(
        queues
          .filter(({ name }) => names.includes(name))
          .map(({ name, queue }) => [queueUrlVariable(name), queue.queueUrl]),
      );
    };
    for (const queue of queues) {
      const { name } = queue;
      const bundle = manifest.consumers.find((consumer) => consumer.queue === name);
      if (!bundle) throw new Error(`The queue "${name}" has no consumer in the build.`);
      queue.addConsumer({
        bundle,
        logGroup,
        environment: {
          TABLE_NAME: data.tableName,
          ...(usesFiles(consumerStatements(name)) && { BUCKET_NAME: data.bucketName }),
          ...queueUrls(consumerStatements(name)),
          ...(opensValues(consumerStatements(name)) && { DATA_KEY_ID: data.dataKeyAlias }),
          ...(signsSeals(consumerStatements(name)) && { SEAL_KEY_ID: data.sealKeyAlias }),
          ...(usesKeyring(consumerStatements(name)) && { SECRET_ID: data.secretName }),
        },
        arns,
      });
    }
    const incoming = queues.find(({ name }) => name === 'incoming');
    if (stage.mailDomain !== undefined && incoming)
      new CustomerMail(this, 'Mail', {
        stage,
        domain: stage.mailDomain,
        bucketName: data.bucketName,
        queue: incoming.queue,
      });
    for (const bundle of manifest.schedules)
      new ScheduledFunction(this, bundle.schedule, {
        stage,
        bundle,
        logGroup,
        environment: {
          TABLE_NAME: data.tableName,
          ...(usesFiles(scheduleStatements(bundle)) && { BUCKET_NAME: data.bucketName }),
          ...queueUrls(scheduleStatements(bundle)),
        },
        arns,
        alarmTopic,
      });
    new ExplainedAlarm(this, 'SealLag', {
      name: nameIn(stage, 'seal-lag'),
      description: `An event was sealed at least ${sealLag.minutes} minutes late, or is this late and still not sealed. Look for "could not be sealed" in the log group of the events stack.`,
      metric: emittedMetric(stage, sealLag.metric),
      threshold: Duration.minutes(sealLag.minutes).toSeconds(),
      alarmTopic,
    });
    new Relay(this, 'relay', {
      stage,
      bundle: manifest.relay,
      logGroup,
      streamArn: data.streamArn,
      queues,
      alarmTopic,
    });
  }
}

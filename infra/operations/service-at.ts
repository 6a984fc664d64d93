import { join } from 'node:path';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { type Addresses, readAddresses } from '../local/addresses.ts';
import { isUnreachable } from '../local/cannot-start.ts';
import { contents } from '../local/data-folder.ts';
import {
  bucketOf,
  dataKeyAliasOf,
  nameIn,
  type StageSettings,
  sealKeyAliasOf,
  stageNamed,
  stageNames,
  tableOf,
} from '../stages.ts';
import { type DeadLetterSource, deadLetterSources } from './dead-letter.ts';
import type { ValueType } from './options.ts';

/** The word after `--stage`. */
export const stage: ValueType<StageSettings> = {
  expected: `one of ${stageNames.join(', ')}`,
  parse: (given) => (stageNames.some((name) => name === given) ? stageNamed(given) : undefined),
};

/** The option by which a command finds a service. */
export const serviceOption = {
  stage: { type: stage, help: 'the stage in the cloud; left out: the local service of DATA_DIR' },
} as const;

/** Where a service is, for the notes of its commands. */
export const serviceNote = `With --stage, the service is the one of that stage, in the region and with the credentials of the AWS
environment; TABLE_NAME names another table of it, such as one that was restored. Without, it is the one that runs on this
machine with the same DATA_DIR (.local where that is not set).`;

/**
 * From then on the table is that of a stage, or of the service on this machine, and keys are the ones that guard what is in
 * it. Throws where no service runs on this machine.
 */
export async function useTableOf(stage: StageSettings | undefined): Promise<void> {
  if (stage) useTableOfStage(stage);
  else await useLocalTable();
}

/** Unless TABLE_NAME names another table of the stage. */
function useTableOfStage(stage: StageSettings): void {
  Object.assign(process.env, {
    TABLE_NAME: process.env.TABLE_NAME || tableOf(stage),
    STAGE: stage.name,
    DATA_KEY_ID: dataKeyAliasOf(stage),
    SEAL_KEY_ID: sealKeyAliasOf(stage),
  });
  if (stage.name === 'local') return;
  // A key of this machine that the shell still names would go before the stage's own.
  delete process.env.KEY_FILE;
  delete process.env.SEAL_KEY_FILE;
}

async function useLocalTable(): Promise<Addresses> {
  const addresses = readAddresses(join(dataFolder(), contents.addresses));
  if (!addresses) throw new Error(notRunning());
  const { region, anyKey, tableName, dynamoDb } = addresses;
  Object.assign(process.env, {
    AWS_REGION: region,
    TABLE_NAME: tableName,
    STAGE: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb,
    KEY_FILE: join(dataFolder(), contents.dataKey),
    SEAL_KEY_FILE: join(dataFolder(), contents.sealKey),
    ...(anyKey && { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }),
  });
  const client = new DynamoDBClient({ endpoint: dynamoDb, maxAttempts: 1 });
  await client
    .send(new DescribeTableCommand({ TableName: tableName }))
    .catch((error) => {
      // It was killed, and could not take its addresses with it.
      throw isUnreachable(error) ? new Error(notRunning()) : error;
    })
    .finally(() => client.destroy());
  return addresses;
}

/** How many messages are in a queue, in the hands of its consumer or delayed too, and since how many seconds the oldest. */
export interface Depth {
  messages: number;
  oldestSeconds?: number;
}

/** The queues of a service. */
export interface Service {
  sqs: SQSClient;
  urlOf: (queue: QueueName) => string;
  depthOf: (queue: QueueName) => Promise<Depth>;
}

/** A service in the cloud, whose dead letters are in queues. */
export interface CloudService extends Service {
  deadLetterUrlOf: (source: DeadLetterSource) => string;
  deadLetterDepthOf: (source: DeadLetterSource) => Promise<Depth>;
}

/** A service on this machine, whose dead letters are files, whether it runs or not. */
export const deadLetterFolder = (): string => join(dataFolder(), contents.deadLetters);

/** Where the service on this machine keeps what it has. */
export const dataFolder = (): string => process.env.DATA_DIR || '.local';

type CloseAtEnd = <C extends { destroy(): void }>(client: C) => C;

/** The service on this machine. From then on table, bucket and keys are its own. Throws where none runs. */
export async function localService(closeAtEnd: CloseAtEnd): Promise<Service> {
  const addresses = await useLocalTable();
  const { sqs: endpoint, s3, bucketName } = addresses;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: endpoint,
    AWS_ENDPOINT_URL_S3: s3,
    BUCKET_NAME: bucketName,
  });
  const sqs = closeAtEnd(new SQSClient({ endpoint, useQueueUrlAsEndpoint: false }));
  const urlOf = urlIn(addresses);
  return {
    sqs,
    urlOf,
    depthOf: async (queue: QueueName) => ({
      messages: await countIn(sqs, urlOf(queue)),
      ...(await oldestIn(endpoint, urlOf(queue))),
    }),
  };
}

const notRunning = (): string => `No service runs with the data folder ${dataFolder()}: npm start starts it.`;

const urlIn =
  ({ queues }: Addresses) =>
  (queue: QueueName): string =>
    queues.find(({ name }) => name === queue)?.url ?? '';

/** The local engine shows what is in a queue; an SQS elsewhere does not. */
async function oldestIn(endpoint: string, url: string): Promise<Pick<Depth, 'oldestSeconds'>> {
  const response = await fetch(new URL(`/_fauxqs/queues/${url.split('/').at(-1)}`, endpoint));
  if (!response.ok) return {};
  type Held = { sentTimestamp: number };
  const { messages } = (await response.json()) as {
    messages: { ready: Held[]; delayed: Held[]; inflight: { message: Held }[] };
  };
  const { ready, delayed, inflight } = messages;
  const sent = [...ready, ...delayed, ...inflight.map(({ message }) => message)];
  return sent.length === 0 ? {} : ageSince(Math.min(...sent.map(({ sentTimestamp }) => sentTimestamp)));
}

/** Since an instant in milliseconds. */
export const ageSince = (instant: number): { oldestSeconds: number } => ({
  oldestSeconds: Math.max(0, Math.round((Date.now() - instant) / 1000)),
});

/**
 * The service of a stage. From then on table, bucket and keys are its own, unless TABLE_NAME or BUCKET_NAME name others of the
 * stage.
 */
export async function cloudService(stage: StageSettings, closeAtEnd: CloseAtEnd): Promise<CloudService> {
  useTableOfStage(stage);
  const sqs = closeAtEnd(new SQSClient({ useQueueUrlAsEndpoint: false }));
  const metrics = closeAtEnd(new CloudWatchClient({}));
  const names = [...queueNames, ...deadLetterSources.map(deadLettersOf)].map((name) => nameIn(stage, name));
  const found = await Promise.all(
    names.map(async (QueueName) => {
      const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
      return [QueueName, QueueUrl] as const;
    }),
  );
  const urls = new Map(found);
  const urlOf = (name: string): string => urls.get(nameIn(stage, name)) ?? '';
  const [, awsAccount = ''] = new URL(urlOf('audit')).pathname.split('/');
  process.env.BUCKET_NAME ??= bucketOf(stage, awsAccount, await sqs.config.region());
  const depthOf = async (name: string): Promise<Depth> => {
    const messages = await countIn(sqs, urlOf(name));
    const oldestSeconds = messages > 0 ? await ageIn(metrics, nameIn(stage, name)) : undefined;
    return { messages, ...(oldestSeconds !== undefined && { oldestSeconds }) };
  };
  return {
    sqs,
    urlOf,
    depthOf,
    deadLetterUrlOf: (source) => urlOf(deadLettersOf(source)),
    deadLetterDepthOf: (source) => depthOf(deadLettersOf(source)),
  };
}

const deadLettersOf = (source: DeadLetterSource): string => `${source}-dead-letters`;

async function countIn(sqs: SQSClient, QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return Object.values(Attributes).reduce((sum, count) => sum + Number(count), 0);
}

/** So many milliseconds back SQS has said how old the oldest message of a queue is, where it has one. */
const recent = 15 * 60_000;

/** In seconds, as if the message that was the oldest at SQS's last word still were: it is no older. */
async function ageIn(metrics: CloudWatchClient, queue: string): Promise<number | undefined> {
  const { MetricDataResults } = await metrics.send(
    new GetMetricDataCommand({
      StartTime: new Date(Date.now() - recent),
      EndTime: new Date(),
      ScanBy: 'TimestampDescending',
      MetricDataQueries: [
        {
          Id: 'age',
          MetricStat: {
            Metric: {
              Namespace: 'AWS/SQS',
              MetricName: 'ApproximateAgeOfOldestMessage',
              Dimensions: [{ Name: 'QueueName', Value: queue }],
            },
            Period: 60,
            Stat: 'Maximum',
          },
        },
      ],
    }),
  );
  const { Values: [age] = [], Timestamps: [then] = [] } = MetricDataResults?.[0] ?? {};
  return age === undefined || !then ? undefined : age + ageSince(then.getTime()).oldestSeconds;
}

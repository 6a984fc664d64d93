import { join } from 'node:path';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { table } from '../../shared/table/client.ts';
import { type AccessKey, type Addresses, readAddresses } from '../administration/addresses.ts';
import { isUnreachable } from '../administration/cannot-start.ts';
import { ageSince, countMessages, type Depth, oldestIn } from '../administration/count-messages.ts';
import { contents } from '../administration/data-folder-contents.ts';
import { type DeadLetterSource, deadLetterSources } from '../administration/dead-letter-sources.ts';
import { bucketOf, dataKeyAliasOf, nameIn, type StageSettings, sealKeyAliasOf, tableOf } from '../stages.ts';
import { closeAtEnd } from './close-at-end.ts';

/**
 * Sets the environment variables for the table and the keys of a stage or of the local service. Throws if the local
 * service is not running.
 */
export async function useTableOf(stage: StageSettings | undefined): Promise<void> {
  if (stage) useTableOfStage(stage);
  else await useLocalTable();
}

function useTableOfStage(stage: StageSettings): void {
  closeAtEnd(table);
  Object.assign(process.env, {
    TABLE_NAME: process.env.TABLE_NAME || tableOf(stage),
    STAGE: stage.name,
    DATA_KEY_ID: dataKeyAliasOf(stage),
    SEAL_KEY_ID: sealKeyAliasOf(stage),
  });
  if (stage.name === 'local') return;
  // Removes the settings for local key files, which would take precedence over the stage's keys.
  delete process.env.KEY_FILE;
  delete process.env.SEAL_KEY_FILE;
}

/** Returns the addresses of the service that runs with the data folder. Throws if no service has written them. */
export function runningService(): Addresses {
  const addresses = readAddresses(join(dataFolder(), contents.addresses));
  if (!addresses) throw new Error(notRunning());
  return addresses;
}

async function useLocalTable(): Promise<Addresses> {
  closeAtEnd(table);
  const addresses = runningService();
  const { region, accessKey, tableName, dynamoDb } = addresses;
  if (accessKey) useAccessKey(accessKey);
  Object.assign(process.env, {
    AWS_REGION: region,
    TABLE_NAME: tableName,
    STAGE: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb,
    KEY_FILE: join(dataFolder(), contents.dataKey),
    SEAL_KEY_FILE: join(dataFolder(), contents.sealKey),
  });
  const client = new DynamoDBClient({ endpoint: dynamoDb, maxAttempts: 1 });
  await client
    .send(new DescribeTableCommand({ TableName: tableName }))
    .catch((error) => {
      // If the service was killed, the file with its addresses still exists.
      throw isUnreachable(error) ? new Error(notRunning()) : error;
    })
    .finally(() => client.destroy());
  return addresses;
}

function useAccessKey({ accessKeyId, secretAccessKey }: AccessKey): void {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  delete process.env.AWS_SESSION_TOKEN;
  delete process.env.AWS_PROFILE;
}

export interface Service {
  sqs: SQSClient;
  urlOf: (queue: QueueName) => string;
  depthOf: (queue: QueueName) => Promise<Depth>;
}

/** A service in the cloud, which has dead-letter queues. */
export interface CloudService extends Service {
  deadLetterUrlOf: (source: DeadLetterSource) => string;
  deadLetterDepthOf: (source: DeadLetterSource) => Promise<Depth>;
}

/** The folder with the dead letters of the local service. */
export const deadLetterFolder = (): string => join(dataFolder(), contents.deadLetters);

export const dataFolder = (): string => process.env.DATA_DIR || '.local';

/**
 * Connects to the local service, and sets the environment variables for it in this process. Throws if the service is
 * not running.
 */
export async function localService(): Promise<Service> {
  const addresses = await useLocalTable();
  const { sqs: endpoint, s3, bucketName } = addresses;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: endpoint,
    AWS_ENDPOINT_URL_S3: s3,
    BUCKET_NAME: bucketName,
  });
  const sqs = closeAtEnd(new SQSClient({ endpoint, useQueueUrlAsEndpoint: false }));
  const urlOf = (queue: QueueName) => addresses.queues.find(({ name }) => name === queue)?.url ?? '';
  return {
    sqs,
    urlOf,
    depthOf: async (queue: QueueName) => ({
      messages: await countIn(sqs, urlOf(queue)),
      ...(await oldestIn(sqs, urlOf(queue))),
    }),
  };
}

export const notRunning = (): string =>
  `No service runs with the data folder ${dataFolder()}. Start one with npm start.`;

/**
 * Connects to a stage's service, and sets the environment variables for it in this process. Keeps TABLE_NAME and
 * BUCKET_NAME if they are set.
 */
export async function cloudService(stage: StageSettings): Promise<CloudService> {
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

async function countIn(sqs: SQSClient, url: string): Promise<number> {
  const { visible, inFlight, delayed } = await countMessages(sqs, url);
  return visible + inFlight + delayed;
}

/** SQS reports the age of a queue's oldest message at least once in this time (milliseconds), if there is a message. */
const metricWindow = 15 * 60_000;

/**
 * Returns an upper bound of the oldest message's age, in seconds: the last reported age plus the time since
 * the report.
 */
async function ageIn(metrics: CloudWatchClient, queue: string): Promise<number | undefined> {
  const { MetricDataResults } = await metrics.send(
    new GetMetricDataCommand({
      StartTime: new Date(Date.now() - metricWindow),
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
  const { Values: [age] = [], Timestamps: [reported] = [] } = MetricDataResults?.[0] ?? {};
  return age === undefined || !reported ? undefined : age + ageSince(reported.getTime()).oldestSeconds;
}

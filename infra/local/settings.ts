import { nameIn, type StageSettings, stageNamed } from '../stages.ts';
import { CannotStart } from './cannot-start.ts';

/** What the environment and the command line ask of the local runner. */
export interface Settings {
  /** What the environment leaves open is as the stage has it. */
  stage: StageSettings;
  /** 0 takes any free port. */
  port: number;
  dataFolder: string;
  /** Nothing is kept: the data folder is a temporary one. */
  ephemeral: boolean;
  tableName: string;
  bucketName: string;
  region: string;
  corsOrigins: readonly string[];
  /** A DynamoDB, SQS, S3, SES or SNS elsewhere, instead of an embedded one. */
  dynamoDbEndpoint?: string;
  streamsEndpoint?: string;
  sqsEndpoint?: string;
  s3Endpoint?: string;
  sesEndpoint?: string;
  snsEndpoint?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks the settings. Throws CannotStart with a sentence that names the variable and what it may be. */
export function readSettings(environment: Environment, args: readonly string[]): Settings {
  const unknown = args.find((arg) => arg !== '--ephemeral');
  if (unknown !== undefined)
    throw new CannotStart(`${unknown} is not known: the only option is --ephemeral.`);
  const elsewhere = endpoint(environment, 'AWS_ENDPOINT_URL');
  const dynamoDbEndpoint = endpoint(environment, 'AWS_ENDPOINT_URL_DYNAMODB') ?? elsewhere;
  const stage = stageNamed('local');
  const table = tableName(environment.TABLE_NAME ?? nameIn(stage));
  return {
    stage,
    port: port(environment.PORT),
    dataFolder: environment.DATA_DIR || '.local',
    ephemeral: args.includes('--ephemeral'),
    tableName: table,
    bucketName: bucketName(environment.BUCKET_NAME ?? `${resourcePrefix(table).toLowerCase()}-files`),
    region: environment.AWS_REGION || 'us-east-1',
    corsOrigins: origins(environment.CORS_ORIGINS) ?? stage.allowedOrigins,
    dynamoDbEndpoint,
    // AWS has its streams at an address of their own; emulators serve both.
    streamsEndpoint:
      endpoint(environment, 'AWS_ENDPOINT_URL_DYNAMODB_STREAMS') ??
      dynamoDbEndpoint?.replace(/^https:\/\/dynamodb\.(.+\.amazonaws\.com)/, 'https://streams.dynamodb.$1'),
    sqsEndpoint: endpoint(environment, 'AWS_ENDPOINT_URL_SQS') ?? elsewhere,
    s3Endpoint: endpoint(environment, 'AWS_ENDPOINT_URL_S3') ?? elsewhere,
    sesEndpoint: endpoint(environment, 'AWS_ENDPOINT_URL_SESV2') ?? elsewhere,
    snsEndpoint: endpoint(environment, 'AWS_ENDPOINT_URL_SNS') ?? elsewhere,
  };
}

function port(text = '3000'): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= 65_535))
    throw new CannotStart(
      `PORT is "${text}": it must be a number from 0 to 65535, where 0 takes any free port.`,
    );
  return number;
}

/** Queues and the bucket carry it in their names, of which SQS takes 80 characters and S3 63. */
function tableName(text: string): string {
  if (!/^[A-Za-z0-9][\w.-]{2,49}$/.test(text))
    throw new CannotStart(
      `TABLE_NAME is "${text}": it must be 3 to 50 letters, digits, "_", "-" and ".", first a letter or digit.`,
    );
  return text;
}

/**
 * The name of a table as those of queues and buckets may begin, so that two services on one emulator share none, unless their
 * tables differ only in `.`, `_` and `-`, or, for a bucket, in capitals.
 */
export const resourcePrefix = (table: string): string => table.replaceAll(/[._]/g, '-');

function bucketName(text: string): string {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text))
    throw new CannotStart(
      `BUCKET_NAME is "${text}": it must be 3 to 63 small letters, digits, "-" and ".", first and last a letter or digit.`,
    );
  return text;
}

/** The origins of a comma list, which may be empty, or undefined where there is no list. */
function origins(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const list = text.split(',').map((origin) => origin.trim());
  return list
    .filter((origin) => origin !== '')
    .map((origin) => {
      if (urlFrom(origin)?.origin !== origin)
        throw new CannotStart(
          `CORS_ORIGINS holds "${origin}": each must be an origin such as http://localhost:5173.`,
        );
      return origin;
    });
}

function endpoint(environment: Environment, variable: string): string | undefined {
  const text = environment[variable];
  if (!text) return undefined;
  const url = urlFrom(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CannotStart(`${variable} is "${text}": it must be an address such as http://127.0.0.1:8000.`);
  return url.href;
}

function urlFrom(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

import { messageChannels } from '../../shared/channels/channels.ts';
import { CannotStart } from '../administration/cannot-start.ts';
import { nameIn, type StageSettings, stageNamed } from '../stages.ts';
import type { SmtpRelay } from './mailbox.ts';

/** The settings of the local runner, from the environment and the command line. */
export interface Settings {
  /** The stage `local`. REQUESTS_PER_MINUTE in the environment overrides the stage's request limit. */
  stage: StageSettings;
  /** Port 0 selects any free port. */
  port: number;
  /** The port of the SMTP server for received mail. Absent: 2525, or any free port if 2525 is in use. */
  smtpPort?: number;
  dataFolder: string;
  /** If true, data is in memory and in a temporary folder, which is deleted when the service stops. */
  ephemeral: boolean;
  tableName: string;
  bucketName: string;
  region: string;
  corsOrigins: readonly string[];
  /** The URLs of existing services that replace the embedded services. */
  dynamoDbEndpoint?: string;
  streamsEndpoint?: string;
  sqsEndpoint?: string;
  s3Endpoint?: string;
  /** The URLs of existing services that send messages, by environment variable. */
  messageServices: Readonly<Record<string, string>>;
  /** An SMTP server on loopback that also receives every mail. */
  smtpRelay?: SmtpRelay;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and validates the settings. `base` is the stage `local`. Throws CannotStart. */
export function readSettings(
  environment: Environment,
  args: readonly string[],
  base = stageNamed('local'),
): Settings {
  const unknown = args.find((arg) => arg !== '--ephemeral');
  if (unknown !== undefined)
    throw new CannotStart(`Unknown option ${unknown}. The only option is --ephemeral.`);
  const commonEndpoint = endpoint(environment, 'AWS_ENDPOINT_URL');
  const dynamoDbEndpoint = endpoint(environment, 'AWS_ENDPOINT_URL_DYNAMODB') ?? commonEndpoint;
  const stage = {
    ...base,
    requestsPerMinute: limit(environment.REQUESTS_PER_MINUTE) ?? base.requestsPerMinute,
  };
  const table = tableName(environment.TABLE_NAME ?? nameIn(stage));
  return {
    stage,
    port: port('PORT', environment.PORT ?? '3000'),
    ...(environment.SMTP_PORT !== undefined && { smtpPort: port('SMTP_PORT', environment.SMTP_PORT) }),
    dataFolder: environment.DATA_DIR || '.local',
    ephemeral: args.includes('--ephemeral'),
    tableName: table,
    bucketName: bucketName(environment.BUCKET_NAME ?? `${resourcePrefix(table).toLowerCase()}-files`),
    region: environment.AWS_REGION || 'us-east-1',
    corsOrigins: origins(environment.CORS_ORIGINS) ?? stage.allowedOrigins,
    dynamoDbEndpoint,
    // AWS serves streams at a separate address. Emulators use one address for tables and streams.
    streamsEndpoint:
      endpoint(environment, 'AWS_ENDPOINT_URL_DYNAMODB_STREAMS') ??
      dynamoDbEndpoint?.replace(/^https:\/\/dynamodb\.(.+\.amazonaws\.com)/, 'https://streams.dynamodb.$1'),
    sqsEndpoint: endpoint(environment, 'AWS_ENDPOINT_URL_SQS') ?? commonEndpoint,
    s3Endpoint: endpoint(environment, 'AWS_ENDPOINT_URL_S3') ?? commonEndpoint,
    messageServices: Object.fromEntries(
      messageChannels.flatMap(({ standIn: { variable } }) => {
        const url = endpoint(environment, variable) ?? commonEndpoint;
        return url === undefined ? [] : [[variable, url]];
      }),
    ),
    smtpRelay: smtpRelay(environment.SMTP_RELAY),
  };
}

function port(name: string, text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= 65_535))
    throw new CannotStart(
      `${name} is "${text}". It must be a number from 0 to 65535; 0 selects any free port.`,
    );
  return number;
}

function limit(text: string | undefined): number | undefined {
  if (!text) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new CannotStart(`REQUESTS_PER_MINUTE is "${text}". It must be a number from 1 to 999999.`);
  return Number(text);
}

/**
 * Accepts at most 50 characters, because the names of queues (at most 80 characters) and buckets (at most 63)
 * contain the table name.
 */
function tableName(text: string): string {
  if (!/^[A-Za-z0-9][\w.-]{2,49}$/.test(text))
    throw new CannotStart(
      `TABLE_NAME is "${text}". It must have 3 to 50 letters, digits, "_", "-" and ".", and start with a letter or digit.`,
    );
  return text;
}

/**
 * The prefix of the names of queues and buckets, so that several services can share an emulator. Table names that
 * differ only in `.`, `_` and `-` have the same prefix. Bucket names contain the prefix in lower case.
 */
export const resourcePrefix = (table: string): string => table.replaceAll(/[._]/g, '-');

function bucketName(text: string): string {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text))
    throw new CannotStart(
      `BUCKET_NAME is "${text}". It must have 3 to 63 lowercase letters, digits, "-" and ".", and start and end with a letter or digit.`,
    );
  return text;
}

/** Parses a comma-separated list of origins. The list may be empty. */
function origins(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const list = text.split(',').map((origin) => origin.trim());
  const isOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value;
  const wrong = list.find((origin) => origin !== '' && !isOrigin(origin));
  if (wrong !== undefined)
    throw new CannotStart(
      `CORS_ORIGINS contains "${wrong}". Each entry must be an origin, for example http://localhost:5173.`,
    );
  return list.filter((origin) => origin !== '');
}

/** Accepts only loopback addresses, so that the local service sends no mail to real mailboxes by mistake. */
function smtpRelay(text: string | undefined): SmtpRelay | undefined {
  if (!text) return undefined;
  const [, host, port] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? [];
  if (!host || !(Number(port) <= 65_535))
    throw new CannotStart(
      `SMTP_RELAY is "${text}". It must be the address of a server on this machine, for example 127.0.0.1:2525.`,
    );
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) };
}

function endpoint(environment: Environment, variable: string): string | undefined {
  const text = environment[variable];
  if (!text) return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CannotStart(`${variable} is "${text}". It must be a URL, for example http://127.0.0.1:8000.`);
  return new URL(text).href;
}

import { tableDefinition } from '../shared/table/definition.ts';

/** The settings of a deployment. */
export interface StageSettings {
  name: StageName;
  /** Retains the data when its stack is deleted, and protects the table and the stacks from deletion. */
  protected: boolean;
  /** The number of days for which logs are kept. CloudWatch accepts only certain values. */
  logDays: 1 | 7 | 90;
  /** The limits of each route. For requests above these limits, the gateway responds with 429. */
  throttle: Throttle;
  /** The limits of each route of `/auth`. They are low, because a password check takes 0.1 s of processor time. */
  signInThrottle: Throttle;
  /** The limits of each route that accepts an appKey. They are low, because callers can be anonymous. */
  applicantThrottle: Throttle;
  /** The maximum number of requests per minute for each user and each API key. */
  requestsPerMinute: number;
  /** The percentage of server errors that raises the alarm. If omitted, five errors in five minutes raise it. */
  errorPercent?: number;
  /** Lambda's concurrency quota for the AWS account and region. Other services share this quota. */
  concurrencyQuota: number;
  /** The recipients of alarms and budget mails. Each recipient must first confirm a mail from AWS. */
  alarmEmails?: readonly string[];
  /** The sender of mail, an address verified in SES. If omitted, no mail is sent. */
  mailFrom?: string;
  /** The domain of the API, with an ACM certificate in the region. Default: API Gateway's own URL. */
  domain?: { name: string; certificateArn: string };
  /** The origins (scheme, host, port) whose pages may call the API. */
  allowedOrigins: readonly string[];
  /** The maximum capacity of the table, and of each index, in units per second. Limits the cost of mistakes. */
  maxReadRequestUnits?: number;
  maxWriteRequestUnits?: number;
  /** The monthly budget of the AWS account in US dollars. Budget mails are sent to `alarmEmails`. */
  monthlyBudget?: number;
  /** The only AWS account and region for deployments. Default: the account and region of the credentials. */
  awsAccount?: string;
  region?: string;
  /** The endpoint of AWS services for functions in an emulator. Replaces the endpoint that the emulator sets. */
  endpoint?: string;
  /** A table restored from a backup, with its stream. The functions use this table instead of the stack's table. */
  restoredTable?: { name: string; streamArn: string };
}

interface Throttle {
  /** Requests per second. */
  rateLimit: number;
  /** The maximum number of requests in a burst. */
  burstLimit: number;
}

export type StageName = 'dev' | 'prod' | 'local';

const stages: Record<StageName, StageSettings> = {
  dev: {
    name: 'dev',
    protected: false,
    logDays: 7,
    throttle: { rateLimit: 100, burstLimit: 200 },
    signInThrottle: { rateLimit: 10, burstLimit: 20 },
    applicantThrottle: { rateLimit: 20, burstLimit: 40 },
    requestsPerMinute: 600,
    errorPercent: 1,
    concurrencyQuota: 1000,
    allowedOrigins: ['http://localhost:5173'],
  },
  prod: {
    name: 'prod',
    protected: true,
    logDays: 90,
    // A tenth of API Gateway's default limit per AWS account and region (10,000 requests per second).
    throttle: { rateLimit: 1000, burstLimit: 2000 },
    // At this rate, password checks use ten processors.
    signInThrottle: { rateLimit: 100, burstLimit: 200 },
    applicantThrottle: { rateLimit: 200, burstLimit: 400 },
    requestsPerMinute: 600,
    errorPercent: 1,
    // The default quota of Lambda. New AWS accounts must request this quota.
    concurrencyQuota: 1000,
    // The initial throughput of a new on-demand table (DynamoDB Developer Guide, "On-demand capacity mode").
    maxReadRequestUnits: 12_000,
    maxWriteRequestUnits: 4_000,
    allowedOrigins: [],
  },
  /** For the local service and emulators. Omits errorPercent, because emulators reject alarms on expressions. */
  local: {
    name: 'local',
    protected: false,
    logDays: 1,
    throttle: { rateLimit: 10_000, burstLimit: 5_000 },
    signInThrottle: { rateLimit: 10_000, burstLimit: 5_000 },
    applicantThrottle: { rateLimit: 10_000, burstLimit: 5_000 },
    concurrencyQuota: 1000,
    requestsPerMinute: 60_000,
    mailFrom: 'merchant-ops <notifications@example.com>',
    allowedOrigins: ['http://localhost:5173'],
  },
};

export const stageNames = Object.keys(stages) as StageName[];

/** Returns the stage of the option `-c stage=…`. For an unknown name, throws an error that lists the stages. */
export function stageNamed(name: string): StageSettings {
  const stage = Object.values(stages).find((known) => known.name === name);
  if (!stage)
    throw new Error(`Unknown stage "${name}". Use -c stage=${Object.keys(stages).join(', -c stage=')}.`);
  return stage;
}

/** The settings that an operator must add to a protected stage. */
const requiredInProduction = [
  'alarmEmails',
  'mailFrom',
  'awsAccount',
  'region',
  'maxReadRequestUnits',
  'maxWriteRequestUnits',
  'monthlyBudget',
] as const satisfies (keyof StageSettings)[];

/** Returns the stage. Throws if a required setting is missing or the credentials are for another account or region. */
export function requireDeployable(
  stage: StageSettings,
  { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region }: Readonly<Record<string, string | undefined>>,
): StageSettings {
  const missing = requiredInProduction.filter((name) => stage[name] === undefined || isEmpty(stage[name]));
  if (stage.protected && missing.length > 0)
    throw new Error(`The stage ${stage.name} needs ${missing.join(', ')}. Set them in infra/stages.ts.`);
  for (const [what, expected, actual] of [
    ['account', stage.awsAccount, account],
    ['region', stage.region, region],
  ])
    if (expected !== undefined && actual !== undefined && expected !== actual)
      throw new Error(
        `The stage ${stage.name} belongs to the ${what} ${expected}, but the credentials are for ${actual}. Use other credentials, or change infra/stages.ts.`,
      );
  return stage;
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * Parses the option `-c indexes=…`, the number of the table's indexes. A deployment can add only one index to an
 * existing table. Returns undefined if the option is missing.
 */
export function parseIndexCount(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  const [max, count] = [tableDefinition.indexes.length, Number(text)];
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new Error(`-c indexes=${text} must be a number from 1 to ${max}.`);
  return count;
}

/** The table of a stage: the restored table if `restoredTable` is set, otherwise the table of the stack. */
export const tableOf = (stage: StageSettings): string => stage.restoredTable?.name ?? nameIn(stage);

/** The bucket of a stage. Bucket names must be unique across all AWS accounts. */
export const bucketOf = (stage: StageSettings, awsAccount: string, region: string): string =>
  `${nameIn(stage, 'files')}-${awsAccount}-${region}`;

/** The KMS aliases of the key that encrypts data keys, and of the key that signs seals. */
export const dataKeyAliasOf = (stage: StageSettings): string => `alias/${nameIn(stage, 'data-keys')}`;
export const sealKeyAliasOf = (stage: StageSettings): string => `alias/${nameIn(stage, 'seals')}`;

/** The environment variables of all functions, in the cloud and locally. */
export const environmentOf = (stage: StageSettings): Record<string, string> => ({
  STAGE: stage.name,
  REQUESTS_PER_MINUTE: String(stage.requestsPerMinute),
  ...(stage.mailFrom !== undefined && { MAIL_FROM: stage.mailFrom }),
  ...(stage.endpoint !== undefined && { AWS_ENDPOINT_URL: stage.endpoint }),
});

/**
 * The physical name of a resource, for example `merchant-ops-prod-audit`. Names must be known before the deployment,
 * because `sam local` does not resolve references between stacks.
 */
export const nameIn = (stage: StageSettings, what?: string): string =>
  ['merchant-ops', stage.name, ...(what === undefined ? [] : [what])].join('-');

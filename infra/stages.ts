import { tableDefinition } from '../shared/table/definition.ts';

/** What differs between deployments of the same code. */
export interface StageSettings {
  name: StageName;
  /** Data outlives its stack, and neither table nor stacks can be deleted by accident. */
  protected: boolean;
  /** Days that logs are kept; CloudWatch takes a closed list of them. */
  logDays: 1 | 7 | 90;
  /** Requests a second, and how many more at once, that the gateway lets through before it responds with 429: of each route. */
  throttle: Throttle;
  /** The same of each route of `/auth`, where a password costs a tenth of a second of a processor. */
  signInThrottle: Throttle;
  /** The same of each route that the key of an application's link opens, as nobody is known there. */
  applicantThrottle: Throttle;
  /** Requests that one user or API key may make in a minute. */
  requestsPerMinute: number;
  /** Of a hundred requests, how many server errors sound an alarm. Left out: five in five minutes do, of however many. */
  errorPercent?: number;
  /** How many functions Lambda runs at once in this account and region, those of other services included. */
  concurrencyQuota: number;
  /** Who hears of alarms, and of the budget. Each confirms a mail from AWS first. */
  alarmEmails?: readonly string[];
  /** Whom mail comes from: an address that SES has verified. None: no mail is sent. */
  mailFrom?: string;
  /** Where clients find the API, with a certificate of ACM in the region. None: the address that API Gateway gives it. */
  domain?: { name: string; certificateArn: string };
  /** The origins whose pages may call the API: scheme, host and port. None: no page of another origin. */
  allowedOrigins: readonly string[];
  /** Units a second that the table, and each of its indexes, gives at most: what a mistake can cost. */
  maxReadRequestUnits?: number;
  maxWriteRequestUnits?: number;
  /** Dollars that the AWS account may cost in a month, before `alarmEmails` hear of it. */
  monthlyBudget?: number;
  /** Where it is deployed, and nowhere else. Left out: where the credentials are of. */
  awsAccount?: string;
  region?: string;
  /**
   * Where functions find the services of AWS, if not at AWS. Emulators tell the functions that they run themselves, and take what
   * a template says before that.
   */
  endpoint?: string;
  /** The table that is used in place of the stack's own: one that was restored from it, with a stream of its own. */
  restoredTable?: { name: string; streamArn: string };
}

interface Throttle {
  rateLimit: number;
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
    // A tenth of the 10,000 requests a second that API Gateway gives an account and region.
    throttle: { rateLimit: 1000, burstLimit: 2000 },
    // Ten processors' worth of passwords.
    signInThrottle: { rateLimit: 100, burstLimit: 200 },
    applicantThrottle: { rateLimit: 200, burstLimit: 400 },
    requestsPerMinute: 600,
    errorPercent: 1,
    // What AWS gives an account at first, or on request where it is a new one.
    concurrencyQuota: 1000,
    // What a new table on demand takes at once (DynamoDB Developer Guide, "On-demand capacity mode").
    maxReadRequestUnits: 12_000,
    maxWriteRequestUnits: 4_000,
    allowedOrigins: [],
  },
  /** For a laptop, and for an emulator of AWS, which nothing in it should slow down: no alarm is reckoned from two metrics. */
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

/** The settings of the stage that `-c stage=…` names. Throws a sentence that lists the stages. */
export function stageNamed(name: string): StageSettings {
  const stage = Object.values(stages).find((known) => known.name === name);
  if (!stage)
    throw new Error(`There is no stage "${name}". Use -c stage=${Object.keys(stages).join(', -c stage=')}.`);
  return stage;
}

/** What an operator has to say of a stage that is to last. */
const requiredInProduction = [
  'alarmEmails',
  'mailFrom',
  'awsAccount',
  'region',
  'maxReadRequestUnits',
  'maxWriteRequestUnits',
  'monthlyBudget',
] as const satisfies (keyof StageSettings)[];

/**
 * The stage, if it can be deployed where the credentials are of. Throws a sentence where a protected stage lacks what its
 * operator has to say, and where it belongs to another account or region of AWS.
 */
export function requireDeployable(
  stage: StageSettings,
  { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region }: Readonly<Record<string, string | undefined>>,
): StageSettings {
  const missing = requiredInProduction.filter((name) => stage[name] === undefined || isEmpty(stage[name]));
  if (stage.protected && missing.length > 0)
    throw new Error(`The stage ${stage.name} lacks ${missing.join(', ')}: say them in infra/stages.ts.`);
  for (const [what, wanted, found] of [
    ['account', stage.awsAccount, account],
    ['region', stage.region, region],
  ])
    if (wanted !== undefined && found !== undefined && wanted !== found)
      throw new Error(
        `The stage ${stage.name} belongs to the ${what} ${wanted}, and the credentials are of ${found}: use others, or change infra/stages.ts.`,
      );
  return stage;
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/**
 * How many indexes the table has that is deployed, by `-c indexes=…`: a table that is there takes one new index in an
 * update. Undefined: all of them. Throws a sentence for what is no such number.
 */
export function parseIndexCount(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  const [all, wanted] = [tableDefinition.indexes.length, Number(text)];
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > all)
    throw new Error(`The table has 1 to ${all} indexes: -c indexes=${text} is none of them.`);
  return wanted;
}

/** The table that a stage uses: the one that its stack made, or one that was restored in its place. */
export const tableOf = (stage: StageSettings): string => stage.restoredTable?.name ?? nameIn(stage);

/** The bucket of files of a stage: the names of buckets are one space for all accounts of AWS. */
export const bucketOf = (stage: StageSettings, awsAccount: string, region: string): string =>
  `${nameIn(stage, 'files')}-${awsAccount}-${region}`;

/** The key that guards the data keys of a stage, and the one that signs its seals, by their aliases in KMS. */
export const dataKeyAliasOf = (stage: StageSettings): string => `alias/${nameIn(stage, 'data-keys')}`;
export const sealKeyAliasOf = (stage: StageSettings): string => `alias/${nameIn(stage, 'seals')}`;

/** The environment variables that a stage sets for every function, in the cloud and locally. */
export const environmentOf = (stage: StageSettings): Record<string, string> => ({
  STAGE: stage.name,
  REQUESTS_PER_MINUTE: String(stage.requestsPerMinute),
  ...(stage.mailFrom !== undefined && { MAIL_FROM: stage.mailFrom }),
  ...(stage.endpoint !== undefined && { AWS_ENDPOINT_URL: stage.endpoint }),
});

/**
 * The physical name of something in a stage, such as `merchant-ops-prod-audit`. It is known before anything is
 * deployed, because `sam local` does not resolve references from one stack to another.
 */
export const nameIn = (stage: StageSettings, what?: string): string =>
  ['merchant-ops', stage.name, ...(what === undefined ? [] : [what])].join('-');

import { tableDefinition } from '../shared/table/definition.ts';

/** What differs between deployments of the same code. */
export interface StageSettings {
  name: StageName;
  /** Data outlives its stack, and neither table nor stacks can be deleted by accident. */
  protected: boolean;
  /** Days that logs are kept; CloudWatch takes a closed list of them. */
  logDays: 1 | 7 | 90;
  /** Requests a second, and how many more at once, that the gateway lets through before it responds with 429. */
  throttle: { rateLimit: number; burstLimit: number };
  /** Requests that one user or API key may make in a minute. */
  requestsPerMinute: number;
  /** Whom mail comes from: an address that SES has verified. None: no mail is sent. */
  mailFrom?: string;
  /** The origins whose pages may call the API: scheme, host and port. None: no page of another origin. */
  allowedOrigins: readonly string[];
}

export type StageName = 'dev' | 'prod' | 'local';

const stages: Record<StageName, StageSettings> = {
  dev: {
    name: 'dev',
    protected: false,
    logDays: 7,
    throttle: { rateLimit: 100, burstLimit: 200 },
    requestsPerMinute: 600,
    allowedOrigins: ['http://localhost:5173'],
  },
  prod: {
    name: 'prod',
    protected: true,
    logDays: 90,
    // A tenth of the 10,000 requests a second that API Gateway gives an account and region.
    throttle: { rateLimit: 1000, burstLimit: 2000 },
    requestsPerMinute: 600,
    allowedOrigins: [],
  },
  /** For a laptop, and for an emulator of AWS, which nothing in it should slow down. */
  local: {
    name: 'local',
    protected: false,
    logDays: 1,
    throttle: { rateLimit: 10_000, burstLimit: 5_000 },
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

/**
 * How many indexes the table has that is deployed, by `-c indexes=…`: a table that is there takes one new index in an
 * update. Undefined: all of them. Throws a sentence for what is no such number.
 */
export function indexesNamed(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  const [all, wanted] = [tableDefinition.indexes.length, Number(text)];
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > all)
    throw new Error(`The table has 1 to ${all} indexes: -c indexes=${text} is none of them.`);
  return wanted;
}

/** The key that signs the seals of a stage, by its alias in KMS. */
export const sealKeyAliasOf = (stage: StageSettings): string => `alias/${nameIn(stage, 'seals')}`;

/** The environment variables that a stage sets for every function, in the cloud and locally. */
export const environmentOf = (stage: StageSettings): Record<string, string> => ({
  STAGE: stage.name,
  REQUESTS_PER_MINUTE: String(stage.requestsPerMinute),
  ...(stage.mailFrom !== undefined && { MAIL_FROM: stage.mailFrom }),
});

/**
 * The physical name of something in a stage, such as `merchant-ops-prod-audit`. It is known before anything is
 * deployed, because `sam local` does not resolve references from one stack to another.
 */
export const nameIn = (stage: StageSettings, what?: string): string =>
  ['merchant-ops', stage.name, ...(what === undefined ? [] : [what])].join('-');

import { sesRegions } from './ses-regions.ts';
import type { StageName, StageSettings } from './stage-settings.ts';

export type { StageName, StageSettings };

/** The default settings. `stage-overrides.ts` applies an operator's settings. */
const stages: Record<StageName, StageSettings> = {
  dev: {
    name: 'dev',
    protected: false,
    deletionProtection: false,
    originToken: '1',
    logDays: 7,
    throttle: { rateLimit: 100, burstLimit: 200 },
    signInThrottle: { rateLimit: 10, burstLimit: 20 },
    requestsPerMinute: 600,
    errorPercent: 1,
    concurrencyQuota: 1000,
    allowedOrigins: ['http://localhost:5173'],
  },
  prod: {
    name: 'prod',
    protected: true,
    deletionProtection: true,
    originToken: '1',
    logDays: 90,
    // A tenth of API Gateway's default limit per AWS account and region (10,000 requests per second). In some regions, the
    // limits are 2,500 requests per second and a burst of 1,250, and API Gateway accepts no higher limits for a route.
    throttle: { rateLimit: 1000, burstLimit: 1000 },
    // At this rate, password checks keep about ten processors busy.
    signInThrottle: { rateLimit: 100, burstLimit: 200 },
    edge: {
      limits: {
        // One request per second, enough for an office in which 300 people log in within five minutes.
        loginsPerSource: 300,
        passwordRequestsPerSource: 100,
        // The limit for five users or API keys that use all of their `requestsPerMinute`.
        requestsPerSource: 15_000,
        // The limit for one application that uses all of its `requestsPerMinute`.
        applicantRequestsPerSource: 3_000,
        // 200 requests per second: a fifth of the limit of a route, so that the rest remains for staff.
        applicantRequests: 60_000,
      },
    },
    requestsPerMinute: 600,
    errorPercent: 1,
    // Lambda's default quota. New AWS accounts may have a lower quota. In this case, request an increase.
    concurrencyQuota: 1000,
    // The initial throughput of a new on-demand table (DynamoDB Developer Guide, "On-demand capacity mode").
    maxReadRequestUnits: 12_000,
    maxWriteRequestUnits: 4_000,
    allowedOrigins: [],
  },
  /** For the local service and emulators. Omits errorPercent, because emulators reject alarms on expressions. */
  local: {
    name: 'local',
    emulator: true,
    protected: false,
    deletionProtection: false,
    originToken: '1',
    logDays: 1,
    throttle: { rateLimit: 10_000, burstLimit: 5_000 },
    signInThrottle: { rateLimit: 10_000, burstLimit: 5_000 },
    concurrencyQuota: 1000,
    requestsPerMinute: 60_000,
    mailFrom: 'merchant-ops <notifications@example.com>',
    mailDomain: 'mail.localhost',
    // A browser accepts no IP address, such as 127.0.0.1, as the domain of passkeys.
    passkeyDomain: 'localhost',
    allowedOrigins: ['http://localhost:5173'],
  },
};

export const stageNames = Object.keys(stages) as StageName[];

/** Returns a stage with its default settings. For an unknown name, throws an error that lists the stages. */
export function stageNamed(name: string): StageSettings {
  const stage = Object.values(stages).find((known) => known.name === name);
  if (!stage)
    throw new Error(`Unknown stage "${name}". Use -c stage=${Object.keys(stages).join(', -c stage=')}.`);
  return stage;
}

/** AWS requires the web ACLs and the certificates of CloudFront in this region. */
export const edgeRegion = 'us-east-1';

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
    throw new Error(`The stage ${stage.name} needs ${missing.join(', ')}. Set them in stages.local.json.`);
  if (stage.monthlyBudget !== undefined && isEmpty(stage.alarmEmails ?? []))
    throw new Error(
      `The stage ${stage.name} has monthlyBudget, but no recipients, which AWS Budgets requires. Set alarmEmails.`,
    );
  if (stage.passkeyDomain !== undefined && passkeyOrigins(stage).length === 0)
    throw new Error(
      `No page of the stage ${stage.name} can use passkeys of ${stage.passkeyDomain}. Add the origin of a page at this domain, or below it, to allowedOrigins.`,
    );
  const mailRegion = stage.mailDomain === undefined ? undefined : (stage.region ?? region);
  if (mailRegion !== undefined && !sesRegions.includes(mailRegion))
    throw new Error(
      `The stage ${stage.name} has mailDomain, but there is no SES in ${mailRegion}. Choose another region, or remove mailDomain.`,
    );
  if (stage.edge && stage.region === undefined)
    throw new Error(`The stage ${stage.name} has CloudFront and needs region. Set it in stages.local.json.`);
  const [, certificateRegion] = /^arn:aws:acm:([^:]+):/.exec(stage.domain?.certificateArn ?? '') ?? [];
  const neededRegion = stage.edge ? edgeRegion : stage.region;
  if (certificateRegion !== undefined && neededRegion !== undefined && certificateRegion !== neededRegion)
    throw new Error(
      `The certificate of the stage ${stage.name} must be in ${neededRegion}, but is in ${certificateRegion}.`,
    );
  for (const [what, expected, actual] of [
    ['account', stage.awsAccount, account],
    ['region', stage.region, region],
  ])
    if (expected !== undefined && actual !== undefined && expected !== actual)
      throw new Error(
        `The stage ${stage.name} belongs to the ${what} ${expected}, but the credentials are for ${actual}. Use other credentials, or change stages.local.json.`,
      );
  return stage;
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The address in `mailFrom`, without the display name; undefined if the stage sends no mail. */
export const senderAddressOf = ({ mailFrom }: StageSettings): string | undefined =>
  /<(.+)>/.exec(mailFrom ?? '')?.[1] ?? mailFrom;

/** The table of a stage: the restored table if `restoredTable` is set, otherwise the table of the stack. */
export const tableOf = (stage: StageSettings): string => stage.restoredTable?.name ?? nameIn(stage);

/** The bucket of a stage. Bucket names must be unique across all AWS accounts. */
export const bucketOf = (stage: StageSettings, awsAccount: string, region: string): string =>
  `${nameIn(stage, 'files')}-${awsAccount}-${region}`;

/**
 * The names of the receipt rule set of SES and of its rule, and of the configuration set with which mail is sent to
 * customers. The policies of the bucket and of the topic contain these names.
 */
export const mailNameOf = (stage: StageSettings): string => nameIn(stage, 'mail');

/** The KMS aliases of the key that encrypts data keys, and of the key that signs seals. */
export const dataKeyAliasOf = (stage: StageSettings): string => `alias/${nameIn(stage, 'data-keys')}`;
export const sealKeyAliasOf = (stage: StageSettings): string => `alias/${nameIn(stage, 'seals')}`;

/**
 * The secret with the tokens that the front sends to the APIs. The name must not end with a hyphen and six
 * characters, because AWS appends such a suffix to the name in the ARN.
 */
export const originSecretOf = (stage: StageSettings): string => nameIn(stage, 'origin-token');

/** The environment variables of all functions, in the cloud and locally. */
export const environmentOf = (stage: StageSettings): Record<string, string> => ({
  STAGE: stage.name,
  REQUESTS_PER_MINUTE: String(stage.requestsPerMinute),
  ...(stage.mailFrom !== undefined && { MAIL_FROM: stage.mailFrom }),
  ...(stage.mailDomain !== undefined && {
    MAIL_DOMAIN: stage.mailDomain,
    MAIL_CONFIGURATION_SET: mailNameOf(stage),
  }),
  ...(serviceHostsOf(stage) !== '' && { SERVICE_HOSTS: serviceHostsOf(stage) }),
  ...passkeySite(stage),
  ...(stage.endpoint !== undefined && { AWS_ENDPOINT_URL: stage.endpoint }),
});

/** The domain of passkeys, and the origins of the pages that may use them. Empty if the stage has no passkeys. */
function passkeySite(stage: StageSettings): Record<string, string> {
  const domain = passkeyDomainOf(stage);
  return domain === undefined
    ? {}
    : { PASSKEY_DOMAIN: domain, PASSKEY_ORIGINS: passkeyOrigins(stage).join(' ') };
}

const passkeyDomainOf = ({ domain, passkeyDomain = domain?.name }: StageSettings): string | undefined =>
  passkeyDomain;

function passkeyOrigins(stage: StageSettings): string[] {
  const own = passkeyDomainOf(stage);
  const origins = [...(stage.domain ? [`https://${stage.domain.name}`] : []), ...stage.allowedOrigins];
  return origins.filter((origin) => {
    const { hostname } = new URL(origin);
    return hostname === own || hostname.endsWith(`.${own}`);
  });
}

/**
 * The hosts of the API, of the pages that may call it, and of the mail that the service receives, separated by spaces. No
 * account may use them as its own domain.
 */
const serviceHostsOf = ({ domain, mailDomain, allowedOrigins }: StageSettings): string =>
  [
    ...(domain ? [domain.name] : []),
    ...(mailDomain === undefined ? [] : [mailDomain]),
    ...allowedOrigins.map((origin) => new URL(origin).hostname),
  ]
    .filter((host) => host.includes('.'))
    .join(' ');

/**
 * The physical name of a resource, for example `merchant-ops-prod-audit`. Names must be known before the deployment,
 * because `sam local` does not resolve references between stacks.
 */
export const nameIn = (stage: StageSettings, what?: string): string =>
  ['merchant-ops', stage.name, ...(what === undefined ? [] : [what])].join('-');

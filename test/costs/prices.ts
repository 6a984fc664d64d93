/** A price of AWS in us-east-1, in dollars, without free tiers and without discounts for much. */
interface Price {
  dollars: number;
  /** What that buys. */
  unit: string;
  /** AWS's page of the price. */
  source: string;
}

/** When the prices were last compared with public listings of AWS's pages. */
export const pricesAsOf = '2026-11-22';

const [perMillion, perMonth] = [1e6, 1];

/** The prices that the page of costs is reckoned from; `per` is how many of its things a price buys. */
export const prices = {
  gatewayRequest: {
    dollars: 1,
    per: perMillion,
    unit: 'a million requests of an HTTP API, of 512 KB at most',
    source: 'https://aws.amazon.com/api-gateway/pricing/',
  },
  lambdaRequest: {
    dollars: 0.2,
    per: perMillion,
    unit: 'a million invocations of functions',
    source: 'https://aws.amazon.com/lambda/pricing/',
  },
  lambdaGigabyteSecond: {
    dollars: 0.0000133334,
    per: 1,
    unit: 'a GB of memory for a second, on arm64',
    source: 'https://aws.amazon.com/lambda/pricing/',
  },
  readUnit: {
    dollars: 0.125,
    per: perMillion,
    unit: 'a million read units on demand',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  writeUnit: {
    dollars: 0.625,
    per: perMillion,
    unit: 'a million write units on demand',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  queueRequest: {
    dollars: 0.4,
    per: perMillion,
    unit: 'a million requests to standard queues',
    source: 'https://aws.amazon.com/sqs/pricing/',
  },
  logGigabyte: {
    dollars: 0.5,
    per: 1,
    unit: 'a GB of logs taken in',
    source: 'https://aws.amazon.com/cloudwatch/pricing/',
  },
  trace: {
    dollars: 5,
    per: perMillion,
    unit: 'a million traces recorded',
    source: 'https://aws.amazon.com/xray/pricing/',
  },
  scheduledCall: {
    dollars: 1,
    per: perMillion,
    unit: 'a million calls of EventBridge Scheduler',
    source: 'https://aws.amazon.com/eventbridge/pricing/',
  },
  alarm: {
    dollars: 0.1,
    per: perMonth,
    unit: 'a metric that an alarm looks at for a month',
    source: 'https://aws.amazon.com/cloudwatch/pricing/',
  },
  dashboard: {
    dollars: 3,
    per: perMonth,
    unit: 'a dashboard for a month',
    source: 'https://aws.amazon.com/cloudwatch/pricing/',
  },
  customMetric: {
    dollars: 0.3,
    per: perMonth,
    unit: 'a metric of our own for a month',
    source: 'https://aws.amazon.com/cloudwatch/pricing/',
  },
  key: {
    dollars: 1,
    per: perMonth,
    unit: 'a KMS key for a month',
    source: 'https://aws.amazon.com/kms/pricing/',
  },
  secret: {
    dollars: 0.4,
    per: perMonth,
    unit: 'a secret for a month',
    source: 'https://aws.amazon.com/secrets-manager/pricing/',
  },
  tableGigabyte: {
    dollars: 0.25,
    per: perMonth,
    unit: 'a GB in the table for a month',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  backupGigabyte: {
    dollars: 0.2,
    per: perMonth,
    unit: 'a GB under point-in-time recovery for a month',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  fileGigabyte: {
    dollars: 0.023,
    per: perMonth,
    unit: 'a GB of files for a month',
    source: 'https://aws.amazon.com/s3/pricing/',
  },
} as const satisfies Record<string, Price & { per: number }>;

/** What so many things cost, in dollars. */
export const costOf = (what: keyof typeof prices, count: number): number =>
  (prices[what].dollars / prices[what].per) * count;

/** An AWS price in us-east-1 in dollars, without free tiers and volume discounts. */
export interface Price {
  dollars: number;
  /** The unit of the price. */
  unit: string;
  /** The AWS page with the price. */
  source: string;
  /** The public listing that was read instead of AWS's page, if any. */
  copy?: string;
}

/** The date on which the prices were last compared with AWS's pages or with the listings that were read instead. */
export const pricesAsOf = '2026-11-22';

/** The memory in MB at which Lambda gives a function one whole core. */
export const coreMegabytes = {
  number: 1769,
  source: 'https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html',
};

const [perMillion, perMonth] = [1e6, 1];

/** The prices of the cost page. `per` is the quantity for which `dollars` is the price. */
export const prices = {
  gatewayRequest: {
    dollars: 1,
    per: perMillion,
    unit: 'a million requests to an HTTP API, each of at most 512 KB',
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
    unit: 'a GB of ingested logs',
    source: 'https://aws.amazon.com/cloudwatch/pricing/',
  },
  trace: {
    dollars: 5,
    per: perMillion,
    unit: 'a million traces recorded',
    source: 'https://aws.amazon.com/xray/pricing/',
  },
  keyRequest: {
    dollars: 3,
    per: perMillion,
    unit: 'a million requests to KMS for data keys',
    source: 'https://aws.amazon.com/kms/pricing/',
    copy: 'https://www.wring.co/blog/aws-kms-pricing-guide',
  },
  signature: {
    dollars: 15,
    per: perMillion,
    unit: 'a million signatures by KMS on an elliptic curve',
    source: 'https://aws.amazon.com/kms/pricing/',
    copy: 'https://www.factualminds.com/blog/aws-kms-pricing-keys-requests-multi-region/',
  },
  fileWrite: {
    dollars: 5,
    per: perMillion,
    unit: 'a million PUT, COPY, POST and LIST requests to S3',
    source: 'https://aws.amazon.com/s3/pricing/',
    copy: 'https://c3x.dev/blog/s3-request-fees-explained',
  },
  fileRead: {
    dollars: 0.4,
    per: perMillion,
    unit: 'a million GET and HEAD requests to S3',
    source: 'https://aws.amazon.com/s3/pricing/',
    copy: 'https://c3x.dev/blog/s3-request-fees-explained',
  },
  mail: {
    dollars: 160,
    per: perMillion,
    unit: "a million mails, in SES's plan Essentials",
    source: 'https://aws.amazon.com/ses/pricing/',
    copy: 'https://github.com/api-evangelist/amazon-ses',
  },
  mailWithoutPlan: {
    dollars: 100,
    per: perMillion,
    unit: 'a million mails, for an account that used SES before and has no plan',
    source: 'https://aws.amazon.com/ses/pricing/',
    copy: 'https://github.com/api-evangelist/amazon-ses',
  },
  scheduledCall: {
    dollars: 1,
    per: perMillion,
    unit: 'a million invocations by EventBridge Scheduler',
    source: 'https://aws.amazon.com/eventbridge/pricing/',
  },
  alarm: {
    dollars: 0.1,
    per: perMonth,
    unit: 'a metric that an alarm reads, for a month',
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
    unit: 'a custom metric for a month',
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

/** The price of each request, by service and operation as in meter.ts. Undefined if the request is free. */
const requestPrices: Readonly<Record<string, keyof typeof prices | undefined>> = {
  'kms Decrypt': 'keyRequest',
  'kms GenerateDataKey': 'keyRequest',
  'kms Sign': 'signature',
  's3 CopyObject': 'fileWrite',
  's3 DeleteObject': undefined,
  's3 GetObject': 'fileRead',
  's3 HeadObject': 'fileRead',
  'ses SendEmail': 'mail',
};

/** The cost of `count` requests in dollars. Throws for a request that is not in `requestPrices`. */
export function costOfRequests(request: string, count: number): number {
  if (!(request in requestPrices)) throw new Error(`${request} has no price in test/costs/prices.ts`);
  const price = requestPrices[request];
  return price ? costOf(price, count) : 0;
}

/** The cost, in dollars, of a quantity. */
export const costOf = (what: keyof typeof prices, count: number): number =>
  (prices[what].dollars / prices[what].per) * count;

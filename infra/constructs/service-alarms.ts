import { Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { quarantineMetric } from '../../shared/correspondence/incoming/quarantine-metric.ts';
import { metricNamespace } from '../../shared/events/emit-metric.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import { ExplainedAlarm } from './explained-alarm.ts';

interface AlarmsProps {
  stage: StageSettings;
  alarmTopic: ITopic;
}

/**
 * The alarm also requires this number of errors in five minutes. Otherwise, a single error among few requests
 * would raise the alarm.
 */
const minErrors = 5;
/** The latency that raises the alarm. A cold start takes a fifth of this time. A request fails after 10 s. */
const slowMilliseconds = 3_000;

/** Alarms for failed and slow requests to an API. CloudWatch limits the metrics of an alarm, so each API has its own. */
export class ApiAlarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps & { name: string; api: IHttpApi }) {
    super(scope, id);
    const { stage, name, api, alarmTopic } = props;
    const sum = { statistic: 'Sum', period: Duration.minutes(5) };
    const [errors, requests] = [api.metricServerError(sum), api.metricCount(sum)];
    const percent = stage.errorPercent;
    const [share, metric, threshold]: [string, IMetric, number] =
      percent === undefined
        ? [`At least ${minErrors} requests to the API ${name}`, errors, minErrors]
        : [
            `At least ${minErrors} requests and ${percent}% of all requests to the API ${name}`,
            new MathExpression({
              label: 'Server errors, percent',
              expression: `IF(errors >= ${minErrors}, 100 * errors / requests, 0)`,
              usingMetrics: { errors, requests },
              period: Duration.minutes(5),
            }),
            percent,
          ];
    new ExplainedAlarm(this, 'ServerErrors', {
      name: nameIn(stage, `${name}-server-errors`),
      description: `${share} failed with a 5xx in five minutes. Look for level "error" in the logs of the stacks with endpoints, and for throttles on the dashboard.`,
      metric,
      threshold,
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Slow', {
      name: nameIn(stage, `${name}-slow`),
      description: `In 15 minutes, at least 1% of the requests to the API ${name} took ${slowMilliseconds / 1000} s or longer. Look for their routes in the access log, and for throttles on the dashboard.`,
      metric: api.metricLatency({ statistic: 'p99', period: Duration.minutes(15) }),
      threshold: slowMilliseconds,
      ignoresFewValues: true,
      alarmTopic,
    });
  }
}

/** The share of the quota that raises the alarm. The rest is a reserve for bursts until operators raise the quota. */
const highShare = 0.8;

/** Alarms for Lambda's concurrency quota, which all services of an AWS account and region share. */
export class LambdaAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, alarmTopic }: AlarmsProps) {
    super(scope, id);
    const high = Math.floor(highShare * stage.concurrencyQuota);
    new ExplainedAlarm(this, 'Throttles', {
      name: nameIn(stage, 'lambda-throttles'),
      description:
        'Lambda throttled a function, because the concurrency quota of the AWS account is used up. Requests fail with a 503 and messages wait. Look at the running functions on the dashboard, and raise the quota.',
      metric: lambdaAccountMetric('Throttles', { statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: 1,
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Concurrency', {
      name: nameIn(stage, 'lambda-concurrency'),
      description: `Lambda ran ${high} functions at the same time. The quota of the AWS account is ${stage.concurrencyQuota}. Above this quota, requests fail with a 503. Raise the quota, or find the functions that run too long.`,
      metric: lambdaAccountMetric('ConcurrentExecutions', {
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: high,
      alarmTopic,
    });
  }
}

/** The share of quarantined mails that raises the alarm, and the number of them in 15 minutes that it also requires. */
const [quarantinedShare, minQuarantined] = [0.5, 20];
/**
 * AWS reviews an account above these rates, and may pause it above 10% and 0.5% (Amazon SES Developer Guide, "Amazon SES
 * sending review process FAQs").
 */
const [bounceRate, complaintRate] = [0.05, 0.001];

/** Alarms for mail with customers. AWS measures the reputation of the whole AWS account and region. */
export class MailAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, alarmTopic }: AlarmsProps) {
    super(scope, id);
    const [quarantined, share] = [quarantinedMails(stage, 'Sum'), quarantinedMails(stage, 'Average')];
    // Emulators reject alarms on expressions.
    const [metric, threshold, measured]: [IMetric, number, string] = stage.emulator
      ? [quarantined, minQuarantined, `${minQuarantined} incoming mails`]
      : [
          new MathExpression({
            label: 'Quarantined mails, share',
            expression: `IF(quarantined >= ${minQuarantined}, share, 0)`,
            usingMetrics: { quarantined, share },
            period: Duration.minutes(15),
          }),
          quarantinedShare,
          `${minQuarantined} incoming mails, and ${100 * quarantinedShare}% of all,`,
        ];
    new ExplainedAlarm(this, 'Quarantined', {
      name: nameIn(stage, 'mail-quarantined'),
      description: `In 15 minutes, at least ${measured} went into quarantine. Either a mail storm or a wave of spam is arriving, or the DNS records of a sender are wrong. No mail is lost. Look at the reasons in the log group of the events stack.`,
      metric,
      threshold,
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Bounces', {
      name: nameIn(stage, 'mail-bounces'),
      description: `At least ${100 * bounceRate}% of the mail that this AWS account sent was returned. Above 10%, AWS may stop all mail. Find the account that writes to wrong addresses.`,
      metric: reputationMetric('Reputation.BounceRate'),
      threshold: bounceRate,
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Complaints', {
      name: nameIn(stage, 'mail-complaints'),
      description: `Recipients of at least ${100 * complaintRate}% of the mail that this AWS account sent reported it as spam. Above 0.5%, AWS may stop all mail. Find the account that sends unwanted mail.`,
      metric: reputationMetric('Reputation.ComplaintRate'),
      threshold: complaintRate,
      alarmTopic,
    });
  }
}

/** Incoming mails: 1 for each mail in quarantine, 0 for any other. */
export const quarantinedMails = (
  stage: StageSettings,
  statistic: 'Sum' | 'Average' | 'SampleCount',
  label?: string,
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: quarantineMetric,
    dimensionsMap: { stage: stage.name },
    statistic,
    period: Duration.minutes(15),
    ...(label !== undefined && { label }),
  });

/** The share of returned or reported mail, from 0 to 1, which SES computes from a representative volume. */
export const reputationMetric = (metricName: 'Reputation.BounceRate' | 'Reputation.ComplaintRate'): Metric =>
  new Metric({ namespace: 'AWS/SES', metricName, statistic: 'Maximum', period: Duration.hours(1) });

/** A metric of all Lambda functions of the AWS account and region. */
export const lambdaAccountMetric = (
  metricName: string,
  options: { statistic: string; period?: Duration; label?: string },
): Metric => new Metric({ namespace: 'AWS/Lambda', metricName, ...options });

/**
 * The number of throttles in five minutes that raises the alarm. A few throttles are normal while DynamoDB
 * splits a partition.
 */
const manyThrottles = 100;

/** Alarms for throttled reads and writes of the table and of each index. */
export class TableAlarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps & { tableName: string }) {
    super(scope, id);
    const { stage, tableName, alarmTopic } = props;
    for (const index of [undefined, ...tableDefinition.indexes.map(({ name }) => name)])
      for (const kind of ['read', 'write'] as const) {
        const [part, name] =
          index === undefined ? ['table', 'the table'] : [`index-${index}`, `the index ${index}`];
        new ExplainedAlarm(this, `${part}-${kind}`, {
          name: nameIn(stage, `${part}-${kind}-throttles`),
          description: `DynamoDB throttled ${manyThrottles} ${kind}s of ${name} in five minutes. The limit in the stage's settings (maxReadRequestUnits, maxWriteRequestUnits) or the limit of a partition is reached. Requests wait and fail with a 503 after 10 s.`,
          metric: throttleMetric(tableName, index, kind),
          threshold: manyThrottles,
          alarmTopic,
        });
      }
  }
}

/** The number of throttled reads or writes of the table or an index in five minutes. */
export const throttleMetric = (
  tableName: string,
  index: string | undefined,
  kind: 'read' | 'write',
): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: kind === 'read' ? 'ReadThrottleEvents' : 'WriteThrottleEvents',
    dimensionsMap: {
      TableName: tableName,
      ...(index !== undefined && { GlobalSecondaryIndexName: index }),
    },
    statistic: 'Sum',
    period: Duration.minutes(5),
  });

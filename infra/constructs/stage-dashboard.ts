import { Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { lagMetric } from '../../events/consumer.ts';
import { metricNamespace } from '../../shared/events/emit-metric.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import type { BundledSchedule } from '../build/manifest.ts';
import { edgeRegion, nameIn, type StageSettings } from '../stages.ts';
import { lambdaAccountMetric, quarantinedMails, reputationMetric, throttleMetric } from './service-alarms.ts';
import { limitRules } from './source-limits.ts';
import { logGroupOf } from './stage-logs.ts';

interface StageDashboardProps {
  stage: StageSettings;
  /** The APIs that receive a request first. */
  apis: readonly IHttpApi[];
  /** The names of all stacks with endpoints. */
  serving: readonly string[];
  tableName: string;
  schedules: readonly BundledSchedule[];
}

/** The overview for operators: requests, table, delays of the relay and consumers, queues, dead letters, and Lambda. */
export class StageDashboard extends Dashboard {
  constructor(
    scope: Construct,
    id: string,
    { stage, apis, serving, tableName, schedules }: StageDashboardProps,
  ) {
    super(scope, id, { dashboardName: nameIn(stage), defaultInterval: Duration.hours(3) });
    const sum = { statistic: 'Sum' };
    const ofTable = (metricName: string) =>
      metric('AWS/DynamoDB', metricName, { TableName: tableName }).with(sum);
    const ofQueue = (name: string, metricName: string) =>
      metric('AWS/SQS', metricName, { QueueName: nameIn(stage, name) }, name);
    const deadLetters = [...queueNames, 'relay', ...schedules.map(({ name }) => name)].map(
      (name) => `${name}-dead-letters`,
    );
    this.addWidgets(
      graph('Requests', [
        over(
          'SUM',
          'requests',
          apis.map((api) => api.metricCount(sum)),
        ),
        over(
          'SUM',
          '4xx',
          apis.map((api) => api.metricClientError(sum)),
        ),
        over(
          'SUM',
          '5xx',
          apis.map((api) => api.metricServerError(sum)),
        ),
      ]),
      graph(
        'Latency of the slowest API, ms',
        ['p50', 'p95', 'p99'].map((statistic) =>
          over(
            'MAX',
            statistic,
            apis.map((api) => api.metricLatency({ statistic })),
          ),
        ),
      ),
    );
    this.addWidgets(
      graph('Table capacity', [ofTable('ConsumedReadCapacityUnits'), ofTable('ConsumedWriteCapacityUnits')]),
      graph(
        'Table throttles',
        [undefined, ...tableDefinition.indexes.map(({ name }) => name)].flatMap((index) =>
          (['read', 'write'] as const).map((kind) =>
            throttleMetric(tableName, index, kind).with({ label: `${index ?? 'table'}, ${kind}s` }),
          ),
        ),
      ),
    );
    this.addWidgets(
      graph('Age of stream records at the relay, ms', [
        metric('AWS/Lambda', 'IteratorAge', { FunctionName: nameIn(stage, 'events-relay') }, 'relay'),
      ]),
      graph(
        'Delay of health checks, s',
        queueNames.map((queue) => metric(metricNamespace, lagMetric, { stage: stage.name, queue }, queue)),
      ),
    );
    this.addWidgets(
      graph(
        'Age of the oldest message, s',
        queueNames.map((name) => ofQueue(name, 'ApproximateAgeOfOldestMessage')),
      ),
      graph(
        'Dead letters',
        deadLetters.map((name) => ofQueue(name, 'ApproximateNumberOfMessagesVisible')),
      ),
    );
    this.addWidgets(
      graph('Lambda, all functions of the AWS account', [
        lambdaAccountMetric('Errors', { ...sum, label: 'errors' }),
        lambdaAccountMetric('Throttles', { ...sum, label: 'throttles' }),
        lambdaAccountMetric('ConcurrentExecutions', { statistic: 'Maximum', label: 'concurrent' }),
      ]),
      new LogQueryWidget({
        title: 'Cold starts',
        width: 12,
        view: LogQueryVisualizationType.LINE,
        logGroupNames: serving.map((name) => logGroupOf(stage, name)),
        queryLines: ['filter ispresent(cold)', 'stats count() as coldStarts by bin(5m)'],
      }),
    );
    if (stage.mailDomain !== undefined)
      this.addWidgets(
        graph('Incoming mails of customers', [
          quarantinedMails(stage, 'SampleCount', 'received'),
          quarantinedMails(stage, 'Sum', 'quarantined'),
        ]),
        graph('Share of returned and reported mail', [
          reputationMetric('Reputation.BounceRate'),
          reputationMetric('Reputation.ComplaintRate'),
        ]),
      );
    if (stage.edge) this.addWidgets(graph('Requests blocked by AWS WAF', blockedRequests(stage)));
  }
}

/** The requests that AWS WAF blocked, by rule. CloudFront's web ACLs publish their metrics only in us-east-1. */
const blockedRequests = (stage: StageSettings): IMetric[] =>
  limitRules.map(({ name }) =>
    metric('AWS/WAFV2', 'BlockedRequests', { WebACL: nameIn(stage), Rule: name }, name).with({
      statistic: 'Sum',
      region: edgeRegion,
    }),
  );

/** The sum or the maximum of a metric over all APIs. */
const over = (combine: 'SUM' | 'MAX', label: string, metrics: readonly IMetric[]): IMetric => {
  // Metric math requires ids that are unique in a widget.
  const named = metrics.map((metric, n) => [`m${label.replaceAll(/\W/g, '')}${n}`, metric] as const);
  return new MathExpression({
    label,
    expression: `${combine}([${named.map(([id]) => id).join(', ')}])`,
    usingMetrics: Object.fromEntries(named),
  });
};

/** A graph of 12 columns, half the width of the dashboard. */
const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: 12 });

const metric = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  label?: string,
): Metric => new Metric({ namespace, metricName, dimensionsMap, statistic: 'Maximum', label });

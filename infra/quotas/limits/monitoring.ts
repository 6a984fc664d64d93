import {
  characters,
  type DeclaredResource,
  inEach,
  inEachPart,
  itemsOf,
  type Limit,
  lengthOf,
  limitsOf,
  objectOf,
} from '../limit.ts';
import type { Properties } from '../stack-template.ts';

const cloudWatch = 'CloudWatch';
const quotas = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html';
const reference = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference';
const alarm = 'AWS::CloudWatch::Alarm';
const dashboard = 'AWS::CloudWatch::Dashboard';

const budgets = 'Budgets';
const createBudget =
  'https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_CreateBudget.html';
const budget = 'AWS::Budgets::Budget';

/** The number of queries in an alarm's math expression that retrieve a metric, or that compute an expression. */
const queries = (kind: 'MetricStat' | 'Expression') =>
  inEach(alarm, ({ properties }) =>
    properties.Metrics === undefined
      ? undefined
      : itemsOf(properties.Metrics).filter((query) => kind in objectOf(query)).length,
  );

/** The number of metrics of each widget of a dashboard. */
function metricsOf({ properties, resolve }: DeclaredResource): [string, number][] {
  const body = objectOf(JSON.parse(String(resolve(properties.DashboardBody))));
  return itemsOf(body.widgets).map((widget) => {
    const { title, metrics }: Properties = objectOf(objectOf(widget).properties);
    return [String(title), itemsOf(metrics).length];
  });
}

const notificationsOf = ({ properties }: DeclaredResource) =>
  itemsOf(properties.NotificationsWithSubscribers).map(objectOf);

export const monitoringLimits: readonly Limit[] = [
  ...limitsOf(cloudWatch, `${reference}/API_PutMetricAlarm.html`, [
    {
      counted: 'metrics in the expression of an alarm',
      allowed: 10,
      usages: queries('MetricStat'),
    },
    {
      counted: 'expressions of an alarm',
      allowed: 10,
      usages: queries('Expression'),
    },
    {
      counted: 'actions of an alarm',
      allowed: 5,
      source: quotas,
      usages: inEach(alarm, ({ properties }) => itemsOf(properties.AlarmActions).length),
    },
    {
      counted: 'dimensions of an alarm’s metric',
      allowed: 30,
      usages: inEach(alarm, ({ properties }) => itemsOf(properties.Dimensions).length),
    },
    {
      counted: 'name of an alarm, characters',
      allowed: 255,
      ...characters(alarm, 'AlarmName'),
    },
    {
      counted: 'description of an alarm, characters',
      allowed: 1024,
      ...characters(alarm, 'AlarmDescription'),
    },
    {
      counted: 'metrics of a widget',
      allowed: 500,
      source: quotas,
      usages: inEachPart(dashboard, metricsOf),
    },
    {
      counted: 'metrics of a dashboard',
      allowed: 2500,
      source: quotas,
      usages: inEach(dashboard, (one) => metricsOf(one).reduce((sum, [, metrics]) => sum + metrics, 0)),
    },
    {
      counted: 'name of a dashboard, characters',
      allowed: 255,
      source: `${reference}/API_PutDashboard.html`,
      ...characters(dashboard, 'DashboardName'),
    },
  ]),
  ...limitsOf(
    'CloudWatch Logs',
    'https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html',
    [
      {
        counted: 'name of a log group, characters',
        allowed: 512,
        ...characters('AWS::Logs::LogGroup', 'LogGroupName'),
      },
    ],
  ),
  ...limitsOf(budgets, createBudget, [
    {
      counted: 'notifications of a budget',
      allowed: 5,
      usages: inEach(budget, (one) => notificationsOf(one).length),
    },
    {
      counted: 'email addresses of a notification',
      allowed: 10,
      setting: true,
      usages: inEach(budget, (one) =>
        Math.max(
          0,
          ...notificationsOf(one).map(
            ({ Subscribers }) =>
              itemsOf(Subscribers).filter((subscriber) => objectOf(subscriber).SubscriptionType === 'EMAIL')
                .length,
          ),
        ),
      ),
    },
    {
      counted: 'name of a budget, characters',
      allowed: 100,
      source: 'https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_Budget.html',
      usages: inEach(budget, ({ properties, resolve }) =>
        lengthOf(resolve(objectOf(properties.Budget).BudgetName)),
      ),
    },
  ]),
];

import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Dashboard, GraphWidget, type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { queueNames } from '../../shared/events/queues.ts';
import { nameIn, type StageSettings } from '../stages.ts';

interface ApiDashboardProps {
  stage: StageSettings;
  api: HttpApi;
  tableName: string;
}

/** What to look at first: do requests succeed, how fast, does the table keep up, do the queues drain. */
export class ApiDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { stage, api, tableName }: ApiDashboardProps) {
    super(scope, id, { dashboardName: nameIn(stage), defaultInterval: Duration.hours(3) });
    const sum = { statistic: 'Sum' };
    const ofTable = (metricName: string) =>
      new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap: { TableName: tableName }, ...sum });
    const ofQueue = (queueName: string) =>
      new Metric({
        namespace: 'AWS/SQS',
        metricName: 'ApproximateAgeOfOldestMessage',
        dimensionsMap: { QueueName: queueName },
        statistic: 'Maximum',
        label: queueName,
      });
    this.addWidgets(
      graph('Requests', [api.metricCount(sum), api.metricClientError(sum), api.metricServerError(sum)]),
      graph(
        'Milliseconds',
        ['p50', 'p95', 'p99'].map((statistic) => api.metricLatency({ statistic, label: statistic })),
      ),
    );
    this.addWidgets(
      graph('Table capacity', [ofTable('ConsumedReadCapacityUnits'), ofTable('ConsumedWriteCapacityUnits')]),
      graph('Table throttles', [ofTable('ReadThrottleEvents'), ofTable('WriteThrottleEvents')]),
    );
    this.addWidgets(
      graph(
        'Oldest message, seconds',
        queueNames.map((name) => ofQueue(nameIn(stage, name))),
      ),
    );
  }
}

/** Two of these fill the dashboard's 24 columns. */
const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: 12 });

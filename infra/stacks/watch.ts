import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { senderRefusals } from '../../shared/channels/send-outcome.ts';
import { metricNamespace } from '../../shared/events/emit-metric.ts';
import { originRefusals } from '../../shared/http/authorize-origin.ts';
import type { Manifest } from '../build/manifest.ts';
import { ExplainedAlarm } from '../constructs/explained-alarm.ts';
import { ApiAlarms, LambdaAlarms, MailAlarms, TableAlarms } from '../constructs/service-alarms.ts';
import { StageDashboard } from '../constructs/stage-dashboard.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';
import type { EndpointsStack } from './endpoints.ts';

interface WatchProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  /** The stacks whose APIs receive a request first. */
  apis: readonly EndpointsStack[];
  /** The names of all stacks with endpoints. */
  serving: readonly string[];
  manifest: Pick<Manifest, 'schedules'>;
}

/** The monitoring of the service: alarms, budget and dashboard. Alarms of queues and schedules are in EventsStack. */
export class WatchStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, apis, serving, manifest, ...props }: WatchProps) {
    super(scope, id, props);
    const { alarmTopic, tableName } = data;
    for (const { api, node } of apis)
      new ApiAlarms(this, `Api-${node.id}`, { stage, name: node.id, api, alarmTopic });
    new LambdaAlarms(this, 'Lambda', { stage, alarmTopic });
    new TableAlarms(this, 'Table', { stage, tableName, alarmTopic });
    if (stage.mailDomain !== undefined) new MailAlarms(this, 'Mail', { stage, alarmTopic });
    new ExplainedAlarm(this, 'Sender', {
      name: nameIn(stage, 'sender-refused'),
      description:
        'SES or SNS rejects mail or text messages because of the sender: its rights, its identity, or the AWS account. Messages are retried for several hours and then lost.',
      metric: new Metric({
        namespace: metricNamespace,
        metricName: senderRefusals,
        dimensionsMap: { stage: stage.name },
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 1,
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Origin', {
      name: nameIn(stage, 'origin-refusals'),
      description:
        'An API rejects requests with a wrong origin token. If every request fails with a 403, the front (CloudFront, or the API that clients call) sends a token that is not in the secret. Otherwise, an unknown client calls the API directly and guesses tokens.',
      metric: new Metric({
        namespace: metricNamespace,
        metricName: originRefusals,
        dimensionsMap: { stage: stage.name },
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 1,
      alarmTopic,
    });
    if (stage.monthlyBudget !== undefined) this.addBudget(stage, stage.monthlyBudget);
    new StageDashboard(this, 'Dashboard', {
      ...{ stage, serving, tableName },
      apis: apis.map(({ api }) => api),
      schedules: manifest.schedules,
    });
  }

  /**
   * Sends a mail at 80% of the monthly budget, and when the forecast exceeds the budget. Stops no resources. AWS chooses the
   * name of the budget: CloudFormation replaces the budget if its recipients change, and the name of the old one is still
   * in use then (github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/365).
   */
  private addBudget(stage: StageSettings, amount: number): void {
    const subscribers = stage.alarmEmails?.map((address) => ({ address, subscriptionType: 'EMAIL' })) ?? [];
    const above = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: {
        notificationType,
        threshold,
        thresholdType: 'PERCENTAGE',
        comparisonOperator: 'GREATER_THAN',
      },
      subscribers,
    });
    new CfnBudget(new Construct(this, 'Budget'), 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount, unit: 'USD' },
      },
      notificationsWithSubscribers: [above('ACTUAL', 80), above('FORECASTED', 100)],
    });
  }
}

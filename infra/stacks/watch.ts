import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../shared/events/emit-metric.ts';
import { senderRefusals } from '../../shared/messaging/messages/send-outcome.ts';
import type { Manifest } from '../build/manifest.ts';
import { ApiAlarms } from '../constructs/api-alarms.ts';
import { ExplainedAlarm } from '../constructs/explained-alarm.ts';
import { LambdaAlarms } from '../constructs/lambda-alarms.ts';
import { MonthlyBudget } from '../constructs/monthly-budget.ts';
import { StageDashboard } from '../constructs/stage-dashboard.ts';
import { TableAlarms } from '../constructs/table-alarms.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';

interface WatchProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  api: HttpApi;
  manifest: Pick<Manifest, 'schedules'>;
}

/** What looks at the whole service, beside the alarms that belong to one queue or schedule: it holds nothing up. */
export class WatchStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, api, manifest, ...props }: WatchProps) {
    super(scope, id, props);
    const { alarmTopic, tableName } = data;
    new ApiAlarms(this, 'Api', { stage, api, alarmTopic });
    new LambdaAlarms(this, 'Lambda', { stage, alarmTopic });
    new TableAlarms(this, 'Table', { stage, tableName, alarmTopic });
    new ExplainedAlarm(this, 'Sender', {
      name: nameIn(stage, 'sender-refused'),
      meaning:
        'SES or SNS refuses mail or text messages because of the sender: its rights, its identity, or the AWS account. Messages are retried for 8 hours, then they are lost.',
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
    if (stage.monthlyBudget !== undefined)
      new MonthlyBudget(this, 'Budget', {
        stage,
        dollars: stage.monthlyBudget,
        emails: stage.alarmEmails ?? [],
      });
    new StageDashboard(this, 'Dashboard', { stage, api, tableName, schedules: manifest.schedules });
  }
}

import { Stack, type StackProps } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { Manifest } from '../build/manifest.ts';
import { ApiAlarms } from '../constructs/api-alarms.ts';
import { LambdaAlarms } from '../constructs/lambda-alarms.ts';
import { MonthlyBudget } from '../constructs/monthly-budget.ts';
import { StageDashboard } from '../constructs/stage-dashboard.ts';
import { TableAlarms } from '../constructs/table-alarms.ts';
import type { StageSettings } from '../stages.ts';
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
    if (stage.monthlyBudget !== undefined)
      new MonthlyBudget(this, 'Budget', {
        stage,
        dollars: stage.monthlyBudget,
        emails: stage.alarmEmails ?? [],
      });
    new StageDashboard(this, 'Dashboard', { stage, api, tableName, schedules: manifest.schedules });
  }
}

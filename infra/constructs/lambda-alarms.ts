import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { nameIn, type StageSettings } from '../stages.ts';
import { ExplainedAlarm } from './explained-alarm.ts';

/** Of the quota: what is left takes a burst, and time to ask AWS for more. */
const highShare = 0.8;

interface LambdaAlarmsProps {
  stage: StageSettings;
  alarmTopic: ITopic;
}

/** Whether Lambda has room: all functions of an account and region share one quota, those of other services too. */
export class LambdaAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, alarmTopic }: LambdaAlarmsProps) {
    super(scope, id);
    const most = Math.floor(highShare * stage.concurrencyQuota);
    new ExplainedAlarm(this, 'Throttles', {
      name: nameIn(stage, 'lambda-throttles'),
      meaning:
        'Lambda refused to run a function: the account runs as many at once as its quota allows. Requests get a 503, messages wait. See which functions run on the dashboard, and raise the quota.',
      metric: lambdaAccountMetric('Throttles', { statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: 1,
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Concurrency', {
      name: nameIn(stage, 'lambda-concurrency'),
      meaning: `Lambda ran ${most} functions at once, of ${stage.concurrencyQuota} that the account may run: past them requests get a 503. Raise the quota, or find what keeps functions running.`,
      metric: lambdaAccountMetric('ConcurrentExecutions', {
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: most,
      alarmTopic,
    });
  }
}

/** A metric of Lambda over all functions of the account and region. */
export const lambdaAccountMetric = (
  metricName: string,
  options: { statistic: string; period?: Duration; label?: string },
): Metric => new Metric({ namespace: 'AWS/Lambda', metricName, ...options });

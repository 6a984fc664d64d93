import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { nameIn, type StageSettings } from '../stages.ts';
import { ExplainedAlarm } from './explained-alarm.ts';

/** Fewer in five minutes are no rate: one bad request of three is a third. */
const fewestErrors = 5;
/** A cold start is a fifth of it, and a request gives up after 10 s. */
const slowMilliseconds = 3_000;

interface ApiAlarmsProps {
  stage: StageSettings;
  api: HttpApi;
  alarmTopic: ITopic;
}

/** Whether requests succeed, and in time. */
export class ApiAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, api, alarmTopic }: ApiAlarmsProps) {
    super(scope, id);
    const sum = { statistic: 'Sum', period: Duration.minutes(5) };
    const [errors, requests] = [api.metricServerError(sum), api.metricCount(sum)];
    const percent = stage.errorPercent;
    const [said, metric, threshold]: [string, IMetric, number] =
      percent === undefined
        ? [`${fewestErrors} requests in five minutes`, errors, fewestErrors]
        : [
            `${percent} % of the requests of five minutes, and ${fewestErrors} at least,`,
            new MathExpression({
              label: 'Server errors, per cent',
              expression: `IF(errors >= ${fewestErrors}, 100 * errors / requests, 0)`,
              usingMetrics: { errors, requests },
              period: Duration.minutes(5),
            }),
            percent,
          ];
    new ExplainedAlarm(this, 'ServerErrors', {
      name: nameIn(stage, 'server-errors'),
      meaning: `At least ${said} got a 5xx: look for level "error" in the logs of api and support, and for throttles on the dashboard.`,
      metric,
      threshold,
      alarmTopic,
    });
    new ExplainedAlarm(this, 'Slow', {
      name: nameIn(stage, 'slow'),
      meaning: `One of a hundred requests took ${slowMilliseconds / 1000} s or longer, over a quarter of an hour: look which routes they are of in the access log, and for throttles on the dashboard.`,
      metric: api.metricLatency({ statistic: 'p99', period: Duration.minutes(15) }),
      threshold: slowMilliseconds,
      ignoresFewValues: true,
      alarmTopic,
    });
  }
}

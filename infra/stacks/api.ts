import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { ApiDashboard } from '../constructs/api-dashboard.ts';
import { corsOf } from '../constructs/cors.ts';
import { ExplainedAlarm } from '../constructs/explained-alarm.ts';
import { addHttpEndpoints } from '../constructs/http-endpoints.ts';
import { StageLogs } from '../constructs/stage-logs.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';

/** The access log's fields of each request: nothing that the client typed in. */
const accessLog = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  bytes: '$context.responseLength',
  milliseconds: '$context.responseLatency',
  functionMilliseconds: '$context.integrationLatency',
  functionStatus: '$context.integrationStatus',
  functionError: '$context.integrationErrorMessage',
};

interface ApiProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  endpoints: readonly BundledEndpoint[];
}

/** What serves requests: the HTTP API and, for most contracts, a route, an integration and a function. */
export class ApiStack extends Stack {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { stage, data, endpoints, ...props }: ApiProps) {
    super(scope, id, props);
    const api = new HttpApi(this, 'Api', {
      apiName: nameIn(stage),
      createDefaultStage: false,
      corsPreflight: corsOf(stage),
    });
    this.api = api;
    const accessLogs = new StageLogs(this, 'AccessLogs', {
      stage,
      // This prefix spares API Gateway a resource policy that grows with each group and has an end:
      // docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
      logGroupName: `/aws/vendedlogs/${nameIn(stage)}/access`,
    });
    new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: stage.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });

    const logGroup = new StageLogs(this, 'Logs', { stage, logGroupName: `/${nameIn(stage)}/api` });
    addHttpEndpoints(this, { stage, data, api, bundles: endpoints, logGroup, under: api });

    new ExplainedAlarm(this, 'ServerErrors', {
      name: nameIn(stage, 'server-errors'),
      meaning:
        'Five requests in five minutes got a 5xx: look for level "error" in the logs of api and support, and for throttles on the dashboard.',
      metric: api.metricServerError({ statistic: 'Sum' }),
      threshold: 5,
      alarmTopic: data.alarmTopic,
    });
    new ApiDashboard(this, 'Dashboard', { stage, api, tableName: data.tableName });
    new CfnOutput(this, 'Url', { value: api.apiEndpoint, description: 'The address of the API' });
  }
}

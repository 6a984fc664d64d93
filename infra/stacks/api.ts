import { CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { Manifest } from '../build/manifest.ts';
import { ApiDashboard } from '../constructs/api-dashboard.ts';
import { corsOf } from '../constructs/cors.ts';
import { EndpointRoles } from '../constructs/endpoint-roles.ts';
import { ExplainedAlarm } from '../constructs/explained-alarm.ts';
import { GatewayRole } from '../constructs/gateway-role.ts';
import { HttpEndpoint } from '../constructs/http-endpoint.ts';
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
  manifest: Manifest;
}

/** What serves requests: the HTTP API and, for each contract, a route, an integration and a function. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, manifest, ...props }: ApiProps) {
    super(scope, id, props);
    const api = new HttpApi(this, 'Api', {
      apiName: nameIn(stage),
      createDefaultStage: false,
      corsPreflight: corsOf(stage),
    });
    Validations.of(api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Each function authenticates the principal itself: permissions count at once, in the same read as the record.',
    });
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
    const roles = new EndpointRoles(this, 'Roles', { stage, data, logGroup });
    const gatewayRole = new GatewayRole(this, 'GatewayRole');
    const endpoints = manifest.endpoints.map(
      (bundle) => new HttpEndpoint(api, bundle.name, { stage, api, bundle, roles, gatewayRole, logGroup }),
    );
    gatewayRole.mayInvoke(endpoints.map(({ lambda }) => lambda));

    new ExplainedAlarm(this, 'ServerErrors', {
      name: nameIn(stage, 'server-errors'),
      meaning:
        'Five requests in five minutes got a 5xx: look for level "error" in the api logs, and for throttles on the dashboard.',
      metric: api.metricServerError({ statistic: 'Sum' }),
      threshold: 5,
      alarmTopic: data.alarmTopic,
    });
    new ApiDashboard(this, 'Dashboard', { stage, api, tableName: data.tableName });
    new CfnOutput(this, 'Url', { value: api.apiEndpoint, description: 'The address of the API' });
  }
}

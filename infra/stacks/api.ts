import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { DomainName, HttpApi, LogGroupLogDestination, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { corsOf } from '../constructs/cors.ts';
import { addHttpEndpoints } from '../constructs/http-endpoints.ts';
import { ServingStage } from '../constructs/serving-stage.ts';
import { logGroupOf, StageLogs } from '../constructs/stage-logs.ts';
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
    const logGroup = new StageLogs(this, 'Logs', { stage, logGroupName: logGroupOf(stage, 'api') });
    const served = addHttpEndpoints(this, { stage, data, api, bundles: endpoints, logGroup, under: api });
    const domain = stage.domain && this.domain(stage.domain);
    new ServingStage(this, 'Stage', {
      stage,
      api,
      domain,
      endpoints: served,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });
    new CfnOutput(this, 'Url', {
      value: stage.domain ? `https://${stage.domain.name}` : api.apiEndpoint,
      description: 'The address of the API',
    });
  }

  /** The name that clients know. Whoever runs the zone points it at the output. */
  private domain({ name, certificateArn }: NonNullable<StageSettings['domain']>): DomainName {
    const domain = new DomainName(this, 'Domain', {
      domainName: name,
      securityPolicy: SecurityPolicy.TLS_1_2,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    new CfnOutput(this, 'DomainTarget', {
      value: domain.regionalDomainName,
      description: `What ${name} is to be an alias of`,
    });
    return domain;
  }
}

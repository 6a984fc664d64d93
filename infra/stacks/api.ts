import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  CorsHttpMethod,
  type CorsPreflightOptions,
  DomainName,
  HttpApi,
  HttpStage,
  LogGroupLogDestination,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { addHttpEndpoints, type HttpEndpoint, routeKeyOf } from '../constructs/http-endpoints.ts';
import { logGroupOf, StageLogs } from '../constructs/stage-logs.ts';
import { corsRules } from '../cors-rules.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';

/** The fields of the access log. They contain no input from the client. */
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

/** The HTTP API with the routes, integrations and functions of most endpoints. */
export class ApiStack extends Stack {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { stage, data, endpoints, ...props }: ApiProps) {
    super(scope, id, props);
    const api = new HttpApi(this, 'Api', {
      apiName: nameIn(stage),
      createDefaultStage: false,
      disableExecuteApiEndpoint: stage.domain !== undefined,
      corsPreflight: corsOf(stage),
    });
    this.api = api;
    const accessLogs = new StageLogs(this, 'AccessLogs', {
      stage,
      // With this prefix, API Gateway does not add each log group to a CloudWatch resource policy, whose size
      // is limited: docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
      logGroupName: `/aws/vendedlogs/${nameIn(stage)}/access`,
    });
    const logGroup = new StageLogs(this, 'Logs', { stage, logGroupName: logGroupOf(stage, 'api') });
    const served = addHttpEndpoints(this, { stage, data, api, bundles: endpoints, logGroup, parent: api });
    const domain = stage.domain && this.domain(stage.domain);
    const httpStage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: stage.throttle,
      domainMapping: domain && { domainName: domain },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });
    addRouteThrottles(httpStage, served, stage);
    new CfnOutput(this, 'Url', {
      value: stage.domain ? `https://${stage.domain.name}` : api.apiEndpoint,
      description: 'The URL of the API',
    });
  }

  /** The domain of the API. Its DNS record must point to the output `DomainTarget`. */
  private domain({ name, certificateArn }: NonNullable<StageSettings['domain']>): DomainName {
    const domain = new DomainName(this, 'Domain', {
      domainName: name,
      securityPolicy: SecurityPolicy.TLS_1_2,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    new CfnOutput(this, 'DomainTarget', {
      value: domain.regionalDomainName,
      description: `The target of the DNS record of ${name}`,
    });
    return domain;
  }
}

/** Sets lower request limits for the routes below `/auth` and for the routes that accept an appKey. */
function addRouteThrottles(
  httpStage: HttpStage,
  endpoints: readonly HttpEndpoint[],
  stage: StageSettings,
): void {
  const settings: Record<string, unknown> = {};
  for (const { contract, route } of endpoints) {
    const { path, applicant } = contract;
    const throttle = path.startsWith('/auth/') ? stage.signInThrottle : applicant && stage.applicantThrottle;
    if (!throttle) continue;
    settings[routeKeyOf(contract)] = {
      ThrottlingRateLimit: throttle.rateLimit,
      ThrottlingBurstLimit: throttle.burstLimit,
    };
    // API Gateway rejects settings of a route that does not exist yet, so the route must be deployed first.
    httpStage.node.addDependency(route);
  }
  (httpStage.node.defaultChild as CfnStage).routeSettings = settings;
}

/** The CORS configuration of the HTTP API. Undefined if the stage allows no origin. */
const corsOf = ({ allowedOrigins }: StageSettings): CorsPreflightOptions | undefined =>
  allowedOrigins.length === 0
    ? undefined
    : {
        allowOrigins: [...allowedOrigins],
        allowMethods: corsRules.methods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...corsRules.requestHeaders],
        exposeHeaders: [...corsRules.responseHeaders],
        maxAge: Duration.seconds(corsRules.maxAgeSeconds),
      };

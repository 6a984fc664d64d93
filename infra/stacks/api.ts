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
import type { BundledEndpoint, BundledFunction } from '../build/manifest.ts';
import { addHttpEndpoints, type HttpEndpoint, routeKeyOf } from '../constructs/http-endpoints.ts';
import { OriginCheck } from '../constructs/origin-check.ts';
import { logGroupOf, StageLogs } from '../constructs/stage-logs.ts';
import { corsRules } from '../cors-rules.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';
import { originOutput } from './edge.ts';

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
  /** The function that rejects requests that do not come from CloudFront. Deployed only in stages with CloudFront. */
  authorizer: BundledFunction;
}

/** The HTTP API with the routes, integrations and functions of most endpoints. */
export class ApiStack extends Stack {
  readonly api: HttpApi;
  /** The authorizer of all routes. Undefined if the stage has no CloudFront. */
  readonly authorizerId: string | undefined;

  constructor(scope: Construct, id: string, { stage, data, endpoints, authorizer, ...props }: ApiProps) {
    super(scope, id, props);
    const api = new HttpApi(this, 'Api', {
      apiName: nameIn(stage),
      createDefaultStage: false,
      // Behind CloudFront, the default address is the origin, and rejects requests that do not come from CloudFront.
      disableExecuteApiEndpoint: stage.domain !== undefined && !stage.edge,
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
    const originCheck =
      stage.edge && new OriginCheck(this, 'OriginCheck', { stage, api, bundle: authorizer, logGroup });
    this.authorizerId = originCheck?.authorizerId;
    const { authorizerId } = this;
    const parent = api;
    const served = addHttpEndpoints(this, {
      ...{ stage, data, api, authorizerId, bundles: endpoints, logGroup, parent },
    });
    const domain = stage.edge ? undefined : stage.domain && this.domain(stage.domain);
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
    if (stage.edge)
      new CfnOutput(this, originOutput, {
        value: `${api.apiId}.execute-api.${this.region}.${this.urlSuffix}`,
        description: 'The domain of the gateway, to which CloudFront forwards requests',
      });
    else
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

/**
 * Sets lower request limits for the routes below `/auth`. Routes that accept an appKey have no lower limit, because staff
 * call the same routes: AWS WAF limits the requests of applicants.
 */
function addRouteThrottles(
  httpStage: HttpStage,
  endpoints: readonly HttpEndpoint[],
  stage: StageSettings,
): void {
  const settings: Record<string, unknown> = {};
  for (const { contract, route } of endpoints) {
    if (!contract.path.startsWith('/auth/')) continue;
    settings[routeKeyOf(contract)] = {
      ThrottlingRateLimit: stage.signInThrottle.rateLimit,
      ThrottlingBurstLimit: stage.signInThrottle.burstLimit,
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

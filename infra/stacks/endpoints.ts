import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  CorsHttpMethod,
  type CorsPreflightOptions,
  HttpApi,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { addHttpEndpoints, type HttpEndpoint, routeKeyOf } from '../constructs/http-endpoints.ts';
import { OriginAuthorizer } from '../constructs/origin-check.ts';
import { accessLogsOf, logGroupOf, StageLogs } from '../constructs/stage-logs.ts';
import { corsRules } from '../cors-rules.ts';
import type { StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';

/** The fields of the access log, in addition to the name of the API. They contain no input from the client. */
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

/** The output with the domain of a stack's API, to which CloudFront forwards requests. */
export const originOutput = 'OriginDomain';

interface EndpointsStackProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  endpoints: readonly BundledEndpoint[];
  /** The endpoint that responds to unknown paths, if it is in another stack. */
  unknownPaths?: BundledEndpoint;
  apiName: string;
  /** The limits of each route that has no own limits. Default: the limits of the stage. */
  otherRoutes?: StageSettings['throttle'];
  /** Whether clients call this API. If not, it accepts only requests from the stage's front. */
  isFront?: boolean;
}

/**
 * Endpoints with their HTTP API. Each stack has its own API, because an API can have only 300 integrations and a stack
 * only 500 resources.
 */
export class EndpointsStack extends Stack {
  readonly api: HttpApi;
  protected readonly httpStage: HttpStage;
  protected readonly logGroup: ILogGroup;
  protected readonly authorizer: OriginAuthorizer | undefined;

  constructor(
    scope: Construct,
    name: string,
    { stage, data, endpoints, unknownPaths, apiName, otherRoutes, isFront, ...props }: EndpointsStackProps,
  ) {
    super(scope, name, props);
    const api = new HttpApi(this, 'Api', {
      apiName,
      createDefaultStage: false,
      // With CloudFront, the default address is the origin, and rejects requests that do not come from CloudFront.
      disableExecuteApiEndpoint: isFront === true && stage.domain !== undefined,
      corsPreflight: corsOf(stage),
    });
    this.api = api;
    // Always exported, although only some stages import it: an export that a setting removes would block its deployment.
    this.exportValue(api.apiId);
    const logGroup = new StageLogs(this, 'Logs', { stage, logGroupName: logGroupOf(stage, name) });
    this.logGroup = logGroup;
    this.authorizer = isFront ? undefined : new OriginAuthorizer(this, 'Origin', { stage, api });
    const authorizerId = this.authorizer?.authorizerId;
    const served = addHttpEndpoints(this, {
      ...{ stage, data, api, authorizerId, bundles: endpoints, unknownPaths, logGroup, parent: api },
    });
    this.httpStage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: otherRoutes ?? stage.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          LogGroup.fromLogGroupName(this, 'AccessLogGroup', accessLogsOf(stage)),
        ),
        format: AccessLogFormat.custom(JSON.stringify({ api: name, ...accessLog })),
      },
    });
    addRouteThrottles(this.httpStage, served, stage, otherRoutes !== undefined);
    if (stage.edge)
      new CfnOutput(this, originOutput, {
        value: `${api.apiId}.execute-api.${this.region}.${this.urlSuffix}`,
        description: 'The domain of the API, to which CloudFront forwards requests',
      });
  }
}

/**
 * Sets lower request limits for the routes below `/auth`. Routes that accept an appKey have no lower limit, because staff
 * call the same routes: AWS WAF limits the requests of applicants. If `all` is true, also sets the limits of the other
 * routes, because the limits of the API are those of its routes to other APIs. An update of the stage does not remove the
 * settings of a removed route (github.com/hashicorp/terraform-provider-aws/pull/16133). The handbook has the remedy.
 */
function addRouteThrottles(
  httpStage: HttpStage,
  endpoints: readonly HttpEndpoint[],
  stage: StageSettings,
  all: boolean,
): void {
  const settings: Record<string, unknown> = {};
  for (const { contract, route } of endpoints) {
    const signsIn = contract.path.startsWith('/auth/');
    if (!signsIn && !all) continue;
    const { rateLimit, burstLimit } = signsIn ? stage.signInThrottle : stage.throttle;
    settings[routeKeyOf(contract)] = { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit };
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

import type { IDomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { type CfnStage, HttpStage, type HttpStageProps, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';
import { type HttpEndpoint, routeKeyOf } from './http-endpoint.ts';

interface ServingStageProps extends Pick<HttpStageProps, 'accessLogSettings'> {
  stage: StageSettings;
  api: IHttpApi;
  domain?: IDomainName;
  /** Those of the same stack, which the stage can wait for. */
  endpoints: readonly HttpEndpoint[];
}

/** What serves the API's routes, each with its throttle: whoever is not known yet waits before all others do. */
export class ServingStage extends HttpStage {
  constructor(scope: Construct, id: string, { stage, api, domain, endpoints, ...props }: ServingStageProps) {
    super(scope, id, {
      ...props,
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: stage.throttle,
      domainMapping: domain && { domainName: domain },
    });
    const settings: Record<string, unknown> = {};
    for (const { contract, route } of endpoints) {
      const throttle = throttleOf(contract, stage);
      if (!throttle) continue;
      settings[routeKeyOf(contract)] = {
        ThrottlingRateLimit: throttle.rateLimit,
        ThrottlingBurstLimit: throttle.burstLimit,
      };
      // API Gateway takes settings of routes only that are there.
      this.node.addDependency(route);
    }
    (this.node.defaultChild as CfnStage).routeSettings = settings;
  }
}

function throttleOf({ path, applicant }: HttpEndpoint['contract'], stage: StageSettings) {
  if (path.startsWith('/auth/')) return stage.signInThrottle;
  return applicant ? stage.applicantThrottle : undefined;
}

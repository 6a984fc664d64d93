import { CfnOutput, type StackProps } from 'aws-cdk-lib';
import { ApiMapping, DomainName, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { BundledEndpoint, BundledFunction } from '../build/manifest.ts';
import { OriginCheck } from '../constructs/origin-check.ts';
import { accessLogsOf, StageLogs } from '../constructs/stage-logs.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';
import { EndpointsStack } from './endpoints.ts';

interface ApiProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  endpoints: readonly BundledEndpoint[];
  /** The function that rejects requests that do not come from the stage's front. */
  authorizer: BundledFunction;
}

/**
 * API Gateway's quota for all APIs of an AWS account in the regions with the lowest quota (API Gateway Developer Guide,
 * "Amazon API Gateway quotas"). The routes to other APIs have no lower limits, because each endpoint behind them has its
 * own limit.
 */
const lowestQuota = { rateLimit: 2_500, burstLimit: 1_250 };

/**
 * The endpoints of all paths that no other stack serves, and what the APIs of the stage share: the access log, and the
 * check of the origin. In stages without CloudFront, clients call this API, and it forwards the requests of other stacks.
 */
export class ApiStack extends EndpointsStack {
  constructor(scope: Construct, id: string, { authorizer: bundle, ...props }: ApiProps) {
    const { stage } = props;
    const isFront = !stage.edge;
    super(scope, id, {
      ...props,
      isFront,
      apiName: nameIn(stage),
      ...(isFront && {
        otherRoutes: {
          rateLimit: Math.max(lowestQuota.rateLimit, stage.throttle.rateLimit),
          burstLimit: Math.max(lowestQuota.burstLimit, stage.throttle.burstLimit),
        },
      }),
    });
    const { logGroup } = this;
    const accessLogs = new StageLogs(this, 'AccessLogs', { stage, logGroupName: accessLogsOf(stage) });
    this.httpStage.node.addDependency(accessLogs);
    const originCheck = new OriginCheck(this, 'OriginCheck', { stage, bundle, logGroup });
    this.authorizer?.node.addDependency(originCheck);
    if (!isFront) return;
    if (stage.domain) this.addDomain(stage.domain);
    new CfnOutput(this, 'Url', {
      value: stage.domain ? `https://${stage.domain.name}` : this.api.apiEndpoint,
      description: 'The URL of the API',
    });
  }

  /** Adds the domain of the API. Its DNS record must point to the output `DomainTarget`. */
  private addDomain({ name, certificateArn }: NonNullable<StageSettings['domain']>): void {
    const domainName = new DomainName(this, 'Domain', {
      domainName: name,
      securityPolicy: SecurityPolicy.TLS_1_2,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    new ApiMapping(this, 'Mapping', { api: this.api, domainName, stage: this.httpStage });
    new CfnOutput(this, 'DomainTarget', {
      value: domainName.regionalDomainName,
      description: `The target of the DNS record of ${name}`,
    });
  }
}

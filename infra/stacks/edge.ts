import {
  CfnOutput,
  CfnWaitConditionHandle,
  Duration,
  Fn,
  Stack,
  type StackProps,
  Validations,
} from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';
import { originTokenHeader } from '../../shared/http/authorize-origin.ts';
import { viewerHeaders } from '../../shared/http/viewer.ts';
import { originTokenOf } from '../constructs/origin-check.ts';
import { SourceLimits } from '../constructs/source-limits.ts';
import { frontName } from '../endpoint-stacks.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import { originOutput } from './endpoints.ts';

/** The status codes of errors that CloudFront would cache for ten seconds. */
const cachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * The code of the CloudFront function that runs before each request is forwarded. It replaces the headers if the client
 * sent them. `CloudFront-Viewer-Address` cannot be used: CloudFront adds it only with a policy that also forwards `Host`,
 * and the gateway rejects a `Host` that is not its own.
 */
export const viewerFunctionCode = `function handler(event) {
  var request = event.request;
  request.headers['${viewerHeaders.address}'] = { value: event.viewer.ip };
  request.headers['${viewerHeaders.host}'] = { value: request.headers.host.value };
  return request;
}
`;

interface EdgeProps extends StackProps {
  stage: StageSettings;
  /** The path patterns of the stacks with their own API. All other paths belong to the stack `api`. */
  patterns: readonly { pattern: string; stack: string }[];
}

/**
 * CloudFront with AWS WAF in front of the APIs, because an HTTP API accepts no web ACL. This stack is in us-east-1,
 * where AWS requires the web ACLs and certificates of CloudFront. It reads the domains of the APIs from the outputs of
 * their stacks, which may be in another region. The stack is empty if the stage has no CloudFront.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, { stage, patterns, ...props }: EdgeProps) {
    super(scope, id, props);
    // CloudFormation requires a resource in each stack. This one creates nothing.
    if (stage.edge) this.addDistribution(stage, stage.edge, patterns);
    else new CfnWaitConditionHandle(this, 'Empty');
  }

  private addDistribution(
    stage: StageSettings,
    edge: NonNullable<StageSettings['edge']>,
    patterns: EdgeProps['patterns'],
  ): void {
    const { domain } = stage;
    const origins = new Map<string, HttpOrigin>();
    const originOf = (stack: string): HttpOrigin => {
      const origin =
        origins.get(stack) ??
        new HttpOrigin(Fn.getStackOutput(nameIn(stage, stack), originOutput, stage.region), {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          customHeaders: { [originTokenHeader]: originTokenOf(stage) },
          readTimeout: Duration.seconds(30),
        });
      origins.set(stack, origin);
      return origin;
    };
    const viewer = new EdgeFunction(this, 'Viewer', {
      functionName: nameIn(stage, 'viewer'),
      comment: 'Sends the address and the host of the viewer to the gateway',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(viewerFunctionCode),
    });
    const behaviorOf = (stack: string): BehaviorOptions => ({
      origin: originOf(stack),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      compress: false,
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: viewer }],
    });
    const distribution = new Distribution(this, 'Distribution', {
      comment: nameIn(stage),
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      // A client with IPv6 can change its address for each request, and AWS WAF counts single addresses.
      enableIpv6: false,
      webAclId: new SourceLimits(this, 'Limits', { stage, limits: edge.limits }).attrArn,
      defaultBehavior: behaviorOf(frontName),
      additionalBehaviors: Object.fromEntries(
        patterns.map(({ pattern, stack }) => [pattern, behaviorOf(stack)]),
      ),
      errorResponses: cachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Callers may be in any country.' },
      {
        id: 'AwsSolutions-CFR3',
        reason: 'The gateway logs each request. AWS WAF counts blocked requests and keeps samples of them.',
      },
      ...(domain
        ? []
        : [
            {
              id: 'AwsSolutions-CFR4',
              reason: 'The minimum TLS version of CloudFront’s own domain is fixed.',
            },
          ]),
    );
    new CfnOutput(this, 'Url', {
      value: `https://${domain?.name ?? distribution.distributionDomainName}`,
      description: 'The URL of the API',
    });
    if (domain)
      new CfnOutput(this, 'DomainTarget', {
        value: distribution.distributionDomainName,
        description: `The target of the DNS record of ${domain.name}`,
      });
  }
}

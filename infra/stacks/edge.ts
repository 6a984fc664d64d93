import { CfnOutput, Duration, Fn, SecretValue, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
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
import { SourceLimits } from '../constructs/source-limits.ts';
import { nameIn, originSecretOf, type StageSettings } from '../stages.ts';

/** The output of the stack `api` with the domain of the gateway. */
export const originOutput = 'OriginDomain';

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
  edge: NonNullable<StageSettings['edge']>;
}

/**
 * CloudFront with AWS WAF in front of the gateway, because an HTTP API accepts no web ACL. This stack is in us-east-1,
 * where AWS requires the web ACLs and certificates of CloudFront. It reads the gateway's domain from the outputs of the
 * stack `api`, which may be in another region.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, { stage, edge, ...props }: EdgeProps) {
    super(scope, id, props);
    const { domain } = stage;
    const token = SecretValue.secretsManager(originSecretOf(stage), { jsonField: edge.originToken });
    const origin = new HttpOrigin(Fn.getStackOutput(nameIn(stage, 'api'), originOutput, stage.region), {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      // The value is a reference, which CloudFormation resolves. The template does not contain the token.
      customHeaders: { [originTokenHeader]: token.unsafeUnwrap() },
      readTimeout: Duration.seconds(30),
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
      defaultBehavior: {
        origin,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        compress: false,
        functionAssociations: [
          {
            eventType: FunctionEventType.VIEWER_REQUEST,
            function: new EdgeFunction(this, 'Viewer', {
              functionName: nameIn(stage, 'viewer'),
              comment: 'Sends the address and the host of the viewer to the gateway',
              runtime: FunctionRuntime.JS_2_0,
              code: FunctionCode.fromInline(viewerFunctionCode),
            }),
          },
        ],
      },
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

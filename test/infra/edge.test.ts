import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { servingStackNames } from '../../infra/endpoint-stacks.ts';
import { stageNamed } from '../../infra/stages.ts';
import {
  builtManifest,
  type Deployment,
  deploymentOf,
  expectResource,
  resources,
  servingTemplates,
} from '../harness/deployment.ts';
import { completedProd as prod } from '../harness/production.ts';

let deployed: Deployment;
let edge: Template;
let withoutEdge: Deployment;

beforeAll(async () => {
  const manifest = await builtManifest();
  deployed = deploymentOf(prod, manifest);
  if (!deployed.edge) throw new Error('The stage prod has no stack edge.');
  edge = deployed.edge;
  // Uses every fourth endpoint, because all routes share the code that is tested here.
  const endpoints = manifest.endpoints.filter((_, n) => n % 4 === 0);
  withoutEdge = deploymentOf({ ...prod, edge: undefined, domain: undefined }, { ...manifest, endpoints });
});

describe('CloudFront', () => {
  test('CloudFront forwards every request uncached to the gateway, with all headers except Host', () => {
    const [[, { DistributionConfig }] = ['', { DistributionConfig: {} as DistributionConfig }]] = resources<{
      DistributionConfig: DistributionConfig;
    }>(edge, 'AWS::CloudFront::Distribution');
    const { DefaultCacheBehavior, CacheBehaviors, CustomErrorResponses, Origins } = DistributionConfig;
    for (const behavior of [DefaultCacheBehavior, ...CacheBehaviors])
      expect(behavior).toMatchObject({
        AllowedMethods: expect.arrayContaining(['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT']),
        // The ids of the managed policies CachingDisabled and AllViewerExceptHostHeader.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        ViewerProtocolPolicy: 'https-only',
        FunctionAssociations: [{ EventType: 'viewer-request', FunctionARN: expect.anything() }],
      });
    // CloudFront would otherwise cache these errors for ten seconds, for all callers.
    expect(
      CustomErrorResponses.map(({ ErrorCode, ErrorCachingMinTTL }) => [ErrorCode, ErrorCachingMinTTL]),
    ).toEqual([400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((code) => [code, 0]));
    const stacks = servingStackNames.map((name) => `merchant-ops-prod-${name}`);
    const origin = (StackName: string) => ({
      DomainName: {
        'Fn::GetStackOutput': { StackName, OutputName: 'OriginDomain', Region: 'eu-central-1' },
      },
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      OriginCustomHeaders: [
        {
          HeaderName: 'x-origin-token',
          HeaderValue: '{{resolve:secretsmanager:merchant-ops-prod-origin-token:SecretString:1::}}',
        },
      ],
    });
    const byName = [...Origins].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    expect(byName).toMatchObject([...stacks].sort().map(origin));
    for (const template of servingTemplates(deployed))
      expect(template.findOutputs('OriginDomain')).toMatchObject({ OriginDomain: expect.anything() });
  });

  test('CloudFront forwards each path to the API with its endpoint, and unknown paths to any API', () => {
    const [[, { DistributionConfig }] = ['', { DistributionConfig: {} as DistributionConfig }]] = resources<{
      DistributionConfig: DistributionConfig;
    }>(edge, 'AWS::CloudFront::Distribution');
    const { DefaultCacheBehavior, CacheBehaviors, Origins } = DistributionConfig;
    const forwardedTo = (path: string): string => {
      // CloudFront uses the first pattern that matches the path. `*` matches any characters.
      const { TargetOriginId } =
        CacheBehaviors.find(({ PathPattern }) => path.startsWith(PathPattern.replace(/\*$/, ''))) ??
        DefaultCacheBehavior;
      return nameOf(Origins.find(({ Id }) => Id === TargetOriginId));
    };
    expect(CacheBehaviors.every(({ PathPattern }) => /^\/[a-z-]+\*$/.test(PathPattern))).toBe(true);
    for (const template of servingTemplates(deployed)) {
      const routes = resources<Route>(template, 'AWS::ApiGatewayV2::Route');
      expect(routes.length).toBeGreaterThan(20);
      const stack = `merchant-ops-prod-${servingStackNames[servingTemplates(deployed).indexOf(template)]}`;
      for (const [, { RouteKey }] of routes)
        if (RouteKey !== '$default')
          expect(forwardedTo(RouteKey.replace(/^\S+ /, '').replaceAll(/\{\w+\}/g, 'x')), RouteKey).toBe(
            stack,
          );
    }
  });

  test('CloudFront serves the domain of the stage, and the gateway has no other domain', () => {
    expectResource(edge, 'AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        Aliases: ['api.example.com'],
        ViewerCertificate: Match.objectLike({
          AcmCertificateArn: prod.domain?.certificateArn,
          MinimumProtocolVersion: 'TLSv1.2_2021',
        }),
        // AWS WAF counts single addresses, and a client with IPv6 has very many.
        IPV6Enabled: false,
      }),
    });
    expect(edge.findOutputs('Url')).toMatchObject({ Url: { Value: 'https://api.example.com' } });
    expect(JSON.stringify(edge.findOutputs('DomainTarget'))).toContain('DomainName');
    deployed.api.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
    expect(deployed.api.findOutputs('Url')).toEqual({});
  });

  test('the stack of CloudFront is in us-east-1 and is deployed after the APIs', () => {
    const stack = deployed.stacks.find(({ stackName }) => stackName === 'merchant-ops-prod-edge');
    expect(stack?.region).toBe('us-east-1');
    expect(stack?.dependencies.map(({ stackName }) => stackName).sort()).toEqual(
      servingStackNames.map((name) => `merchant-ops-prod-${name}`).sort(),
    );
  });
});

describe('AWS WAF', () => {
  test('AWS WAF limits logins, password requests, applicants and all requests of each source, and all applicants together', () => {
    const [[, { Scope, DefaultAction, Rules, CustomResponseBodies }] = ['', {} as WebAcl]] =
      resources<WebAcl>(edge, 'AWS::WAFv2::WebACL');
    expect([Scope, DefaultAction]).toEqual(['CLOUDFRONT', { Allow: {} }]);
    const rules = Rules.map(({ Name, Statement: { RateBasedStatement: rate } }) => {
      const { FieldToMatch, PositionalConstraint, SearchString } =
        rate.ScopeDownStatement?.ByteMatchStatement ?? {};
      const only = FieldToMatch
        ? `${Object.keys(FieldToMatch)} ${PositionalConstraint} ${SearchString}`
        : 'all';
      return [Name, rate.Limit, rate.EvaluationWindowSec, rate.AggregateKeyType, only];
    });
    const limits = prod.edge?.limits;
    expect(rules).toEqual([
      ['logins', limits?.loginsPerSource, 300, 'IP', 'UriPath STARTS_WITH /auth/login'],
      ['passwords', limits?.passwordRequestsPerSource, 300, 'IP', 'UriPath STARTS_WITH /auth/password'],
      ['applicants', limits?.applicantRequestsPerSource, 300, 'IP', 'QueryString CONTAINS appkey='],
      ['all-applicants', limits?.applicantRequests, 300, 'CONSTANT', 'QueryString CONTAINS appkey='],
      ['requests', limits?.requestsPerSource, 300, 'IP', 'all'],
    ]);
    for (const { Action } of Rules)
      expect(Action).toMatchObject({
        Block: {
          CustomResponse: {
            ResponseCode: 429,
            CustomResponseBodyKey: 'tooMany',
            ResponseHeaders: [{ Name: 'retry-after', Value: '60' }],
          },
        },
      });
    expect(JSON.parse(CustomResponseBodies.tooMany.Content)).toMatchObject({
      error: 'too_many_requests',
      status: 429,
    });
    expectResource(edge, 'AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({ WebACLId: { 'Fn::GetAtt': ['Limits', 'Arn'] } }),
    });
  });

  test('one source cannot use up a limit of the gateway, and applicants leave most of the limit of a route to staff', () => {
    const { edge: settings, signInThrottle, throttle } = prod;
    if (!settings) throw new Error('The stage prod has no CloudFront.');
    const { limits } = settings;
    const perSecond = (limit: number) => limit / 300;
    expect(perSecond(limits.loginsPerSource)).toBeLessThanOrEqual(signInThrottle.rateLimit / 50);
    expect(perSecond(limits.requestsPerSource)).toBeLessThanOrEqual(signInThrottle.rateLimit / 2);
    expect(perSecond(limits.requestsPerSource)).toBeLessThanOrEqual(throttle.rateLimit / 10);
    expect(perSecond(limits.applicantRequests)).toBeLessThanOrEqual(throttle.rateLimit / 5);
  });
});

describe('the origin', () => {
  test('each API rejects every request to an endpoint that does not come from CloudFront', () => {
    for (const template of servingTemplates(deployed))
      for (const [id, { RouteKey, AuthorizationType, AuthorizerId }] of resources<Route>(
        template,
        'AWS::ApiGatewayV2::Route',
      )) {
        // This route only returns 404. With an authorizer, it would reject preflight requests.
        if (RouteKey === '$default') expect(AuthorizationType, id).toBe('NONE');
        else expect([AuthorizationType, AuthorizerId], id).toEqual(['CUSTOM', expect.anything()]);
      }
    for (const template of servingTemplates(deployed)) {
      expectResource(template, 'AWS::ApiGatewayV2::Authorizer', {
        AuthorizerType: 'REQUEST',
        AuthorizerPayloadFormatVersion: '2.0',
        EnableSimpleResponses: true,
        IdentitySource: ['$request.header.x-origin-token'],
      });
      expectResource(template, 'AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
    }
  });

  test('a token that was removed from the secret is accepted for at most five minutes', () => {
    const [[, { AuthorizerResultTtlInSeconds }] = ['', { AuthorizerResultTtlInSeconds: Number.NaN }]] =
      resources<{ AuthorizerResultTtlInSeconds: number }>(deployed.api, 'AWS::ApiGatewayV2::Authorizer');
    // The authorizer’s function uses the secret for a minute.
    expect(AuthorizerResultTtlInSeconds + 60).toBeLessThanOrEqual(300);
  });

  test('only the authorizers of the APIs may invoke the function that reads the tokens, and the tokens are replicated to us-east-1', () => {
    for (const template of servingTemplates(deployed)) {
      const permissions = resources<{ FunctionName: unknown; SourceArn: unknown }>(
        template,
        'AWS::Lambda::Permission',
      );
      expect(permissions).toHaveLength(1);
      for (const [, { FunctionName, SourceArn }] of permissions) {
        expect(JSON.stringify(FunctionName)).toContain(':function:merchant-ops-prod-http-authorize-origin"');
        expect(JSON.stringify(SourceArn)).toContain('/authorizers/');
      }
    }
    expectResource(deployed.api, 'AWS::SecretsManager::Secret', {
      Name: 'merchant-ops-prod-origin-token',
      ReplicaRegions: [{ Region: 'us-east-1' }],
      GenerateSecretString: Match.objectLike({
        SecretStringTemplate: '{}',
        GenerateStringKey: '1',
        PasswordLength: 64,
      }),
    });
  });

  test('without CloudFront, the URL of the stack api is the address of the API, and a deployment deletes the distribution', () => {
    withoutEdge.api.resourceCountIs('AWS::ApiGatewayV2::Authorizer', 0);
    for (const template of withoutEdge.endpointStacks)
      template.resourceCountIs('AWS::ApiGatewayV2::Authorizer', 1);
    expect(Object.keys(withoutEdge.api.findOutputs('Url'))).toEqual(['Url']);
    withoutEdge.edge?.resourceCountIs('AWS::CloudFront::Distribution', 0);
    expect(withoutEdge.edge?.toJSON().Outputs).toBeUndefined();
    for (const name of ['dev', 'local']) expect(stageNamed(name).edge).toBeUndefined();
  });
});

const nameOf = (origin: Origin | undefined): string =>
  origin?.DomainName['Fn::GetStackOutput'].StackName ?? '';

interface Origin {
  Id: string;
  DomainName: { 'Fn::GetStackOutput': { StackName: string } };
}
interface DistributionConfig {
  DefaultCacheBehavior: { TargetOriginId: string };
  CacheBehaviors: { TargetOriginId: string; PathPattern: string }[];
  CustomErrorResponses: { ErrorCode: number; ErrorCachingMinTTL: number }[];
  Origins: Origin[];
}
interface Route {
  RouteKey: string;
  AuthorizationType?: string;
  AuthorizerId?: unknown;
}
interface WebAcl {
  Scope: string;
  DefaultAction: object;
  CustomResponseBodies: { tooMany: { Content: string } };
  Rules: {
    Name: string;
    Action: object;
    Statement: {
      RateBasedStatement: {
        Limit: number;
        EvaluationWindowSec: number;
        AggregateKeyType: string;
        ScopeDownStatement?: {
          ByteMatchStatement: { FieldToMatch: object; PositionalConstraint: string; SearchString: string };
        };
      };
    };
  }[];
}

import {
  byteLengthOf,
  characters,
  inEach,
  type Limit,
  limitsOf,
  numberOf,
  objectOf,
  perOwner,
  perRegion,
} from '../limit.ts';

const service = 'API Gateway';
const guide = 'https://docs.aws.amazon.com/apigateway/latest/developerguide';
const source = `${guide}/http-api-quotas.html`;
const accountQuotas = `${guide}/limits.html`;
const reference = 'https://docs.aws.amazon.com/apigatewayv2/latest/api-reference';

const api = 'AWS::ApiGatewayV2::Api';
const stage = 'AWS::ApiGatewayV2::Stage';

/** The regions with lower default throttles ("API Gateway account-level quotas, per Region"). */
const slowerRegions = [
  ...['af-south-1', 'eu-south-1', 'ap-southeast-3', 'me-central-1', 'ap-south-2', 'ap-southeast-4'],
  ...['eu-south-2', 'eu-central-2', 'il-central-1', 'ca-west-1', 'ap-southeast-5'],
];
const byRegion = (most: number, inSlowerRegions: number) => (region: string) =>
  slowerRegions.includes(region) ? inSlowerRegions : most;

/** The highest value of a setting among the routes of a stage. */
const highestThrottle = (setting: string) =>
  inEach(stage, ({ properties }) =>
    Math.max(
      0,
      ...[properties.DefaultRouteSettings, ...Object.values(objectOf(properties.RouteSettings))].map(
        (settings) => numberOf(objectOf(settings)[setting]) ?? 0,
      ),
    ),
  );

export const apiGatewayLimits: readonly Limit[] = limitsOf(service, source, [
  {
    counted: 'integrations of an HTTP API',
    allowed: 300,
    usages: perOwner(api, 'AWS::ApiGatewayV2::Integration', 'ApiId'),
  },
  {
    counted: 'routes of an HTTP API',
    allowed: 300,
    kind: 'increasable',
    quota: { serviceCode: 'apigateway', quotaCode: 'L-65B5C802' },
    usages: perOwner(api, 'AWS::ApiGatewayV2::Route', 'ApiId'),
  },
  {
    counted: 'stages of an HTTP API',
    allowed: 10,
    kind: 'increasable',
    quota: { serviceCode: 'apigateway', quotaCode: 'L-379E48B0' },
    usages: perOwner(api, stage, 'ApiId'),
  },
  {
    counted: 'authorizers of an HTTP API',
    allowed: 10,
    kind: 'increasable',
    usages: perOwner(api, 'AWS::ApiGatewayV2::Authorizer', 'ApiId'),
  },
  {
    counted: 'API mappings of a domain',
    // Mappings with a path of one level are not counted by AWS, but are counted here.
    allowed: 200,
    usages: perOwner('AWS::ApiGatewayV2::DomainName', 'AWS::ApiGatewayV2::ApiMapping', 'DomainName'),
  },
  {
    counted: 'custom domains in a region',
    allowed: 120,
    kind: 'increasable',
    quota: { serviceCode: 'apigateway', quotaCode: 'L-A93447B8' },
    usages: perRegion(['AWS::ApiGatewayV2::DomainName']),
  },
  {
    counted: 'regional APIs in a region',
    allowed: 600,
    source: accountQuotas,
    usages: perRegion([api]),
  },
  {
    counted: 'rate of a route, requests per second',
    allowed: byRegion(10_000, 2500),
    setting: true,
    kind: 'increasable',
    quota: { serviceCode: 'apigateway', quotaCode: 'L-8A5B8E43' },
    source: accountQuotas,
    usages: highestThrottle('ThrottlingRateLimit'),
  },
  {
    counted: 'burst of a route, requests',
    allowed: byRegion(5000, 1250),
    setting: true,
    source: accountQuotas,
    usages: highestThrottle('ThrottlingBurstLimit'),
  },
  {
    counted: 'timeout of an integration, milliseconds',
    allowed: 30_000,
    setting: true,
    usages: inEach('AWS::ApiGatewayV2::Integration', ({ properties }) =>
      numberOf(properties.TimeoutInMillis),
    ),
  },
  {
    counted: 'format of the access log, bytes',
    allowed: 3072,
    usages: inEach(stage, ({ properties, resolve }) => {
      const format = resolve(objectOf(properties.AccessLogSettings).Format);
      return format === undefined ? undefined : byteLengthOf(format);
    }),
  },
  {
    counted: 'maximum age of CORS results, seconds',
    allowed: 86_400,
    setting: true,
    source: `${reference}/apis-apiid.html`,
    usages: inEach(api, ({ properties }) => numberOf(objectOf(properties.CorsConfiguration).MaxAge)),
  },
  {
    counted: 'name of an HTTP API, characters',
    allowed: 128,
    source: `${reference}/apis-apiid.html`,
    ...characters(api, 'Name'),
  },
]);

import {
  byteLengthOf,
  characters,
  type DeclaredResource,
  inEach,
  inEachPart,
  itemsOf,
  type Limit,
  lengthOf,
  limitsOf,
  numberOf,
  objectOf,
  perAccount,
} from '../limit.ts';
import type { Properties } from '../stack-template.ts';

const service = 'CloudFront';
const source = 'https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html';
const reference = 'https://docs.aws.amazon.com/cloudfront/latest/APIReference';
/** CloudFront is global. Its quotas are in this region. */
const region = 'us-east-1';

const distribution = 'AWS::CloudFront::Distribution';
const edgeFunction = 'AWS::CloudFront::Function';

const configOf = ({ properties, resolve }: DeclaredResource): Properties =>
  objectOf(resolve(objectOf(properties.DistributionConfig)));

/** A number for each origin of each distribution. */
const inEachOrigin = (count: (origin: Properties) => number | undefined) =>
  inEachPart(distribution, (resource) =>
    itemsOf(configOf(resource).Origins)
      .map(objectOf)
      .flatMap((origin) => {
        const used = count(origin);
        return used === undefined ? [] : [[String(origin.Id), used] as const];
      }),
  );

const headersOf = (origin: Properties) =>
  itemsOf(origin.OriginCustomHeaders).map((header) => {
    const { HeaderName, HeaderValue } = objectOf(header);
    return { name: lengthOf(HeaderName) ?? 0, value: lengthOf(HeaderValue) ?? 0 };
  });

export const cloudFrontLimits: readonly Limit[] = limitsOf(service, source, [
  {
    counted: 'cache behaviors of a distribution, with the default behavior',
    allowed: 75,
    kind: 'increasable',
    quota: { serviceCode: 'cloudfront', quotaCode: 'L-F432D044', region },
    usages: inEach(distribution, (one) => itemsOf(configOf(one).CacheBehaviors).length + 1),
  },
  {
    counted: 'origins of a distribution',
    allowed: 100,
    kind: 'increasable',
    usages: inEach(distribution, (one) => itemsOf(configOf(one).Origins).length),
  },
  {
    counted: 'alternate domain names of a distribution',
    allowed: 100,
    kind: 'increasable',
    usages: inEach(distribution, (one) => itemsOf(configOf(one).Aliases).length),
  },
  {
    counted: 'response timeout of an origin, seconds',
    allowed: 120,
    setting: true,
    kind: 'increasable',
    usages: inEachOrigin((origin) => numberOf(objectOf(origin.CustomOriginConfig).OriginReadTimeout)),
  },
  {
    counted: 'custom headers of an origin',
    allowed: 30,
    kind: 'increasable',
    usages: inEachOrigin((origin) => headersOf(origin).length),
  },
  {
    counted: 'name of a custom header, characters',
    allowed: 256,
    usages: inEachOrigin((origin) => Math.max(0, ...headersOf(origin).map(({ name }) => name))),
  },
  {
    counted: 'value of a custom header, characters',
    allowed: 1783,
    usages: inEachOrigin((origin) => Math.max(0, ...headersOf(origin).map(({ value }) => value))),
  },
  {
    counted: 'names and values of the custom headers of an origin, characters',
    allowed: 10_240,
    usages: inEachOrigin((origin) =>
      headersOf(origin).reduce((sum, { name, value }) => sum + name + value, 0),
    ),
  },
  {
    counted: 'comment of a distribution, characters',
    allowed: 128,
    source: `${reference}/API_DistributionConfig.html`,
    usages: inEach(distribution, (one) => lengthOf(configOf(one).Comment)),
  },
  {
    counted: 'distributions in the account',
    // Newer copies of the page give the default 500. Accounts may still have the older default.
    allowed: 200,
    kind: 'increasable',
    quota: { serviceCode: 'cloudfront', quotaCode: 'L-24B04930', region },
    usages: perAccount(distribution, region),
  },
  {
    counted: 'CloudFront functions in the account',
    allowed: 100,
    usages: perAccount(edgeFunction, region),
  },
  {
    counted: 'code of a CloudFront function, bytes',
    allowed: 10_240,
    usages: inEach(edgeFunction, ({ properties, resolve }) => byteLengthOf(resolve(properties.FunctionCode))),
  },
  {
    counted: 'name of a CloudFront function, characters',
    allowed: 64,
    source: `${reference}/API_CreateFunction.html`,
    ...characters(edgeFunction, 'Name'),
  },
]);

import {
  byteLengthOf,
  characters,
  inEach,
  itemsOf,
  type Limit,
  limitsOf,
  numberOf,
  objectOf,
  perRegion,
  resourcesOf,
  type Templates,
  type Usage,
  usageOf,
} from '../limit.ts';

const service = 'Lambda';
const source = 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html';
const reference = 'https://docs.aws.amazon.com/lambda/latest/api';

const functionType = 'AWS::Lambda::Function';

/** The code of a function in MB, rounded up. test/build/bundles.test.ts limits bundles to less. Deployed bundles are compressed. */
const functionMegabytes = 1;

/** The concurrency that AWS reserves for functions without reserved concurrency. */
const unreserved = 100;

/** Returns the resource policies of the functions, as Lambda writes them for permissions. */
function resourcePolicies(templates: Templates): Usage[] {
  const permissions = resourcesOf(templates, 'AWS::Lambda::Permission').map(({ id, properties, resolve }) => {
    const { FunctionName, Principal, Action, SourceArn, SourceAccount } = objectOf(resolve(properties));
    const statement = {
      Sid: id,
      Effect: 'Allow',
      Principal: { Service: Principal },
      Action,
      Resource: FunctionName,
      Condition: {
        ArnLike: { 'AWS:SourceArn': SourceArn },
        StringEquals: { 'AWS:SourceAccount': SourceAccount },
      },
    };
    return { of: String(FunctionName), statement };
  });
  return resourcesOf(templates, functionType).flatMap((lambda) => {
    const [name, arn] = [{ Ref: lambda.id }, { 'Fn::GetAtt': [lambda.id, 'Arn'] }].map(lambda.resolve);
    const own = permissions.filter(({ of }) => of === name || of === arn);
    if (own.length === 0) return [];
    const policy = { Version: '2012-10-17', Id: 'default', Statement: own.map(({ statement }) => statement) };
    return [usageOf(lambda, byteLengthOf(policy))];
  });
}

export const lambdaLimits: readonly Limit[] = limitsOf(service, source, [
  {
    counted: 'environment variables of a function, bytes',
    allowed: 4096,
    usages: inEach(functionType, ({ properties, resolve }) =>
      byteLengthOf(objectOf(resolve(objectOf(properties.Environment).Variables))),
    ),
  },
  {
    counted: 'resource policy of a function, bytes',
    allowed: 20_480,
    usages: resourcePolicies,
  },
  {
    counted: `code and layers in a region, MB (estimate: ${functionMegabytes} MB for each function and version)`,
    allowed: 75_000,
    kind: 'increasable',
    quota: { serviceCode: 'lambda', quotaCode: 'L-2ACBD22F', unit: 1000 },
    usages: perRegion(
      [functionType, 'AWS::Lambda::Version', 'AWS::Lambda::LayerVersion'],
      () => functionMegabytes,
    ),
  },
  {
    counted: `reserved concurrency in a region, and the ${unreserved} that must remain unreserved`,
    // New AWS accounts start with less.
    allowed: 1000,
    kind: 'increasable',
    quota: { serviceCode: 'lambda', quotaCode: 'L-B99A9384' },
    source: `${reference}/API_PutFunctionConcurrency.html`,
    usages: perRegion(
      [functionType],
      ({ properties }) => numberOf(properties.ReservedConcurrentExecutions) ?? 0,
      unreserved,
    ),
  },
  {
    counted: 'layers of a function',
    allowed: 5,
    usages: inEach(functionType, ({ properties }) => itemsOf(properties.Layers).length),
  },
  {
    counted: 'timeout of a function, seconds',
    allowed: 900,
    setting: true,
    usages: inEach(functionType, ({ properties }) => numberOf(properties.Timeout)),
  },
  {
    counted: 'memory of a function, MB',
    // New AWS accounts may have less.
    allowed: 10_240,
    setting: true,
    usages: inEach(functionType, ({ properties }) => numberOf(properties.MemorySize)),
  },
  {
    counted: 'maximum concurrency of a queue’s consumer',
    allowed: 1000,
    setting: true,
    source: `${reference}/API_ScalingConfig.html`,
    usages: inEach('AWS::Lambda::EventSourceMapping', ({ properties }) =>
      numberOf(objectOf(properties.ScalingConfig).MaximumConcurrency),
    ),
  },
  {
    counted: 'name of a function, characters',
    allowed: 64,
    source: `${reference}/API_CreateFunction.html`,
    ...characters(functionType, 'FunctionName'),
  },
  {
    counted: 'description of a function, characters',
    allowed: 256,
    source: `${reference}/API_CreateFunction.html`,
    ...characters(functionType, 'Description'),
  },
]);

import {
  byteLengthOf,
  characters,
  inEach,
  inEachPart,
  itemsOf,
  type Limit,
  limitsOf,
  numberOf,
  objectOf,
  perRegion,
} from '../limit.ts';

const dynamoDb = 'DynamoDB';
const dynamoDbQuotas = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html';
const createTable = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html';
const table = 'AWS::DynamoDB::GlobalTable';

const s3Guide = 'https://docs.aws.amazon.com/AmazonS3/latest/userguide';
const s3Reference = 'https://docs.aws.amazon.com/AmazonS3/latest/API';
const bucket = 'AWS::S3::Bucket';

const kmsReference = 'https://docs.aws.amazon.com/kms/latest/APIReference';
const createSecret = 'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html';

const highest = (numbers: readonly (number | undefined)[]): number =>
  Math.max(0, ...numbers.map((n) => n ?? 0));

export const dataLimits: readonly Limit[] = [
  ...limitsOf(dynamoDb, dynamoDbQuotas, [
    {
      counted: 'global secondary indexes of a table',
      allowed: 20,
      kind: 'increasable',
      quota: { serviceCode: 'dynamodb', quotaCode: 'L-F7858A77' },
      usages: inEach(table, ({ properties }) => itemsOf(properties.GlobalSecondaryIndexes).length),
    },
    {
      counted: 'attributes that all indexes of a table project',
      allowed: 100,
      source: createTable,
      usages: inEach(table, ({ properties }) =>
        itemsOf(properties.GlobalSecondaryIndexes).reduce(
          (sum: number, index) => sum + itemsOf(objectOf(objectOf(index).Projection).NonKeyAttributes).length,
          0,
        ),
      ),
    },
    {
      counted: 'read units of a table or index, per second',
      allowed: 40_000,
      setting: true,
      kind: 'increasable',
      quota: { serviceCode: 'dynamodb', quotaCode: 'L-CF0CBE56' },
      usages: inEach(table, ({ properties }) =>
        highest(
          itemsOf(properties.Replicas)
            .map(objectOf)
            .flatMap((replica) => [replica, ...itemsOf(replica.GlobalSecondaryIndexes).map(objectOf)])
            .map((one) => numberOf(objectOf(one.ReadOnDemandThroughputSettings).MaxReadRequestUnits)),
        ),
      ),
    },
    {
      counted: 'write units of a table or index, per second',
      allowed: 40_000,
      setting: true,
      kind: 'increasable',
      quota: { serviceCode: 'dynamodb', quotaCode: 'L-AB614373' },
      usages: inEach(table, ({ properties }) =>
        highest(
          [properties, ...itemsOf(properties.GlobalSecondaryIndexes).map(objectOf)].map((one) =>
            numberOf(objectOf(one.WriteOnDemandThroughputSettings).MaxWriteRequestUnits),
          ),
        ),
      ),
    },
    {
      counted: 'tables in a region',
      allowed: 2500,
      kind: 'increasable',
      quota: { serviceCode: 'dynamodb', quotaCode: 'L-F98FE922' },
      usages: perRegion([table]),
    },
    {
      counted: 'name of a table, characters',
      allowed: 255,
      source: createTable,
      ...characters(table, 'TableName'),
    },
    {
      counted: 'name of an index, characters',
      allowed: 255,
      source: createTable,
      usages: inEachPart(table, ({ properties }) =>
        itemsOf(properties.GlobalSecondaryIndexes).map((index) => {
          const name = String(objectOf(index).IndexName);
          return [name, name.length] as const;
        }),
      ),
    },
  ]),
  ...limitsOf('S3', `${s3Guide}/bucketnamingrules.html`, [
    {
      counted: 'name of a bucket, characters',
      allowed: 63,
      ...characters(bucket, 'BucketName'),
    },
    {
      counted: 'name of a bucket, characters',
      allowed: 3,
      minimum: true,
      ...characters(bucket, 'BucketName'),
    },
    {
      counted: 'policy of a bucket, bytes',
      allowed: 20_480,
      source: `${s3Guide}/using-iam-policies.html`,
      usages: inEach('AWS::S3::BucketPolicy', ({ properties, resolve }) =>
        byteLengthOf(resolve(properties.PolicyDocument)),
      ),
    },
    {
      counted: 'lifecycle rules of a bucket',
      allowed: 1000,
      source: `${s3Reference}/API_PutBucketLifecycleConfiguration.html`,
      usages: inEach(
        bucket,
        ({ properties }) => itemsOf(objectOf(properties.LifecycleConfiguration).Rules).length,
      ),
    },
    {
      counted: 'CORS rules of a bucket',
      allowed: 100,
      source: `${s3Reference}/API_PutBucketCors.html`,
      usages: inEach(
        bucket,
        ({ properties }) => itemsOf(objectOf(properties.CorsConfiguration).CorsRules).length,
      ),
    },
  ]),
  ...limitsOf('KMS', 'https://docs.aws.amazon.com/kms/latest/developerguide/resource-limits.html', [
    {
      counted: 'policy of a key, bytes',
      allowed: 32_768,
      usages: inEach('AWS::KMS::Key', ({ properties, resolve }) =>
        byteLengthOf(resolve(properties.KeyPolicy)),
      ),
    },
    {
      counted: 'description of a key, characters',
      allowed: 8192,
      source: `${kmsReference}/API_CreateKey.html`,
      ...characters('AWS::KMS::Key', 'Description'),
    },
    {
      counted: 'name of an alias, characters',
      allowed: 256,
      source: `${kmsReference}/API_CreateAlias.html`,
      ...characters('AWS::KMS::Alias', 'AliasName'),
    },
  ]),
  ...limitsOf('Secrets Manager', createSecret, [
    {
      counted: 'name of a secret, characters',
      allowed: 512,
      ...characters('AWS::SecretsManager::Secret', 'Name'),
    },
    {
      counted: 'description of a secret, characters',
      allowed: 2048,
      ...characters('AWS::SecretsManager::Secret', 'Description'),
    },
  ]),
];

import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { stageNamed } from '../../infra/stages.ts';
import { builtManifest, deploymentOf, resources, templatesOf } from '../harness/deployment.ts';
import { completedProd } from '../harness/production.ts';

/**
 * The most characters of policies without white space. AWS does not increase these limits (IAM User Guide, "IAM and STS
 * quotas"). We use at most 80% of each.
 */
const limits = { inline: 10_240, managed: 6_144, trust: 2_048 } as const;
const highShare = 0.8;

/** Values with the greatest length, in place of those that AWS inserts. */
const longest = { Region: 'ap-northeast-1', AccountId: '123456789012', Partition: 'aws' } as const;

/** The ARN of a resource without its start `arn:aws:`. AWS chooses ids of keys, suffixes of secrets, and times of streams. */
const arnOf: Readonly<Record<string, (name: (property: string) => string) => string>> = {
  'AWS::KMS::Key': () => `kms:${place}:key/${'0'.repeat(36)}`,
  'AWS::SecretsManager::Secret': (name) => `secretsmanager:${place}:secret:${name('Name')}-AbCdEf`,
  'AWS::DynamoDB::GlobalTable': (name) => `dynamodb:${place}:table/${name('TableName')}`,
  'AWS::SQS::Queue': (name) => `sqs:${place}:${name('QueueName')}`,
  'AWS::Logs::LogGroup': (name) => `logs:${place}:log-group:${name('LogGroupName')}:*`,
  'AWS::Lambda::Function': (name) => `lambda:${place}:function:${name('FunctionName')}`,
};
const place = `${longest.Region}:${longest.AccountId}`;

interface TemplateJson {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
}

/** Returns a value of a template with CloudFormation's functions replaced by the longest possible results. */
function resolver(templates: readonly Template[]) {
  const all = templates.map((template) => template.toJSON() as TemplateJson);
  const exported = new Map(
    all.flatMap((template) =>
      Object.values(template.Outputs ?? {}).map(({ Value, Export }) => [Export?.Name, { Value, template }]),
    ) as [string | undefined, { Value: unknown; template: TemplateJson }][],
  );
  const arn = (id: string, template: TemplateJson): string => {
    const { Type = '', Properties = {} } = template.Resources[id] ?? {};
    const end = arnOf[Type]?.((property) => String(resolved(Properties[property], template)));
    if (end === undefined) throw new Error(`The test does not know the ARN of ${id}.`);
    return `arn:aws:${end}`;
  };
  const resolved = (value: unknown, template: TemplateJson): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolved(item, template));
    if (typeof value !== 'object' || value === null) return value;
    const [[name = '', input] = []] = Object.entries(value);
    switch (name) {
      // The reference to a secret is its ARN.
      case 'Ref':
        return (
          longest[String(input).replace('AWS::', '') as keyof typeof longest] ?? arn(String(input), template)
        );
      case 'Fn::Join': {
        const [separator, parts] = input as [string, unknown[]];
        return (resolved(parts, template) as string[]).join(separator);
      }
      case 'Fn::GetAtt': {
        const [id = '', attribute = ''] = input as string[];
        return `${arn(id, template)}${attribute === 'StreamArn' ? '/stream/2026-01-01T00:00:00.000' : ''}`;
      }
      case 'Fn::ImportValue': {
        const from = exported.get(String(input));
        if (!from) throw new Error(`No template exports ${input}.`);
        return resolved(from.Value, from.template);
      }
      default:
        return Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, resolved(item, template)]),
        );
    }
  };
  return (value: unknown, template: Template): unknown => resolved(value, template.toJSON() as TemplateJson);
}

interface RoleProperties {
  AssumeRolePolicyDocument: unknown;
  Policies?: { PolicyDocument: unknown }[];
}

const characters = (document: unknown): number => JSON.stringify(document).replace(/\s/g, '').length;

const mailFrom = 'merchant-ops <notifications@notifications.merchant-operations.example.com>';

test.each([completedProd, stageNamed('dev')])(
  'no role of the stage $name uses more than 80% of a limit for policies',
  async (stage) => {
    const templates = templatesOf(
      deploymentOf({ ...stage, mailFrom, region: longest.Region }, await builtManifest()),
    );
    const resolve = resolver(templates);
    const found = templates.flatMap((template) => [
      ...resources<RoleProperties>(template, 'AWS::IAM::Role').flatMap(([id, role]) => [
        {
          id,
          limit: 'inline' as const,
          // AWS adds up all inline policies of a role.
          used: (role.Policies ?? [])
            .map(({ PolicyDocument }) => characters(resolve(PolicyDocument, template)))
            .reduce((sum, one) => sum + one, 0),
        },
        {
          id,
          limit: 'trust' as const,
          used: characters(resolve(role.AssumeRolePolicyDocument, template)),
        },
      ]),
      ...resources<{ PolicyDocument: unknown }>(template, 'AWS::IAM::ManagedPolicy').map(([id, policy]) => ({
        id,
        limit: 'managed' as const,
        used: characters(resolve(policy.PolicyDocument, template)),
      })),
      // A separate policy of a role would count, too.
      ...resources(template, 'AWS::IAM::Policy').map(([id]) => ({ id, limit: 'inline' as const, used: 1e9 })),
    ]);
    for (const limit of ['inline', 'managed', 'trust'] as const)
      expect(
        found.some((one) => one.limit === limit && one.used > 100),
        limit,
      ).toBe(true);
    expect(found.filter(({ limit, used }) => used > highShare * limits[limit])).toEqual([]);
  },
);

import { createHash } from 'node:crypto';
import type { Properties, StackTemplate, TemplateResource } from './stack-template.ts';

/** One of the longest names of AWS regions. */
export const longestRegion = 'ap-northeast-1';

const account = '123456789012';
const uuid = '12345678-1234-1234-1234-123456789012';

/** The longest value of a secret in a template: a generated token has 64 characters, as `openssl rand -hex 32` prints. */
const secretCharacters = 64;

/** Returns text for what AWS generates. */
const generated = (characters: number): string => 'x'.repeat(characters);

interface Deployed {
  stack: StackTemplate;
  /** An id that AWS generates, with this number of characters. Different resources have different ids. */
  id: (characters: number) => string;
  /** The resource's name: the value of a property or, if the template has none, the longest name that CloudFormation generates. */
  name: (property: string, most: number) => string;
  /** An ARN in the region and account of the stack. */
  arn: (service: string, resource: string) => string;
}

/** Returns the value of `Ref` and of each attribute of a deployed resource. */
type Values = (resource: Deployed) => Readonly<Record<string, string>>;

const globalArn = (service: string, resource: string): string => `arn:aws:${service}::${account}:${resource}`;

/** The values of deployed resources, by type. The formats are in the "Return values" of each type's reference page. */
const valuesOf: Readonly<Record<string, Values>> = {
  'AWS::ApiGatewayV2::Api': ({ stack, id }) => {
    const api = id(10);
    return { Ref: api, ApiId: api, ApiEndpoint: `https://${api}.execute-api.${stack.region}.amazonaws.com` };
  },
  'AWS::ApiGatewayV2::ApiMapping': () => ({ Ref: generated(10), ApiMappingId: generated(10) }),
  'AWS::ApiGatewayV2::Authorizer': () => ({ Ref: generated(10), AuthorizerId: generated(10) }),
  'AWS::ApiGatewayV2::DomainName': ({ stack, name }) => ({
    Ref: name('DomainName', 253),
    RegionalDomainName: `d-${generated(10)}.execute-api.${stack.region}.amazonaws.com`,
    RegionalHostedZoneId: generated(32),
  }),
  'AWS::ApiGatewayV2::Integration': () => ({ Ref: generated(10), IntegrationId: generated(10) }),
  'AWS::ApiGatewayV2::Route': () => ({ Ref: generated(10), RouteId: generated(10) }),
  'AWS::ApiGatewayV2::Stage': ({ name }) => ({ Ref: name('StageName', 128) }),
  'AWS::CloudFront::CachePolicy': () => ({ Ref: uuid, Id: uuid }),
  'AWS::CloudFront::Distribution': () => ({
    Ref: generated(14),
    Id: generated(14),
    DomainName: `${generated(14)}.cloudfront.net`,
  }),
  'AWS::CloudFront::Function': ({ name }) => {
    const arn = globalArn('cloudfront', `function/${name('Name', 64)}`);
    return { Ref: arn, FunctionARN: arn };
  },
  'AWS::CloudFront::OriginRequestPolicy': () => ({ Ref: uuid, Id: uuid }),
  'AWS::CloudWatch::Alarm': ({ name, arn }) => {
    const alarm = name('AlarmName', 255);
    return { Ref: alarm, Arn: arn('cloudwatch', `alarm:${alarm}`) };
  },
  'AWS::DynamoDB::GlobalTable': ({ name, arn }) => {
    const table = name('TableName', 255);
    return {
      Ref: table,
      TableId: uuid,
      Arn: arn('dynamodb', `table/${table}`),
      StreamArn: arn('dynamodb', `table/${table}/stream/2026-01-01T00:00:00.000`),
    };
  },
  'AWS::IAM::ManagedPolicy': ({ name }) => {
    const arn = globalArn('iam', `policy/${name('ManagedPolicyName', 128)}`);
    return { Ref: arn, PolicyArn: arn };
  },
  'AWS::IAM::Role': ({ name }) => {
    const role = name('RoleName', 64);
    return { Ref: role, Arn: globalArn('iam', `role/${role}`), RoleId: generated(21) };
  },
  'AWS::KMS::Alias': ({ name }) => ({ Ref: name('AliasName', 256) }),
  'AWS::KMS::Key': ({ arn }) => ({ Ref: uuid, KeyId: uuid, Arn: arn('kms', `key/${uuid}`) }),
  'AWS::Lambda::Function': ({ name, arn }) => {
    const lambda = name('FunctionName', 64);
    return { Ref: lambda, Arn: arn('lambda', `function:${lambda}`) };
  },
  'AWS::Logs::LogGroup': ({ name, arn }) => {
    const group = name('LogGroupName', 512);
    return { Ref: group, Arn: arn('logs', `log-group:${group}:*`) };
  },
  'AWS::S3::Bucket': ({ stack, name }) => {
    const bucket = name('BucketName', 63);
    return {
      Ref: bucket,
      Arn: `arn:aws:s3:::${bucket}`,
      DomainName: `${bucket}.s3.amazonaws.com`,
      RegionalDomainName: `${bucket}.s3.${stack.region}.amazonaws.com`,
    };
  },
  'AWS::SES::ReceiptRuleSet': ({ name }) => ({ Ref: name('RuleSetName', 64) }),
  'AWS::SES::ConfigurationSet': ({ name }) => ({ Ref: name('Name', 64) }),
  'AWS::SNS::Topic': ({ name, arn }) => {
    const topic = name('TopicName', 256);
    return { Ref: arn('sns', topic), TopicArn: arn('sns', topic), TopicName: topic };
  },
  'AWS::SQS::Queue': ({ stack, name, arn }) => {
    const queue = name('QueueName', 80);
    const url = `https://sqs.${stack.region}.amazonaws.com/${account}/${queue}`;
    return { Ref: url, QueueUrl: url, QueueName: queue, Arn: arn('sqs', queue) };
  },
  'AWS::Scheduler::Schedule': ({ name, arn }) => {
    const schedule = name('Name', 64);
    return { Ref: schedule, Arn: arn('scheduler', `schedule/default/${schedule}`) };
  },
  // Secrets Manager appends a hyphen and six characters to the name.
  'AWS::SecretsManager::Secret': ({ name, arn }) => {
    const secret = arn('secretsmanager', `secret:${name('Name', 512)}-${generated(6)}`);
    return { Ref: secret, Id: secret };
  },
  'AWS::WAFv2::WebACL': ({ stack, name }) => {
    const acl = name('Name', 128);
    return {
      Ref: `${acl}|${uuid}|CLOUDFRONT`,
      Id: uuid,
      Arn: `arn:aws:wafv2:${stack.region}:${account}:global/webacl/${acl}/${uuid}`,
    };
  },
};

/** Resolves the values of a set of templates, which may refer to each other, to the longest values that they can have. */
export class LongestValues {
  readonly #stacks: readonly StackTemplate[];
  readonly #resolved = new Map<string, Readonly<Record<string, string>>>();
  readonly #exports = new Map<string, { stack: StackTemplate; value: unknown }>();

  constructor(stacks: readonly StackTemplate[]) {
    this.#stacks = stacks;
    for (const stack of stacks)
      for (const { Value: value, Export } of Object.values(stack.template.Outputs ?? {}))
        if (Export)
          this.#exports.set(exportKey(stack.region, this.text(stack, Export.Name)), { stack, value });
  }

  /**
   * Returns a value of a template without references. Throws if a reference is unknown: add the type of its resource to
   * this file.
   */
  resolve(stack: StackTemplate, value: unknown): unknown {
    if (typeof value === 'string') return withSecrets(value);
    if (Array.isArray(value))
      return value.map((item) => this.resolve(stack, item)).filter((item) => item !== undefined);
    if (value === null || typeof value !== 'object') return value;
    const [[name, operand] = ['', undefined], ...others] = Object.entries(value);
    if (others.length === 0 && (name === 'Ref' || name.startsWith('Fn::')))
      return this.#call(stack, name, operand);
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, item]) => [key, this.resolve(stack, item)] as const)
        .filter(([, item]) => item !== undefined),
    );
  }

  /** Returns a value as text. Throws if it is not text or a number. */
  text(stack: StackTemplate, value: unknown): string {
    const resolved = this.resolve(stack, value);
    if (typeof resolved !== 'string' && typeof resolved !== 'number')
      throw new Error(`${stack.name}: ${JSON.stringify(value)} is not text.`);
    return String(resolved);
  }

  #call(stack: StackTemplate, name: string, operand: unknown): unknown {
    switch (name) {
      case 'Ref':
        return this.#ref(stack, String(operand));
      case 'Fn::GetAtt': {
        const [id = '', attribute = ''] = Array.isArray(operand) ? operand : String(operand).split(/\.(.*)/);
        return this.#valueOf(stack, id, attribute);
      }
      case 'Fn::Join': {
        const [separator, parts] = operand as [string, unknown];
        const resolved = this.resolve(stack, parts);
        return (Array.isArray(resolved) ? resolved : [resolved]).join(separator);
      }
      case 'Fn::Sub':
        return this.#substitute(stack, operand);
      case 'Fn::ImportValue': {
        const wanted = this.text(stack, operand);
        const found = this.#exports.get(exportKey(stack.region, wanted));
        if (!found) throw new Error(`${stack.name}: no stack in ${stack.region} exports ${wanted}.`);
        return this.resolve(found.stack, found.value);
      }
      case 'Fn::GetStackOutput':
        return this.#outputOf(operand as { StackName: string; OutputName: string });
    }
    throw new Error(
      `${stack.name}: the length of ${name} is unknown. Add it to infra/quotas/longest-values.ts.`,
    );
  }

  #ref(stack: StackTemplate, id: string): unknown {
    const pseudo: Readonly<Record<string, string | undefined>> = {
      'AWS::AccountId': account,
      'AWS::NoValue': undefined,
      'AWS::Partition': 'aws',
      'AWS::Region': stack.region,
      'AWS::StackId': `arn:aws:cloudformation:${stack.region}:${account}:stack/${stack.name}/${uuid}`,
      'AWS::StackName': stack.name,
      'AWS::URLSuffix': 'amazonaws.com',
    };
    if (id in pseudo) return pseudo[id];
    const parameter = stack.template.Parameters?.[id];
    return parameter ? this.resolve(stack, parameter.Default) : this.#valueOf(stack, id, 'Ref');
  }

  #substitute(stack: StackTemplate, operand: unknown): string {
    const [text, variables] = (Array.isArray(operand) ? operand : [operand, {}]) as [string, Properties];
    return text.replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in variables) return this.text(stack, variables[name]);
      const [id = '', attribute] = name.split(/\.(.*)/);
      return attribute ? this.#valueOf(stack, id, attribute) : String(this.#ref(stack, id));
    });
  }

  #outputOf({ StackName, OutputName }: { StackName: string; OutputName: string }): unknown {
    const stack = this.#stacks.find(({ name }) => name === StackName);
    const output = stack?.template.Outputs?.[OutputName];
    if (!stack || !output) throw new Error(`The stack ${StackName} has no output ${OutputName}.`);
    return this.resolve(stack, output.Value);
  }

  #valueOf(stack: StackTemplate, id: string, attribute: string): string {
    const resource = stack.template.Resources?.[id];
    const value = resource && this.#valuesOf(stack, id, resource)[attribute];
    if (value === undefined)
      throw new Error(
        `${stack.name}: the length of ${attribute} of ${id} (${resource?.Type ?? 'no resource'}) is unknown. Add it to infra/quotas/longest-values.ts.`,
      );
    return value;
  }

  #valuesOf(stack: StackTemplate, id: string, resource: TemplateResource): Readonly<Record<string, string>> {
    const key = `${stack.name}/${id}`;
    const known = this.#resolved.get(key);
    if (known) return known;
    const values =
      valuesOf[resource.Type]?.({
        stack,
        name: (property, most) => {
          const given = resource.Properties?.[property];
          // CloudFormation generates the stack's name, the logical id and at most 13 characters, and shortens them.
          return given === undefined
            ? idOf(key, Math.min(most, `${stack.name}-${id}-`.length + 13))
            : this.text(stack, given);
        },
        id: (characters) => idOf(key, characters),
        arn: (service, rest) => `arn:aws:${service}:${stack.region}:${account}:${rest}`,
      }) ?? {};
    this.#resolved.set(key, values);
    return values;
  }
}

const idOf = (key: string, characters: number): string =>
  createHash('sha256')
    .update(key)
    .digest('hex')
    .repeat(Math.ceil(characters / 64))
    .slice(0, characters);

/** Exports are unique in a region. */
const exportKey = (region: string, name: string): string => `${region} ${name}`;

const dynamicReference = /\{\{resolve:[^}]+\}\}/g;

/** Replaces dynamic references, which CloudFormation resolves to secrets, by text of the longest length. */
const withSecrets = (text: string): string => text.replaceAll(dynamicReference, generated(secretCharacters));

/** Returns the number of dynamic references in a template. */
export const countDynamicReferences = ({ template }: StackTemplate): number =>
  JSON.stringify(template).match(dynamicReference)?.length ?? 0;

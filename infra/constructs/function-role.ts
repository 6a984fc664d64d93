import { Aws, Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { mergeStatements } from '../rights/merge-statements.ts';
import type { Resource, Statement } from '../rights/statement.ts';
import { type StageSettings, senderAddressOf } from '../stages.ts';
import { serviceInAccount } from './service-in-account.ts';

export type Arns = Partial<Record<Resource, string>>;

interface FunctionRoleProps {
  description: string;
  /** All rights of the functions with this role. */
  statements: readonly Statement[];
  arns: Arns;
  /** Required for statements with `onlyForAccounts` or `onlyFromSender`. */
  stage?: StageSettings;
}

/**
 * A role for one or more functions. In the inline policy, each statement names its resources, and statements that can be
 * merged are merged, because AWS limits the characters of all inline policies of a role. Actions that
 * AWS cannot limit to a resource need the resource `*`. They are in separate policies, so that the cdk-nag
 * exception for `*` covers only these actions.
 */
export class FunctionRole extends Role {
  constructor(scope: Construct, id: string, { description, statements, arns, stage }: FunctionRoleProps) {
    const limited = mergeStatements(statements.filter((statement) => !isUnlimited(statement)));
    super(scope, id, {
      description,
      assumedBy: serviceInAccount('lambda.amazonaws.com'),
      managedPolicies: statements
        .filter(isUnlimited)
        .map((statement) => UnlimitedPolicy.of(Stack.of(scope), statement)),
      inlinePolicies: {
        rights: new PolicyDocument({
          statements: limited.map((statement) =>
            policyStatement(statement, arns, Stack.of(scope).region, stage),
          ),
        }),
      },
    });
    for (const resource of new Set(statements.flatMap(({ resources }) => resources))) {
      const reason = reasonForAll(resource);
      if (reason !== undefined)
        Validations.of(this).acknowledge({
          id: `AwsSolutions-IAM5[Resource::${nagName(Stack.of(this).resolve(arnOf(resource, arns)))}]`,
          reason,
        });
    }
  }
}

/** A right to everything except topics allows only text messages (Amazon SNS, "Using identity-based policies"). */
const allTopics = `arn:${Aws.PARTITION}:sns:*:*:*`;

/** The reason why the ARN of a resource ends with `*`; undefined for other resources. */
function reasonForAll(resource: Resource): string | undefined {
  if (resource === 'configuration-sets')
    return 'The operator chooses the default configuration set of the sender identity.';
  if (resource === 'mail-identities')
    return 'The identities, such as the mail domains of accounts, are created while the service runs.';
  if (!resource.startsWith('files/')) return undefined;
  return `The functions need all objects below ${resource}/, because the object keys are generated.`;
}

/** Returns an ARN in cdk-nag's format: `arn:<AWS::Partition>:s3:::files-<AWS::AccountId>/incoming/*`. */
function nagName(arn: unknown): string {
  if (typeof arn === 'string') return arn;
  const { 'Fn::Join': [, parts] = [], Ref } = arn as { 'Fn::Join'?: [string, unknown[]]; Ref?: string };
  return parts ? parts.map(nagName).join('') : `<${Ref}>`;
}

function policyStatement(
  { sid, actions, resources, leadingKeys, ...limits }: Statement,
  arns: Arns,
  region: string,
  stage: StageSettings | undefined,
): PolicyStatement {
  const { onlyForKeyring, onlyForAccounts, onlyForFiles, onlyFromSender } = limits;
  return new PolicyStatement({
    sid,
    actions: [...actions],
    ...(resources.includes('phone-numbers')
      ? { notResources: [allTopics] }
      : { resources: resources.map((resource) => arnOf(resource, arns)) }),
    conditions: {
      ...(leadingKeys && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys } }),
      ...(onlyForKeyring && {
        StringEquals: {
          'kms:ViaService': `secretsmanager.${region}.amazonaws.com`,
          // Secrets Manager sends the secret's ARN to KMS:
          // docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
          'kms:EncryptionContext:SecretARN': arnOf('keyring', arns),
        },
      }),
      ...(onlyForAccounts && withinStage(stage)),
      ...(onlyForFiles && {
        StringEquals: {
          'kms:ViaService': `s3.${region}.amazonaws.com`,
          // With a bucket key, S3 sends the ARN of the bucket, not of the object:
          // docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-key.html
          'kms:EncryptionContext:aws:s3:arn': arnOf('files', arns),
        },
      }),
      ...(onlyFromSender && fromSender(stage)),
    },
  });
}

/** Requires exactly the encryption context of shared/security/key-wrapping.ts. */
function withinStage(stage: StageSettings | undefined) {
  if (!stage) throw new Error('A statement for data keys needs the stage.');
  return {
    StringEquals: { 'kms:EncryptionContext:stage': stage.name },
    StringLike: { 'kms:EncryptionContext:account': '?*' },
    'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['account', 'stage'] },
  };
}

/** Requires the address of the stage's sender. SES compares it without the display name. */
function fromSender(stage: StageSettings | undefined) {
  const address = stage && senderAddressOf(stage);
  if (address === undefined) throw new Error('A statement for mail needs a stage with mailFrom.');
  return { StringEquals: { 'ses:FromAddress': address } };
}

function arnOf(resource: Resource, arns: Arns): string {
  const arn = arns[resource];
  if (arn === undefined) throw new Error(`A statement names "${resource}", which has no ARN in this stack.`);
  return arn;
}

/** The actions that AWS cannot limit to a resource. Only these actions may have the resource `*`. */
const unlimited: Readonly<Record<string, string>> = {
  'xray:PutTraceSegments': 'X-Ray actions do not support resource-level permissions.',
  'xray:PutTelemetryRecords': 'X-Ray actions do not support resource-level permissions.',
  'dynamodb:ListStreams': 'Lists all streams of the AWS account. Lambda needs this action to read a stream.',
};

const isUnlimited = ({ resources }: Statement): boolean => resources.includes('*');

/** A policy with one statement, which has the resource `*`. */
class UnlimitedPolicy extends ManagedPolicy {
  private constructor(stack: Stack, { sid, actions }: Statement) {
    super(stack, sid, {
      description: `Actions without a resource: ${actions.join(', ')}`,
      statements: [new PolicyStatement({ sid, actions: [...actions], resources: ['*'] })],
    });
    const reasons = actions.map((action) => {
      const reason = unlimited[action];
      if (reason === undefined) throw new Error(`${action} can be limited to a resource. Name the resource.`);
      return `${action}: ${reason}`;
    });
    Validations.of(this).acknowledge({ id: 'AwsSolutions-IAM5[Resource::*]', reason: reasons.join(' ') });
  }

  /** Returns the stack's policy for this statement, created on first use. */
  static of(stack: Stack, statement: Statement): UnlimitedPolicy {
    const existing = stack.node.tryFindChild(statement.sid);
    return existing instanceof UnlimitedPolicy ? existing : new UnlimitedPolicy(stack, statement);
  }
}

import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Resource, Statement } from '../rights/statement.ts';
import type { StageSettings } from '../stages.ts';
import { isUnlimited, UnlimitedPolicy } from './unlimited-policy.ts';

/** Where to find what statements are about. */
export type Arns = Partial<Record<Resource, string>>;

interface FunctionRoleProps {
  description: string;
  /** All that its functions may do. */
  statements: readonly Statement[];
  arns: Arns;
  /** The stage, for statements that hold only within one. */
  stage?: StageSettings;
}

/**
 * A role for functions. It holds its rights inline, all of them about resources by name; what AWS limits to none
 * stands in a policy of its own, so that no other right can hide behind the same `*`.
 */
export class FunctionRole extends Role {
  constructor(scope: Construct, id: string, { description, statements, arns, stage }: FunctionRoleProps) {
    const limited = statements.filter((statement) => !isUnlimited(statement));
    super(scope, id, {
      description,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
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
    for (const half of new Set(statements.flatMap(({ resources }) => resources).filter(isHalfOfBucket)))
      Validations.of(this).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${nagName(Stack.of(this).resolve(arnOf(half, arns)))}]`,
        reason: `Every object below ${half}/: their keys are made as they come, and nothing else is there.`,
      });
  }
}

/** A half of the bucket is all objects of a prefix, and the only resource that a right names with a `*`. */
const isHalfOfBucket = (resource: Resource): boolean => resource.startsWith('files/');

/** An ARN as cdk-nag spells it: `arn:<AWS::Partition>:s3:::files-<AWS::AccountId>/incoming/*`. */
function nagName(arn: unknown): string {
  if (typeof arn === 'string') return arn;
  const { 'Fn::Join': [, parts] = [], Ref } = arn as { 'Fn::Join'?: [string, unknown[]]; Ref?: string };
  return parts ? parts.map(nagName).join('') : `<${Ref}>`;
}

function policyStatement(
  { sid, actions, resources, leadingKeys, onlyForKeyring, onlyForAccounts, onlyForFiles }: Statement,
  arns: Arns,
  region: string,
  stage: StageSettings | undefined,
): PolicyStatement {
  return new PolicyStatement({
    sid,
    actions: [...actions],
    resources: resources.map((resource) => arnOf(resource, arns)),
    conditions: {
      ...(leadingKeys && { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys } }),
      ...(onlyForKeyring && {
        StringEquals: {
          'kms:ViaService': `secretsmanager.${region}.amazonaws.com`,
          // Secrets Manager names the secret when it decrypts:
          // docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
          'kms:EncryptionContext:SecretARN': arnOf('keyring', arns),
        },
      }),
      ...(onlyForAccounts && withinStage(stage)),
      ...(onlyForFiles && {
        StringEquals: {
          'kms:ViaService': `s3.${region}.amazonaws.com`,
          // With a bucket key S3 names the bucket, and not the object:
          // docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-key.html
          'kms:EncryptionContext:aws:s3:arn': arnOf('files', arns),
        },
      }),
    },
  });
}

/** Only with both parts of the context that shared/security/key-wrapping.ts binds data keys to, and no other. */
function withinStage(stage: StageSettings | undefined) {
  if (!stage)
    throw new Error('A statement is about the data keys of a stage, which this role does not name.');
  return {
    StringEquals: { 'kms:EncryptionContext:stage': stage.name },
    StringLike: { 'kms:EncryptionContext:account': '?*' },
    'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['account', 'stage'] },
  };
}

function arnOf(resource: Resource, arns: Arns): string {
  const arn = arns[resource];
  if (arn === undefined)
    throw new Error(`A statement is about "${resource}", which this stack does not know.`);
  return arn;
}

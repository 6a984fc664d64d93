import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Resource, Statement } from '../rights/statement.ts';
import { isUnlimited, UnlimitedPolicy } from './unlimited-policy.ts';

/** Where to find what statements are about. */
export type Arns = Partial<Record<Resource, string>>;

interface FunctionRoleProps {
  description: string;
  /** All that its functions may do. */
  statements: readonly Statement[];
  arns: Arns;
}

/**
 * A role for functions. It holds its rights inline, all of them about resources by name; what AWS limits to none
 * stands in a policy of its own, so that no other right can hide behind the same `*`.
 */
export class FunctionRole extends Role {
  constructor(scope: Construct, id: string, { description, statements, arns }: FunctionRoleProps) {
    const limited = statements.filter((statement) => !isUnlimited(statement));
    super(scope, id, {
      description,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      managedPolicies: statements
        .filter(isUnlimited)
        .map((statement) => UnlimitedPolicy.of(Stack.of(scope), statement)),
      inlinePolicies: {
        rights: new PolicyDocument({
          statements: limited.map((statement) => policyStatement(statement, arns, Stack.of(scope).region)),
        }),
      },
    });
  }
}

function policyStatement(
  { sid, actions, resources, leadingKeys, onlyForKeyring }: Statement,
  arns: Arns,
  region: string,
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
    },
  });
}

function arnOf(resource: Resource, arns: Arns): string {
  const arn = arns[resource];
  if (arn === undefined)
    throw new Error(`A statement is about "${resource}", which this stack does not know.`);
  return arn;
}

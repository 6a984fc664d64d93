import { type Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Statement } from '../rights/statement.ts';

/** The actions that AWS limits to no resource, and so the only ones that may stand beside a `*`. */
const unlimited: Readonly<Record<string, string>> = {
  'xray:PutTraceSegments': 'X-Ray knows no resources.',
  'xray:PutTelemetryRecords': 'X-Ray knows no resources.',
  'dynamodb:ListStreams': 'It lists the streams of the account, and Lambda asks for it before it reads one.',
  'sns:Publish': 'A telephone number is no resource.',
};

/** Whether a statement names no resource. */
export const isUnlimited = ({ resources }: Statement): boolean => resources.includes('*');

/** A policy of its own for a statement that names no resource: what is acknowledged for it covers nothing else. */
export class UnlimitedPolicy extends ManagedPolicy {
  private constructor(stack: Stack, { sid, actions }: Statement) {
    super(stack, sid, {
      description: `What AWS limits to no resource: ${actions.join(', ')}`,
      statements: [new PolicyStatement({ sid, actions: [...actions], resources: ['*'] })],
    });
    const reasons = actions.map((action) => {
      const reason = unlimited[action];
      if (reason === undefined) throw new Error(`${action} can be limited to a resource: name one.`);
      return `${action}: ${reason}`;
    });
    Validations.of(this).acknowledge({ id: 'AwsSolutions-IAM5[Resource::*]', reason: reasons.join(' ') });
  }

  /** The one policy of the stack for this statement. */
  static of(stack: Stack, statement: Statement): UnlimitedPolicy {
    const known = stack.node.tryFindChild(statement.sid);
    return known instanceof UnlimitedPolicy ? known : new UnlimitedPolicy(stack, statement);
  }
}

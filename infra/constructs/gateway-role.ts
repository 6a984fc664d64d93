import { createHash } from 'node:crypto';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** AWS attaches ten to a role. Each names about 25 functions where a stack has all the endpoints it can have. */
const policies = 6;
/** A managed policy holds 6,144 characters, and the ARN of a function has up to 125. */
const functionsInPolicy = 45;

/**
 * The role by which API Gateway invokes the endpoints, named one by one. A permission on each function would do
 * the same and cost a resource more for each.
 */
export class GatewayRole extends Role {
  readonly #policies = new Map<string, { policy: ManagedPolicy; statement: PolicyStatement }>();

  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'API Gateway invokes the endpoints',
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    });
  }

  /**
   * Allows a function, and returns the policy that does, for which its route has to wait. Which policy that is follows from
   * the name alone: a new endpoint moves no other from one policy to another, as between the two updates nothing could
   * invoke it.
   */
  mayInvoke(name: string, { functionArn }: IFunction): ManagedPolicy {
    const [byte = 0] = createHash('sha256').update(name).digest();
    const { policy, statement } = this.#policy(`Functions${byte % policies}`);
    statement.addResources(functionArn);
    if (statement.resources.length > functionsInPolicy)
      throw new Error(
        `A policy of the gateway has more than ${functionsInPolicy} functions: spread them over more policies.`,
      );
    return policy;
  }

  #policy(id: string) {
    const known = this.#policies.get(id);
    if (known) return known;
    const statement = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });
    const policy = new ManagedPolicy(this, id, {
      description: 'Endpoints that API Gateway may invoke',
      roles: [this],
      statements: [statement],
    });
    this.#policies.set(id, { policy, statement });
    return { policy, statement };
  }
}

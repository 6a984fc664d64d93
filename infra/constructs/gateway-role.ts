import { createHash } from 'node:crypto';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** AWS allows ten policies per role. If a stack has the maximum number of endpoints, each policy has about 25. */
const policies = 6;
/** A managed policy has at most 6,144 characters. The ARN of a function has up to 125 characters. */
const functionsInPolicy = 45;

/** API Gateway's role to invoke the endpoints. Permissions on functions would need one more resource per function. */
export class GatewayRole extends Role {
  readonly #policies = new Map<string, { policy: ManagedPolicy; statement: PolicyStatement }>();

  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'API Gateway invokes the endpoints',
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    });
  }

  /**
   * Allows API Gateway to invoke a function. Returns the policy, on which the route must depend. The name alone selects
   * the policy. So a new endpoint never moves another function to another policy, which would interrupt its requests.
   */
  allow(name: string, { functionArn }: IFunction): ManagedPolicy {
    const [byte = 0] = createHash('sha256').update(name).digest();
    const { policy, statement } = this.#policy(`Functions${byte % policies}`);
    statement.addResources(functionArn);
    if (statement.resources.length > functionsInPolicy)
      throw new Error(
        `A gateway policy has more than ${functionsInPolicy} functions. Increase the number of policies.`,
      );
    return policy;
  }

  #policy(id: string) {
    const existing = this.#policies.get(id);
    if (existing) return existing;
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

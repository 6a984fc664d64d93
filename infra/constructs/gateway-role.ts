import { createHash } from 'node:crypto';
import { ManagedPolicy, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { serviceInAccount } from './service-in-account.ts';

/** AWS allows ten policies per role. In the app for SAM, whose stack has all 250 endpoints, each contains about 32 functions. */
const policies = 8;
/** A managed policy has at most 6,144 characters. The ARN of a function has up to 125 characters. */
const functionsInPolicy = 45;

/** API Gateway's role to invoke the endpoints. Without a role, each function would need a permission resource. */
export class GatewayRole extends Role {
  readonly #policies = new Map<string, { policy: ManagedPolicy; statement: PolicyStatement }>();

  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'API Gateway invokes the endpoints',
      assumedBy: serviceInAccount('apigateway.amazonaws.com'),
    });
  }

  /**
   * Allows API Gateway to invoke a function. The route must depend on the returned policy. The function's name alone
   * selects the policy. A new endpoint therefore moves no other function to another policy, which would interrupt its
   * requests.
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

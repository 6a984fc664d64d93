import { createHash } from 'node:crypto';
import { ManagedPolicy, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { serviceInAccount } from './service-in-account.ts';

/** AWS allows ten policies per role. */
const policies = 8;
/** A managed policy has at most 6,144 characters. The ARN of a function has up to 125 characters. */
const functionsInPolicy = 45;
/** The largest number of endpoints of a stack that is deployed. The app for SAM, which is not deployed, has more. */
const deployedEndpoints = 240;

/** API Gateway's role to invoke the endpoints. Without a role, each function would need a permission resource. */
export class GatewayRole extends Role {
  readonly #policies = new Map<string, { policy: ManagedPolicy; statement: PolicyStatement }>();
  readonly #number: number;

  constructor(scope: Construct, id: string, { endpoints }: { endpoints: number }) {
    super(scope, id, {
      description: 'API Gateway invokes the endpoints',
      assumedBy: serviceInAccount('apigateway.amazonaws.com'),
    });
    this.#number = policies * Math.ceil(endpoints / deployedEndpoints);
  }

  /**
   * Allows API Gateway to invoke a function. The route must depend on the returned policy. The function's name alone
   * selects the policy. A new endpoint therefore moves no other function to another policy, which would interrupt its
   * requests.
   */
  allow(name: string, functionArn: string): ManagedPolicy {
    const [byte = 0] = createHash('sha256').update(name).digest();
    const { policy, statement } = this.#policy(`Functions${byte % this.#number}`);
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

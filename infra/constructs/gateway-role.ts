import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** A managed policy holds 6,144 characters, an inline one 10,240 in all; the ARN of a function has up to 125. */
const functionsInPolicy = 45;

/**
 * The role by which API Gateway invokes the endpoints, named one by one. A permission on each function would do
 * the same and cost a resource more for each.
 */
export class GatewayRole extends Role {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'API Gateway invokes the endpoints',
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    });
  }

  /** Allows these functions and no others; call it once. */
  mayInvoke(functions: readonly IFunction[]): void {
    for (let from = 0; from < functions.length; from += functionsInPolicy) {
      new ManagedPolicy(this, `Functions${from}`, {
        description: 'Endpoints that API Gateway may invoke',
        roles: [this],
        statements: [
          new PolicyStatement({
            actions: ['lambda:InvokeFunction'],
            resources: functions.slice(from, from + functionsInPolicy).map(({ functionArn }) => functionArn),
          }),
        ],
      });
    }
  }
}

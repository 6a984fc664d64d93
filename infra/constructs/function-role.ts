import { Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

interface FunctionRoleProps {
  description: string;
  logGroup: ILogGroup;
  /** What its functions may do beside logging and tracing. */
  statements: PolicyStatement[];
}

/** A role for functions that holds its rights inline, all of them written down where it is made. */
export class FunctionRole extends Role {
  constructor(scope: Construct, id: string, { description, logGroup, statements }: FunctionRoleProps) {
    super(scope, id, {
      description,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        rights: new PolicyDocument({
          statements: [
            new PolicyStatement({
              sid: 'Log',
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
            new PolicyStatement({
              sid: 'Trace',
              actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
              resources: ['*'],
            }),
            ...statements,
          ],
        }),
      },
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Neither X-Ray nor dynamodb:ListStreams can be limited to a resource.',
    });
  }
}

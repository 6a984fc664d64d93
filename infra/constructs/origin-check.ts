import { Duration, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { CfnAuthorizer, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { gatewaySeconds, originTokenHeader } from '../../shared/http/authorize-origin.ts';
import { authorizerName, type BundledFunction } from '../build/manifest.ts';
import { originStatements } from '../rights/origin-rights.ts';
import { edgeRegion, originSecretOf, type StageSettings } from '../stages.ts';
import { BundledLambda, functionArnOf } from './bundled-lambda.ts';
import { FunctionRole } from './function-role.ts';

interface OriginCheckProps {
  stage: StageSettings;
  bundle: BundledFunction;
  logGroup: ILogGroup;
}

/**
 * The secret with the tokens that the stage's front may send, and the function that checks them. The front is CloudFront,
 * or the API that clients call. API Gateway rejects a request without a token itself, and caches the result for a token.
 * So the check invokes a function only every few minutes, no endpoint needs the right to read the secret, and no cold
 * start becomes longer.
 */
export class OriginCheck extends Construct {
  constructor(scope: Construct, id: string, { stage, bundle, logGroup }: OriginCheckProps) {
    super(scope, id);
    const secret = new Secret(this, 'Tokens', {
      secretName: originSecretOf(stage),
      description: 'The tokens that the front may send to the APIs. See shared/http/authorize-origin.ts.',
      // CloudFormation reads the token for CloudFront in the region of the edge stack.
      replicaRegions:
        !stage.edge || stage.region === undefined || stage.region === edgeRegion
          ? []
          : [{ region: edgeRegion }],
      // Do not change these options: a change generates a new secret, and the front would still send the old token.
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: '1',
        passwordLength: 64,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Rotation is manual: add a token, let the front send it, and then remove the old token.',
    });
    const description = 'Rejects requests that do not come from the front';
    new BundledLambda(this, 'Function', {
      stage,
      bundle,
      description,
      role: new FunctionRole(this, 'Role', {
        description,
        statements: originStatements,
        arns: { 'origin-token': secret.secretArn, logs: logGroup.logGroupArn },
      }),
      logGroup,
      timeout: Duration.seconds(10),
      environment: { ORIGIN_SECRET_ID: originSecretOf(stage) },
    });
  }
}

/** The token that the front sends. CloudFormation resolves the reference, so the template does not contain the token. */
export const originTokenOf = (stage: StageSettings): string =>
  SecretValue.secretsManager(originSecretOf(stage), { jsonField: stage.originToken }).unsafeUnwrap();

/** The authorizer of an API that accepts only requests from the stage's front. */
export class OriginAuthorizer extends Construct {
  readonly authorizerId: string;

  constructor(scope: Construct, id: string, { stage, api }: { stage: StageSettings; api: IHttpApi }) {
    super(scope, id);
    const stack = Stack.of(this);
    const functionArn = functionArnOf(this, stage, { name: authorizerName });
    const authorizer = new CfnAuthorizer(this, 'Authorizer', {
      apiId: api.apiId,
      name: 'from-front',
      authorizerType: 'REQUEST',
      authorizerUri: stack.formatArn({
        service: 'apigateway',
        account: 'lambda',
        resource: 'path/2015-03-31/functions',
        resourceName: `${functionArn}/invocations`,
      }),
      authorizerPayloadFormatVersion: '2.0',
      enableSimpleResponses: true,
      identitySource: [`$request.header.${originTokenHeader}`],
      authorizerResultTtlInSeconds: gatewaySeconds,
    });
    this.authorizerId = authorizer.ref;
    new CfnPermission(this, 'Invoke', {
      action: 'lambda:InvokeFunction',
      functionName: functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: stack.formatArn({
        service: 'execute-api',
        resource: api.apiId,
        resourceName: `authorizers/${authorizer.ref}`,
      }),
    });
  }
}

import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnAuthorizer, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { gatewaySeconds, originTokenHeader } from '../../shared/http/authorize-origin.ts';
import type { BundledFunction } from '../build/manifest.ts';
import { originStatements } from '../rights/origin-rights.ts';
import { edgeRegion, originSecretOf, type StageSettings } from '../stages.ts';
import { BundledLambda } from './bundled-lambda.ts';
import { FunctionRole } from './function-role.ts';

interface OriginCheckProps {
  stage: StageSettings;
  api: IHttpApi;
  bundle: BundledFunction;
  logGroup: ILogGroup;
}

/**
 * Rejects requests that do not come from CloudFront: a secret with the tokens that CloudFront may send, and an authorizer
 * of the gateway that checks the token of each request. API Gateway rejects a request without a token itself, and caches
 * the result for a token. So the check invokes a function only every few minutes, no endpoint needs the right to read
 * the secret, and no cold start becomes longer.
 */
export class OriginCheck extends Construct {
  readonly authorizerId: string;

  constructor(scope: Construct, id: string, { stage, api, bundle, logGroup }: OriginCheckProps) {
    super(scope, id);
    const secret = new Secret(this, 'Tokens', {
      secretName: originSecretOf(stage),
      description: 'The tokens that CloudFront may send to the gateway. See shared/http/authorize-origin.ts.',
      // CloudFormation reads the token for CloudFront in the region of the edge stack.
      replicaRegions:
        stage.region === undefined || stage.region === edgeRegion ? [] : [{ region: edgeRegion }],
      // Do not change these options: a change generates a new secret, and CloudFront would still send the old token.
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
      reason: 'Rotation is manual: add a token, let CloudFront send it, and then remove the old token.',
    });
    const description = 'Rejects requests that do not come from CloudFront';
    const lambda = new BundledLambda(this, 'Function', {
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
    const authorizer = new CfnAuthorizer(this, 'Authorizer', {
      apiId: api.apiId,
      name: 'from-cloudfront',
      authorizerType: 'REQUEST',
      authorizerUri: Stack.of(this).formatArn({
        service: 'apigateway',
        account: 'lambda',
        resource: 'path/2015-03-31/functions',
        resourceName: `${lambda.functionArn}/invocations`,
      }),
      authorizerPayloadFormatVersion: '2.0',
      enableSimpleResponses: true,
      identitySource: [`$request.header.${originTokenHeader}`],
      authorizerResultTtlInSeconds: gatewaySeconds,
    });
    this.authorizerId = authorizer.ref;
    lambda.addPermission('Invoke', {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: Stack.of(this).formatArn({
        service: 'execute-api',
        resource: api.apiId,
        resourceName: `authorizers/${authorizer.ref}`,
      }),
    });
  }
}

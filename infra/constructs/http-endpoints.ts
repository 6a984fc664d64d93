import { Duration, Validations } from 'aws-cdk-lib';
import { CfnIntegration, CfnRoute, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { type Right, rightsOf, statementsWith } from '../rights/endpoint-rights.ts';
import type { DataStack } from '../stacks/data.ts';
import type { StageSettings } from '../stages.ts';
import { BundledLambda } from './bundled-lambda.ts';
import { FunctionRole } from './function-role.ts';
import { GatewayRole } from './gateway-role.ts';

interface EndpointsProps {
  stage: StageSettings;
  data: DataStack;
  /** The API that all stacks share. */
  api: IHttpApi;
  /** The authorizer that rejects requests that do not come from CloudFront, if the stage has CloudFront. */
  authorizerId: string | undefined;
  bundles: readonly BundledEndpoint[];
  logGroup: ILogGroup;
  /** The parent construct of the endpoints. The logical ids of the endpoints contain the parent's id. */
  parent: Construct;
}

export interface HttpEndpoint {
  contract: BundledEndpoint['contract'];
  route: CfnRoute;
}

/** The request pipeline returns a 503 after 10 s. The remaining 5 s are for a cold start. */
const timeout = Duration.seconds(15);

/** Adds endpoints to a stack, with their roles and the gateway's role to invoke them. */
export function addHttpEndpoints(stack: Construct, props: EndpointsProps): HttpEndpoint[] {
  const roleWith = endpointRoles(new Construct(stack, 'Roles'), props);
  const gatewayRole = new GatewayRole(stack, 'GatewayRole');
  Validations.of(props.parent).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      'The API needs no authorizer, because each function authenticates its caller. A function reads the permissions at each request, so changes of permissions take effect immediately.',
  });
  return props.bundles.map((bundle) => addHttpEndpoint(bundle, props, roleWith, gatewayRole));
}

/**
 * Adds an endpoint as three resources: function, integration and route. The function's logical id and physical name
 * depend on the file name. The ids of integration and route depend on the route key. So a renamed file keeps its
 * route. With a new id, CloudFormation would try to create a second route with the same key, which is an error.
 */
function addHttpEndpoint(
  bundle: BundledEndpoint,
  { stage, data, api, authorizerId, logGroup, parent }: EndpointsProps,
  roleWith: (rights: readonly Right[]) => Role,
  gatewayRole: GatewayRole,
): HttpEndpoint {
  const { name, contract } = bundle;
  const rights = rightsOf(contract);
  const lambda = new BundledLambda(new Construct(parent, name), 'Function', {
    stage,
    bundle,
    description: contract.summary,
    role: roleWith(rights),
    logGroup,
    timeout,
    environment: environmentWith(rights, data),
  });
  const routed = new Construct(parent, routeIdOf(contract));
  const integration = new CfnIntegration(routed, 'Integration', {
    apiId: api.apiId,
    integrationType: 'AWS_PROXY',
    integrationUri: lambda.functionArn,
    credentialsArn: gatewayRole.roleArn,
    payloadFormatVersion: '2.0',
    timeoutInMillis: timeout.toMilliseconds(),
  });
  const route = new CfnRoute(routed, 'Route', {
    apiId: api.apiId,
    routeKey: routeKeyOf(contract),
    target: `integrations/${integration.ref}`,
    // With an authorizer, `$default` would reject the preflight requests that the gateway otherwise answers. This route
    // only returns 404.
    ...(authorizerId !== undefined &&
      contract.path !== '$default' && { authorizationType: 'CUSTOM', authorizerId }),
  });
  // API Gateway needs the permission before the route exists. Otherwise, the first requests would get a 500.
  route.node.addDependency(gatewayRole.allow(name, lambda));
  return { contract, route };
}

/** Returns a function that returns the role for a set of rights. The first call for a set creates its role. */
function endpointRoles(scope: Construct, { stage, data, logGroup }: EndpointsProps) {
  const roles = new Map<string, Role>();
  const arns = { ...data.arns, logs: logGroup.logGroupArn };
  return (rights: readonly Right[]): Role => {
    const name = rights.join(' ') || 'nothing';
    const description = `Endpoints with ${name}`;
    const role =
      roles.get(name) ??
      new FunctionRole(scope, name, { description, statements: statementsWith(rights), arns, stage });
    roles.set(name, role);
    return role;
  };
}

const environmentWith = (rights: readonly Right[], data: DataStack): Record<string, string> => ({
  ...(rights.includes('table:read') && { TABLE_NAME: data.tableName }),
  ...(rights.some((right) => right.startsWith('files:')) && { BUCKET_NAME: data.bucketName }),
  ...(rights.includes('secret:read') && { SECRET_ID: data.secretName }),
  ...(rights.includes('data-key:use') && { DATA_KEY_ID: data.dataKeyAlias }),
});

/** The route key of API Gateway: `GET /leads/{leadId}`, or `$default`. */
export const routeKeyOf = ({ method, path }: BundledEndpoint['contract']): string =>
  path === '$default' ? path : `${method} ${path}`;

/** The logical id of a route. It omits parameter names, so that renaming a parameter updates the same route. */
const routeIdOf = (contract: BundledEndpoint['contract']): string =>
  routeKeyOf(contract).replaceAll(/\{\w+\}/g, '{}');

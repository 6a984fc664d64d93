import { Duration, Validations } from 'aws-cdk-lib';
import { CfnIntegration, CfnRoute, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ManagedPolicy, Role } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { type Right, rightsOf, statementsWith } from '../rights/endpoint-rights.ts';
import type { DataStack } from '../stacks/data.ts';
import type { StageSettings } from '../stages.ts';
import { BundledLambda, functionArnOf } from './bundled-lambda.ts';
import { FunctionRole } from './function-role.ts';
import { GatewayRole } from './gateway-role.ts';

interface EndpointsProps {
  stage: StageSettings;
  data: DataStack;
  api: IHttpApi;
  /** The authorizer that rejects requests that do not come from the stage's front. Undefined for the front itself. */
  authorizerId: string | undefined;
  bundles: readonly BundledEndpoint[];
  /** The endpoint that responds to unknown paths, if it is in another stack. */
  unknownPaths: BundledEndpoint | undefined;
  logGroup: ILogGroup;
  /** The parent construct of the endpoints. The logical ids of the endpoints contain the parent's id. */
  parent: Construct;
}

export interface HttpEndpoint {
  contract: BundledEndpoint['contract'];
  integration: CfnIntegration;
  route: CfnRoute;
}

/** The request pipeline returns a 503 after 10 s. The remaining 5 s are for a cold start. */
const timeout = Duration.seconds(15);

/**
 * The number of endpoints that CloudFormation adds to an API at the same time. API Gateway allows an AWS account 10 calls
 * per second, and bursts of 40, to change its APIs (API Gateway Developer Guide, "Amazon API Gateway quotas"). Each
 * endpoint needs at least two calls.
 */
const addedAtOnce = 10;

/** Adds endpoints to a stack, with their roles and the gateway's role to invoke them. */
export function addHttpEndpoints(stack: Construct, props: EndpointsProps): HttpEndpoint[] {
  const { stage, parent, bundles, unknownPaths } = props;
  const roleWith = endpointRoles(new Construct(stack, 'Roles'), props);
  const gatewayRole = new GatewayRole(stack, 'GatewayRole', { endpoints: bundles.length });
  Validations.of(parent).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      'The API needs no authorizer, because each function authenticates its caller. A function reads the permissions at each request, so changes of permissions take effect immediately.',
  });
  const added = bundles.map((bundle) => addHttpEndpoint(bundle, props, roleWith, gatewayRole));
  if (unknownPaths) {
    const functionArn = functionArnOf(stack, stage, unknownPaths);
    const permission = gatewayRole.allow(unknownPaths.name, functionArn);
    added.push(addRoute(unknownPaths.contract, functionArn, permission, gatewayRole, props));
  }
  for (const [n, { integration }] of added.entries()) {
    const earlier = added[n - addedAtOnce];
    if (earlier) integration.node.addDependency(earlier.route);
  }
  return added;
}

/**
 * Adds an endpoint as three resources: function, integration and route. The function's logical id and physical name
 * depend on the file name. The ids of integration and route depend on the route key. So a renamed file keeps its
 * route. With a new id, CloudFormation would try to create a second route with the same key, which is an error.
 */
function addHttpEndpoint(
  bundle: BundledEndpoint,
  props: EndpointsProps,
  roleWith: (rights: readonly Right[]) => Role,
  gatewayRole: GatewayRole,
): HttpEndpoint {
  const { stage, data, logGroup, parent } = props;
  const { name, contract } = bundle;
  const rights = rightsOf(contract);
  const { functionArn } = new BundledLambda(new Construct(parent, name), 'Function', {
    stage,
    bundle,
    description: contract.summary,
    role: roleWith(rights),
    logGroup,
    timeout,
    environment: environmentWith(rights, data),
  });
  return addRoute(contract, functionArn, gatewayRole.allow(name, functionArn), gatewayRole, props);
}

/** Adds the integration and the route of an endpoint. */
function addRoute(
  contract: BundledEndpoint['contract'],
  functionArn: string,
  permission: ManagedPolicy,
  gatewayRole: GatewayRole,
  { api, authorizerId, parent }: EndpointsProps,
): HttpEndpoint {
  const routed = new Construct(parent, routeIdOf(contract));
  const integration = new CfnIntegration(routed, 'Integration', {
    apiId: api.apiId,
    integrationType: 'AWS_PROXY',
    integrationUri: functionArn,
    credentialsArn: gatewayRole.roleArn,
    payloadFormatVersion: '2.0',
    timeoutInMillis: timeout.toMilliseconds(),
  });
  const route = new CfnRoute(routed, 'Route', {
    apiId: api.apiId,
    routeKey: routeKeyOf(contract),
    target: `integrations/${integration.ref}`,
    // With an authorizer, `$default` would reject the preflight requests that the gateway otherwise answers. This route
    // only returns 404. NONE is explicit, because an update may otherwise keep a former authorizer.
    ...(authorizerId !== undefined && contract.path !== '$default'
      ? { authorizationType: 'CUSTOM', authorizerId }
      : { authorizationType: 'NONE' }),
  });
  // API Gateway needs the permission before the route exists. Otherwise, the first requests would get a 500.
  route.node.addDependency(permission);
  return { contract, integration, route };
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

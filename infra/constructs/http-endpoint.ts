import { Duration } from 'aws-cdk-lib';
import { CfnIntegration, CfnRoute, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { rightsOf } from '../rights/endpoint-rights.ts';
import type { StageSettings } from '../stages.ts';
import { BundledLambda } from './bundled-lambda.ts';
import type { EndpointRoles } from './endpoint-roles.ts';
import type { GatewayRole } from './gateway-role.ts';

/** A request has 10 s and then gets our own 503; the rest is for a cold start before it. */
const timeout = Duration.seconds(15);

interface HttpEndpointProps {
  stage: StageSettings;
  api: IHttpApi;
  bundle: BundledEndpoint;
  roles: EndpointRoles;
  gatewayRole: GatewayRole;
  logGroup: ILogGroup;
}

/**
 * An endpoint in three resources: its function, the integration that invokes it and the route that leads there. CloudFormation
 * knows the function by its file, as its name does, and the other two by the route: a renamed file changes neither, where
 * a second route of one key could not be made before the first is gone.
 */
export class HttpEndpoint extends Construct {
  readonly contract: BundledEndpoint['contract'];
  readonly route: CfnRoute;

  constructor(scope: Construct, id: string, props: HttpEndpointProps) {
    super(scope, id);
    const { stage, api, bundle, roles, gatewayRole, logGroup } = props;
    const rights = rightsOf(bundle.contract);
    const lambda = new BundledLambda(this, 'Function', {
      stage,
      bundle,
      description: bundle.contract.summary,
      role: roles.roleWith(rights),
      logGroup,
      timeout,
      environment: roles.environmentWith(rights),
    });
    const routed = new Construct(scope, routeIdOf(bundle.contract));
    const integration = new CfnIntegration(routed, 'Integration', {
      apiId: api.apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: lambda.functionArn,
      credentialsArn: gatewayRole.roleArn,
      payloadFormatVersion: '2.0',
      timeoutInMillis: timeout.toMilliseconds(),
    });
    this.contract = bundle.contract;
    this.route = new CfnRoute(routed, 'Route', {
      apiId: api.apiId,
      routeKey: routeKeyOf(bundle.contract),
      target: `integrations/${integration.ref}`,
    });
    // Who calls a route before the gateway may invoke its function gets a 500.
    this.route.node.addDependency(gatewayRole.mayInvoke(bundle.name, lambda));
  }
}

/** The key by which API Gateway finds a route: `GET /leads/{leadId}`, or `$default` for what no other has. */
export const routeKeyOf = ({ method, path }: BundledEndpoint['contract']): string =>
  path === '$default' ? path : `${method} ${path}`;

/** A route whatever its parameters are called: another name for one is an update of the same route. */
const routeIdOf = (contract: BundledEndpoint['contract']): string =>
  routeKeyOf(contract).replaceAll(/\{\w+\}/g, '{}');

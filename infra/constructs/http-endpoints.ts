import { Validations } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import type { DataStack } from '../stacks/data.ts';
import type { StageSettings } from '../stages.ts';
import { EndpointRoles } from './endpoint-roles.ts';
import { GatewayRole } from './gateway-role.ts';
import { HttpEndpoint } from './http-endpoint.ts';

interface EndpointsProps {
  stage: StageSettings;
  data: DataStack;
  /** The one API that all endpoints are behind, whatever their stack. */
  api: IHttpApi;
  bundles: readonly BundledEndpoint[];
  logGroup: ILogGroup;
  /** Under which the endpoints stand. CloudFormation knows each by this place: one that changes it is deleted and made anew. */
  under: Construct;
}

/** The endpoints of a stack, with the roles they share and the one by which the gateway invokes these and no others. */
export function addHttpEndpoints(
  stack: Construct,
  { stage, data, api, bundles, logGroup, under }: EndpointsProps,
): HttpEndpoint[] {
  const roles = new EndpointRoles(stack, 'Roles', { stage, data, logGroup });
  const gatewayRole = new GatewayRole(stack, 'GatewayRole');
  const endpoints = bundles.map(
    (bundle) => new HttpEndpoint(under, bundle.name, { stage, api, bundle, roles, gatewayRole, logGroup }),
  );
  Validations.of(under).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      'Each function authenticates the principal itself: permissions count at once, in the same read as the record.',
  });
  return endpoints;
}

import { Stack, type StackProps } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { addHttpEndpoints } from '../constructs/http-endpoints.ts';
import { logGroupOf, StageLogs } from '../constructs/stage-logs.ts';
import type { StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';

/** The first path segments of this stack's endpoints. */
const folders: ReadonlySet<string> = new Set([
  'tickets',
  'ticket-types',
  'ticket-rotations',
  'integrations',
  'notifications',
  'webhooks',
]);

/**
 * Reports whether an endpoint belongs to the support stack. Do not move a deployed endpoint to another stack:
 * the deployment would fail, because the old stack still has resources with the same names.
 */
export const isSupportEndpoint = ({ contract }: Pick<BundledEndpoint, 'contract'>): boolean =>
  folders.has(contract.path.split('/')[1] ?? '');

interface SupportProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  api: IHttpApi;
  authorizerId: string | undefined;
  endpoints: readonly BundledEndpoint[];
}

/**
 * The support desk's endpoints, as routes of the API. They have their own stack, because the stack `api`
 * would otherwise exceed the limit of resources per stack.
 */
export class SupportStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, data, api, authorizerId, endpoints, ...props }: SupportProps,
  ) {
    super(scope, id, props);
    const logGroup = new StageLogs(this, 'Logs', { stage, logGroupName: logGroupOf(stage, 'support') });
    const parent = new Construct(this, 'Endpoints');
    addHttpEndpoints(this, { stage, data, api, authorizerId, bundles: endpoints, logGroup, parent });
  }
}

import { Stack, type StackProps } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { addHttpEndpoints } from '../constructs/http-endpoints.ts';
import { logGroupOf, StageLogs } from '../constructs/stage-logs.ts';
import type { StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';

/** The folders of functions/, which paths begin with, whose endpoints this stack has. */
const folders: ReadonlySet<string> = new Set([
  'tickets',
  'ticket-types',
  'ticket-rotations',
  'integrations',
  'notifications',
  'webhooks',
]);

/**
 * Whether an endpoint stands in the stack of support. One that was deployed stays where it is: its route and its function
 * have one name in either stack, and an update would make the new before it deletes the old.
 */
export const isSupportEndpoint = ({ contract }: Pick<BundledEndpoint, 'contract'>): boolean =>
  folders.has(contract.path.split('/')[1] ?? '');

interface SupportProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  api: IHttpApi;
  endpoints: readonly BundledEndpoint[];
}

/** The endpoints of the support desk, behind the API of the stack `api`, which has no room for them. */
export class SupportStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, api, endpoints, ...props }: SupportProps) {
    super(scope, id, props);
    const logGroup = new StageLogs(this, 'Logs', { stage, logGroupName: logGroupOf(stage, 'support') });
    const under = new Construct(this, 'Endpoints');
    addHttpEndpoints(this, { stage, data, api, bundles: endpoints, logGroup, under });
  }
}

import { Stack, type StackProps } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import type { BundledEndpoint } from '../build/manifest.ts';
import { addHttpEndpoints } from '../constructs/http-endpoints.ts';
import { logGroupOf, StageLogs } from '../constructs/stage-logs.ts';
import type { EndpointStackName } from '../endpoint-stacks.ts';
import type { StageSettings } from '../stages.ts';
import type { DataStack } from './data.ts';

interface EndpointsStackProps extends StackProps {
  stage: StageSettings;
  data: DataStack;
  api: IHttpApi;
  authorizerId: string | undefined;
  endpoints: readonly BundledEndpoint[];
}

/**
 * A stack of endpoints, as routes of the API. One stack with all endpoints would exceed the limit of resources per
 * stack.
 */
export class EndpointsStack extends Stack {
  constructor(
    scope: Construct,
    name: EndpointStackName,
    { stage, data, api, authorizerId, endpoints, ...props }: EndpointsStackProps,
  ) {
    super(scope, name, props);
    const logGroup = new StageLogs(this, 'Logs', { stage, logGroupName: logGroupOf(stage, name) });
    const parent = new Construct(this, 'Endpoints');
    addHttpEndpoints(this, { stage, data, api, authorizerId, bundles: endpoints, logGroup, parent });
  }
}

import type { App, StackProps } from 'aws-cdk-lib';
import type { Manifest } from '../build/manifest.ts';
import { endpointStackNames, type ServingStackName, servingStackOf } from '../endpoint-stacks.ts';
import { edgeRegion, nameIn, type StageSettings } from '../stages.ts';
import { ApiStack } from './api.ts';
import { DataStack } from './data.ts';
import { EdgeStack } from './edge.ts';
import { EndpointsStack } from './endpoints.ts';
import { EventsStack } from './events.ts';
import { WatchStack } from './watch.ts';

const addEdge = (
  app: App,
  stage: StageSettings,
  edge: NonNullable<StageSettings['edge']>,
  common: StackProps,
): EdgeStack =>
  new EdgeStack(app, 'edge', { ...common, env: { ...common.env, region: edgeRegion }, stage, edge });

/**
 * Adds all stacks of the service. If the stage does not set an AWS account and region, the templates can be
 * deployed to any account and region.
 */
export function addStacks(app: App, stage: StageSettings, manifest: Manifest) {
  const common = (part: string): StackProps => ({
    stackName: nameIn(stage, part),
    terminationProtection: stage.protected,
    env: { account: stage.awsAccount, region: stage.region },
    tags: { application: 'merchant-ops', stage: stage.name },
  });
  const endpointsOf = (name: ServingStackName) =>
    manifest.endpoints.filter((endpoint) => servingStackOf(endpoint) === name);
  const data = new DataStack(app, 'data', { ...common('data'), stage });
  const events = new EventsStack(app, 'events', { ...common('events'), stage, data, manifest });
  const api = new ApiStack(app, 'api', {
    ...common('api'),
    stage,
    data,
    endpoints: endpointsOf('api'),
    authorizer: manifest.authorizer,
  });
  const endpointStacks = endpointStackNames.map(
    (name) =>
      new EndpointsStack(app, name, {
        ...common(name),
        stage,
        data,
        api: api.api,
        authorizerId: api.authorizerId,
        endpoints: endpointsOf(name),
      }),
  );
  const watch = new WatchStack(app, 'watch', { ...common('watch'), stage, data, api: api.api, manifest });
  const edge = stage.edge && addEdge(app, stage, stage.edge, common('edge'));
  edge?.addDependency(api);
  return { data, events, api, endpointStacks, watch, edge };
}

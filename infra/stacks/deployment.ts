import type { App, StackProps } from 'aws-cdk-lib';
import type { Manifest } from '../build/manifest.ts';
import { edgeRegion, nameIn, type StageSettings } from '../stages.ts';
import { ApiStack } from './api.ts';
import { DataStack } from './data.ts';
import { EdgeStack } from './edge.ts';
import { EventsStack } from './events.ts';
import { isSupportEndpoint, SupportStack } from './support.ts';
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
  const data = new DataStack(app, 'data', { ...common('data'), stage });
  const events = new EventsStack(app, 'events', { ...common('events'), stage, data, manifest });
  const api = new ApiStack(app, 'api', {
    ...common('api'),
    stage,
    data,
    endpoints: manifest.endpoints.filter((endpoint) => !isSupportEndpoint(endpoint)),
    authorizer: manifest.authorizer,
  });
  const support = new SupportStack(app, 'support', {
    ...common('support'),
    stage,
    data,
    api: api.api,
    authorizerId: api.authorizerId,
    endpoints: manifest.endpoints.filter(isSupportEndpoint),
  });
  const watch = new WatchStack(app, 'watch', { ...common('watch'), stage, data, api: api.api, manifest });
  const edge = stage.edge && addEdge(app, stage, stage.edge, common('edge'));
  edge?.addDependency(api);
  return { data, events, api, support, watch, edge };
}

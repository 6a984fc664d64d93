import type { App, StackProps } from 'aws-cdk-lib';
import type { Manifest } from '../build/manifest.ts';
import { FrontRoutes } from '../constructs/front-routes.ts';
import { endpointStacks, frontName, pathPatterns, servingStackOf } from '../endpoint-stacks.ts';
import { edgeRegion, nameIn, type StageSettings, stageNamed } from '../stages.ts';
import { ApiStack } from './api.ts';
import { DataStack } from './data.ts';
import { EdgeStack } from './edge.ts';
import { EndpointsStack } from './endpoints.ts';
import { EventsStack } from './events.ts';
import { WatchStack } from './watch.ts';

/**
 * Adds all stacks of the service. If the stage does not set an AWS account and region, the templates can be
 * deployed to any account and region. `split` assigns endpoints to the stacks with their own API.
 */
export function addStacks(app: App, stage: StageSettings, manifest: Manifest, split = endpointStacks) {
  const common = (part: string): StackProps => ({
    stackName: nameIn(stage, part),
    terminationProtection: stage.deletionProtection,
    env: { account: stage.awsAccount, region: stage.region },
    tags: { application: 'merchant-ops', stage: stage.name },
  });
  const endpointsOf = (name: string) =>
    manifest.endpoints.filter((endpoint) => servingStackOf(endpoint, split) === name);
  const patterns = pathPatterns(manifest.endpoints, split);
  const data = new DataStack(app, 'data', { ...common('data'), stage });
  const events = new EventsStack(app, 'events', { ...common('events'), stage, data, manifest });
  const api = new ApiStack(app, frontName, {
    ...common(frontName),
    stage,
    data,
    endpoints: endpointsOf(frontName),
    authorizer: manifest.authorizer,
  });
  const unknownPaths = manifest.endpoints.find(({ contract }) => contract.path === '$default');
  const behind = split.map(({ name, segments }) => {
    const stack = new EndpointsStack(app, name, {
      ...common(name),
      stage,
      data,
      endpoints: endpointsOf(name),
      unknownPaths,
      apiName: nameIn(stage, name),
    });
    // The stack `api` contains the function of the authorizer, the access log and the endpoint of unknown paths.
    stack.addStackDependency(api);
    if (!stage.edge) new FrontRoutes(stack, 'Front', { stage, front: api.api, api: stack.api, segments });
    return stack;
  });
  const serving = [api, ...behind];
  const watch = new WatchStack(app, 'watch', {
    ...common('watch'),
    stage,
    data,
    // The APIs that receive a request first.
    apis: stage.edge ? serving : [api],
    serving: serving.map(({ node }) => node.id),
    manifest,
  });
  const edge = hasEdgeStack(stage)
    ? new EdgeStack(app, 'edge', {
        ...common('edge'),
        env: { account: stage.awsAccount, region: edgeRegion },
        stage,
        patterns,
      })
    : undefined;
  for (const stack of serving) edge?.addStackDependency(stack);
  return { data, events, api, endpointStacks: behind, watch, edge };
}

/**
 * Whether the stage has the stack `edge`. A stage that has CloudFront by default keeps this stack without CloudFront, so
 * that a deployment with `"edge": null` deletes the distribution.
 */
const hasEdgeStack = ({ name, edge }: StageSettings): boolean =>
  edge !== undefined || stageNamed(name).edge !== undefined;

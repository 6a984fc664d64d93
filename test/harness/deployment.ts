import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, expect } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { type BundledFunction, type Manifest, manifestOf } from '../../infra/build/manifest.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { endpointStacks as defaultSplit } from '../../infra/endpoint-stacks.ts';
import { appIn } from '../../infra/quotas/synthesize.ts';
import { addStacks } from '../../infra/stacks/deployment.ts';
import type { StageSettings } from '../../infra/stages.ts';

/** The folder of the bundle and the assemblies, which is removed after the tests. */
const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-infra-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Templates depend on the contracts, not on the code, so all functions use one empty bundle. */
const bundle = join(folder, 'bundle');
mkdirSync(bundle);
writeFileSync(join(bundle, 'entry.mjs'), 'export const handler = () => undefined;\n');

/** A bundled function, as the stacks receive it. */
const bundled = (name: string): BundledFunction => ({ name, folder: bundle, bytes: 0 });

/** The manifest that a build would return, with the schedule in test/harness/schedules added. */
export async function builtManifest(): Promise<Manifest> {
  const schedules = [...(await loadSchedules()), ...(await loadSchedules('test/harness/schedules'))];
  return manifestOf(await loadEndpoints(), schedules, bundled);
}

/** Every tenth endpoint, for tests that do not depend on the number of endpoints. */
export const fewEndpoints = (manifest: Manifest): Manifest => ({
  ...manifest,
  endpoints: manifest.endpoints.filter((_, n) => n % 10 === 0),
});

/** The stacks of a stage and their synthesized templates. */
export interface Deployment {
  app: App;
  stacks: Stack[];
  data: Template;
  events: Template;
  api: Template;
  /** The stacks that contain only endpoints, in the order of `endpointStacks`. */
  endpointStacks: Template[];
  watch: Template;
  /** Undefined if the stage never had CloudFront. */
  edge: Template | undefined;
}

/** Creates an app without stacks, in a folder of its own. `validated` is as in `appIn`. */
export const emptyApp = (validated = false): App => appIn(mkdtempSync(join(folder, 'cdk-')), validated);

/**
 * Synthesizes the templates of a stage. This takes about a second, or several seconds if CDK validates the result.
 * `npm run test:extra -- templates` validates the templates of every stage.
 */
export function deploymentOf(
  stage: StageSettings,
  manifest: Manifest,
  { validated = false, split = defaultSplit } = {},
): Deployment {
  const app = emptyApp(validated);
  const { data, events, api, endpointStacks, watch, edge } = addStacks(app, stage, manifest, split);
  return {
    app,
    stacks: [data, events, api, ...endpointStacks, watch, ...(edge ? [edge] : [])],
    data: Template.fromStack(data),
    events: Template.fromStack(events),
    api: Template.fromStack(api),
    endpointStacks: endpointStacks.map((stack) => Template.fromStack(stack)),
    watch: Template.fromStack(watch),
    edge: edge && Template.fromStack(edge),
  };
}

/** All templates of a deployment. */
export const templatesOf = ({ data, events, api, endpointStacks, watch, edge }: Deployment): Template[] => [
  data,
  events,
  api,
  ...endpointStacks,
  watch,
  ...(edge ? [edge] : []),
];

/** Returns the stacks that contain endpoints. */
export const servingTemplates = ({ api, endpointStacks }: Deployment): Template[] => [api, ...endpointStacks];

/** Expects a resource of this type that has at least these properties. */
export const expectResource = (template: Template, type: string, properties: object): void =>
  expect(() => template.hasResourceProperties(type, properties)).not.toThrow();

const found = new WeakMap<Template, Map<string, readonly [string, unknown][]>>();

/** The resources of a type by logical id. Cached, because a template is large and does not change. */
export function resources<P>(template: Template, type: string): [string, P][] {
  const known = found.get(template) ?? new Map<string, readonly [string, unknown][]>();
  found.set(template, known);
  const ofType: readonly [string, unknown][] =
    known.get(type) ??
    Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties]);
  known.set(type, ofType);
  return ofType.map(([id, properties]) => [id, properties as P]);
}

/** Returns the logical id to which a value refers, at any depth. */
export function target(value: unknown): string {
  const [, id] = /"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/.exec(JSON.stringify(value ?? null)) ?? [];
  return id ?? '';
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, expect } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { type BundledFunction, type Manifest, manifestOf } from '../../infra/build/manifest.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { addStacks } from '../../infra/stacks/deployment.ts';
import type { StageSettings } from '../../infra/stages.ts';

/** Holds the bundle and the assemblies; gone afterwards. */
const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-infra-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The templates follow from the contracts and not from the code, so one empty bundle stands for all. */
const bundle = join(folder, 'bundle');
mkdirSync(bundle);
writeFileSync(join(bundle, 'entry.mjs'), 'export const handler = () => undefined;\n');

/** A bundled function, as the stacks know it. */
export const bundled = (name: string): BundledFunction => ({ name, folder: bundle, bytes: 0 });

/** What a build of the service makes, with one schedule of the tests. */
export async function builtManifest(): Promise<Manifest> {
  const schedules = [...(await loadSchedules()), ...(await loadSchedules('test/harness/schedules'))];
  return manifestOf(await loadEndpoints(), schedules, bundled);
}

/** The templates of a stage, and what they were made of. */
export interface Deployment {
  app: App;
  stacks: Stack[];
  data: Template;
  events: Template;
  api: Template;
  support: Template;
  watch: Template;
}

/** An app of nothing yet, which CDK validates where it is asked to: the check takes seconds to load, and longer than a synth. */
export const emptyApp = (validated = false): App =>
  new App({
    context: cdkJson.context,
    outdir: mkdtempSync(join(folder, 'cdk-')),
    builtinCloudFormationValidation: validated,
  });

/**
 * Synthesizes what a stage would deploy of a build. Slow: a second each, and several more where it is `validated` by CDK
 * itself. That is for `npm run test:templates`, which looks at every stage, as `npm run synth` does at the one it makes.
 */
export function deploymentOf(
  stage: StageSettings,
  manifest: Manifest,
  { validated = false } = {},
): Deployment {
  const app = emptyApp(validated);
  const { data, events, api, support, watch } = addStacks(app, stage, manifest);
  return {
    app,
    stacks: [data, events, api, support, watch],
    data: Template.fromStack(data),
    events: Template.fromStack(events),
    api: Template.fromStack(api),
    support: Template.fromStack(support),
    watch: Template.fromStack(watch),
  };
}

/** All templates of a deployment. */
export const templatesOf = ({ data, events, api, support, watch }: Deployment): Template[] => [
  data,
  events,
  api,
  support,
  watch,
];

/** Expects a resource of this type with at least these properties, as CDK's assertions match them. */
export const expectResource = (template: Template, type: string, properties: object): void =>
  expect(() => template.hasResourceProperties(type, properties)).not.toThrow();

const found = new WeakMap<Template, Map<string, readonly [string, unknown][]>>();

/** The resources of a type, by logical id. They are looked for once: a template does not change, and has hundreds. */
export function resources<P>(template: Template, type: string): [string, P][] {
  const known = found.get(template) ?? new Map<string, readonly [string, unknown][]>();
  found.set(template, known);
  const ofType: readonly [string, unknown][] =
    known.get(type) ??
    Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties]);
  known.set(type, ofType);
  return ofType.map(([id, properties]) => [id, properties as P]);
}

/** The logical id that a value refers to, wherever in it the reference is. */
export function target(value: unknown): string {
  const [, id] = /"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/.exec(JSON.stringify(value ?? null)) ?? [];
  return id ?? '';
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { loadEndpoints } from '../build/endpoints.ts';
import { manifestOf } from '../build/manifest.ts';
import { loadSchedules } from '../build/schedules.ts';
import { addStacks } from '../stacks/deployment.ts';
import type { StageSettings } from '../stages.ts';
import { longestRegion } from './longest-values.ts';
import type { StackTemplate } from './stack-template.ts';

/**
 * Creates an app without stacks, which writes to `outdir`. Its synthesis records neither stack traces nor the tree of
 * constructs, which take a third of its time. Only with `validated`, CDK validates the app, which takes several seconds.
 */
export const appIn = (outdir: string, validated = false): App =>
  new App({
    context: { ...cdkJson.context, 'aws:cdk:disable-creation-stack-traces': true },
    outdir,
    builtinCloudFormationValidation: validated,
    stackTraces: false,
    treeMetadata: false,
  });

/** Returns the templates of an app. Stacks without a region get the longest name of a region. */
export const templatesOfApp = (app: App): StackTemplate[] =>
  app.synth().stacks.map(({ stackName, environment, template }) => ({
    name: stackName,
    region: /^unknown-/.test(environment.region) ? longestRegion : environment.region,
    template,
  }));

/**
 * Synthesizes the templates of a stage without building its functions, in about a second. All functions have one empty
 * bundle, because the templates do not depend on the code.
 */
export async function synthesizeStage(stage: StageSettings): Promise<StackTemplate[]> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-quotas-'));
  try {
    const bundle = join(folder, 'bundle');
    mkdirSync(bundle);
    writeFileSync(join(bundle, 'entry.mjs'), '');
    const manifest = manifestOf(await loadEndpoints(), await loadSchedules(), (name) => ({
      name,
      folder: bundle,
      bytes: 0,
    }));
    const app = appIn(join(folder, 'cdk'));
    addStacks(app, stage, manifest);
    return templatesOfApp(app);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

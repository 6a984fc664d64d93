import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { edgeRegion, stageNamed } from '../../infra/stages.ts';
import { builtManifest, deploymentOf } from '../harness/deployment.ts';
import { completedProd } from '../harness/production.ts';
import { outputOf, tool } from './tools.ts';

const stages = [completedProd, stageNamed('dev'), stageNamed('local')];

/** W3005 reports redundant dependencies. CDK adds a redundant `DependsOn` from each function to its role. */
const ignored = ['W3005'];

/** The template files of each stage. */
const templates = new Map<string, string[]>();

beforeAll(async () => {
  const manifest = await builtManifest();
  for (const stage of stages) {
    // Throws if CDK's validation finds an error.
    const { outdir } = deploymentOf(stage, manifest, { validated: true }).app;
    const files = readdirSync(outdir).filter((file) => file.endsWith('.template.json'));
    templates.set(
      stage.name,
      files.map((file) => join(outdir, file)),
    );
  }
});

test.each(stages)('cfn-lint finds no error and no warning in the templates of $name', async (stage) => {
  const files = templates.get(stage.name) ?? [];
  expect(files).toHaveLength(stage.edge ? 9 : 8);
  const isEdge = (file: string) => file.endsWith('/edge.template.json');
  for (const [region, some] of [
    [stage.region ?? edgeRegion, files.filter((file) => !isEdge(file))],
    [edgeRegion, files.filter(isEdge)],
  ] as const) {
    if (some.length === 0) continue;
    const options = ['--regions', region, '--ignore-checks', ...ignored];
    expect(await outputOf(tool('cfn-lint'), ['--format', 'parseable', ...options, '--', ...some])).toBe('');
  }
});

test('no template sets AWS_ENDPOINT_URL, which emulators set for their functions', () => {
  for (const file of [...templates.values()].flat())
    expect(readFileSync(file, 'utf8'), file).not.toContain('AWS_ENDPOINT_URL');
});

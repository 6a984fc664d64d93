import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { build } from '../../infra/build/build.ts';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';
import { functionsFolder, sourceMapPath } from '../../infra/build/source-maps.ts';
import { translateStack } from '../../infra/operations/translate-stack.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import { operatorsCommand, runNode } from '../harness/operators-command.ts';

const [folder, plain] = [`.build/maps-${process.pid}`, `.build/plain-${process.pid}`];
const endpoints = (await loadEndpoints()).filter(({ name }) => name === 'teams-read-team');
await build(folder, { endpoints, schedules: [], maps: true });
await build(plain, { endpoints, schedules: [] });
afterAll(() => {
  for (const made of [folder, `${folder}-maps`, plain]) rmSync(join(root, made), { recursive: true });
});

const bundleIn = (made: string) => readFileSync(join(root, made, 'teams-read-team', 'index.cjs'), 'utf8');

test('a source map is not deployed and does not change the bundle', () => {
  expect(readdirSync(join(root, folder, 'teams-read-team')).sort()).toEqual(['entry.mjs', 'index.cjs']);
  expect(bundleIn(folder)).toBe(bundleIn(plain));
  expect(bundleIn(folder)).not.toContain('sourceMappingURL');
});

test('positions in a bundle are translated to positions in the source, and unknown positions are not changed', () => {
  const bundle = bundleIn(folder);
  const at = bundle.indexOf('not_authenticated');
  expect(at).toBeGreaterThan(0);
  const lines = bundle.slice(0, at).split('\n');
  const [line, column] = [lines.length, (lines.at(-1)?.length ?? 0) + 1];
  const map = JSON.parse(readFileSync(join(root, sourceMapPath(folder, 'teams-read-team')), 'utf8'));
  const stack = `Error: one\n    at a (/var/task/index.cjs:${line}:${column})\n    at node:internal/main:1:1`;
  const translated = translateStack(stack, map, `${folder}/teams-read-team`);
  const [, source = '', row, start] = /at a \((\S+\.ts):(\d+):(\d+)\)/.exec(translated) ?? [];
  const text = readFileSync(join(root, source), 'utf8').split('\n')[Number(row) - 1];
  expect(text?.slice(Number(start) - 1)).toMatch(/^not_authenticated:/);
  expect(translated).toMatch(/^Error: one\n.+\n {4}at node:internal\/main:1:1$/);
});

test('the command translates a real stack to existing lines of the sources', async () => {
  const bundle = join(root, folder, 'teams-read-team', 'index.cjs');
  // The function fails, because it is called without an event.
  const script = `Promise.resolve().then(() => require(${JSON.stringify(bundle)}).handler()).catch(({ stack }) => console.log(stack))`;
  const { stdout: stack } = await runNode('-e', script);
  expect(stack).toContain(`${bundle}:`);
  const name = `teams-read-team-${process.pid}`;
  const copy = join(root, sourceMapPath(functionsFolder, name));
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join(root, sourceMapPath(folder, 'teams-read-team')), copy);
  onTestFinished(() => rmSync(copy));
  const command = spawn(
    process.execPath,
    [await inOneFile('infra/operations/main.ts'), 'stack-traces', 'translate', '--function', name],
    { cwd: root },
  );
  // Log lines contain line feeds as escapes.
  command.stdin.end(stack.replaceAll('\n', '\\n'));
  const translated = await text(command.stdout);
  const places = [...translated.matchAll(/(\S+\.ts):(\d+):(\d+)/g)];
  expect(places.length).toBeGreaterThan(0);
  expect(translated).not.toContain('index.cjs');
  for (const [, path = '', line] of places) {
    const source = path.replace(/^\(/, '');
    expect(source).not.toMatch(/^\.|^\//);
    const lines = readFileSync(join(root, source), 'utf8').split('\n');
    expect(lines[Number(line) - 1]?.trim() ?? '').not.toBe('');
  }
});

test('the error for a function without a source map names the missing file', async () => {
  const { code, stderr } = await operatorsCommand('stack-traces', 'translate').here('--function', 'unknown');
  expect(code).toBe(1);
  expect(stderr).toContain('.build/functions-maps/unknown.map is missing. Run npm run build');
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Run, runFunction } from './lambda-runtime.ts';

const folder = mkdtempSync(join(tmpdir(), 'function-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(source: string, handler = 'entry.handler', ...events: unknown[]): Promise<Run> {
  writeFileSync(join(folder, 'entry.mjs'), source);
  const environment = { PATH: process.env.PATH ?? '' };
  return runFunction(
    { name: 'one', handler, folder, timeoutSeconds: 3, memoryMegabytes: 128, environment },
    events,
  );
}

test.each([
  ['without the named handler', 'export const handler = async () => {};', 'entry.other', 'HandlerNotFound'],
  ['without the named file', 'export const handler = async () => {};', 'index.handler', 'ImportModuleError'],
  [
    'that takes a callback',
    'export const handler = (event, context, done) => {};',
    'entry.handler',
    'CallbackHandlerDeprecated',
  ],
  ['that throws while it is loaded', 'throw new TypeError("no key");', 'entry.handler', 'TypeError'],
])('a function %s fails with an init error', async (_, source, handler, type) => {
  const { initError, results } = await run(source, handler, {});
  expect(initError).toMatchObject({ errorType: expect.stringMatching(new RegExp(`^(Runtime\\.)?${type}$`)) });
  expect(results).toEqual([]);
});

test('a function responds to each event with a result or an error, and writes console output as JSON', async () => {
  const source = `export const handler = async ({ n }, { functionName, getRemainingTimeInMillis }) => {
    console.error('number', n);
    if (n === 2) throw new RangeError('two');
    return { n, functionName, inTime: getRemainingTimeInMillis() > 2000 };
  };`;
  const { results, log, stderr, initError } = await run(
    source,
    'entry.handler',
    { n: 1 },
    { n: 2 },
    { n: 3 },
  );
  expect(results).toMatchObject([
    { response: { n: 1, functionName: 'one', inTime: true } },
    { error: { errorType: 'RangeError', errorMessage: 'two' } },
    { response: { n: 3 } },
  ]);
  expect(log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'number 1')).toMatchObject([
    { level: 'ERROR', requestId: 'request-0' },
  ]);
  expect({ stderr, initError }).toEqual({ stderr: '', initError: undefined });
});

test('a function whose process exits during an event returns no response', async () => {
  const { results } = await run('export const handler = async () => process.exit(0);', 'entry.handler', {});
  expect(results).toEqual([]);
});

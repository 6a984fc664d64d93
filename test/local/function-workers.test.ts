import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { build } from '../../infra/build/build.ts';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';
import { type FunctionWorkers, startFunctionWorkers } from '../../infra/local/function-workers.ts';
import { toHttpEvent } from '../../infra/local/http-event.ts';
import type { Invocation } from '../../infra/local/invocation.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = `.build/test-workers-${process.pid}`;
const endpoints = (await loadEndpoints()).filter(({ endpoint }) => endpoint.contract.path === '/auth/login');
const [loginName = ''] = endpoints.map(({ name }) => name);
await build(folder, { endpoints, schedules: [], oneProcess: true });
/** Functions that exit, throw outside of the call, block their thread, compute for long, respond late, never respond or write to a file. */
const harmful = {
  exits: `process.exit(3);`,
  throws: `setTimeout(() => { throw new Error('outside the call'); }); await new Promise(() => {});`,
  blocks: `for (;;);`,
  computes: `const end = Date.now() + 2000; while (Date.now() < end);`,
  waits: `await new Promise((resolve) => setTimeout(resolve, 300)); return 'waited';`,
  never: `await new Promise(() => {});`,
  writes: `const { appendFileSync } = await import('node:fs');
    setInterval(() => appendFileSync(event.file, '.'), 5); await new Promise(() => {});`,
};
for (const [name, body] of Object.entries(harmful)) {
  mkdirSync(join(root, folder, name));
  const source = `export const handler = async (event) => { ${body} };\n`;
  writeFileSync(join(root, folder, name, 'entry.mjs'), source);
}
const invocations: Invocation[] = [];
const workers: FunctionWorkers = startFunctionWorkers({
  folder: join(root, folder),
  onInvocation: (invocation) => invocations.push(invocation),
  onLine: () => {},
});
afterAll(async () => {
  await workers.stop();
  rmSync(join(root, folder), { recursive: true });
});

const route = { method: 'POST', path: '/auth/login' };
const login = () => {
  const body = Buffer.from(JSON.stringify({ email: 'nobody@example.com', password: 'a wrong password' }));
  const request = { method: 'POST', target: '/auth/login', headers: [], body, sourceIp: '127.0.0.1' };
  return toHttpEvent(request, { route, params: {} });
};

test('a call is recorded with its result and its DynamoDB calls', async () => {
  const event = login();
  const result = await workers.endpoint(loginName)(event, 'call-1');
  expect(result).toMatchObject({ statusCode: 401 });
  const recorded = invocations.find(({ id }) => id === 'call-1');
  expect(recorded).toMatchObject({ functionName: loginName, event, result });
  expect(recorded?.milliseconds).toBeGreaterThan(0);
  expect(recorded?.calls).toContainEqual({
    operation: expect.stringMatching(/Item|Query/),
    after: expect.any(Number),
    milliseconds: expect.any(Number),
    units: expect.any(Number),
    items: expect.arrayContaining([
      expect.objectContaining({ action: expect.any(String), pk: expect.stringMatching(/\w+#/) }),
    ]),
  });
});

test.each(['exits', 'throws'])(
  'a function that %s ends only its own thread, and the next call starts a new thread',
  async (name) => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    const waiting = workers.endpoint('waits')({});
    const damaged = workers.background(name)({}, `damaged-${name}`);
    await expect(damaged).rejects.toThrow('ended during the call');
    expect(await waiting).toBe('waited');
    expect(await workers.background('waits')({})).toBe('waited');
    expect(reported.mock.calls.flat().join('\n')).toContain('ended with code');
    expect(invocations.find(({ id }) => id === `damaged-${name}`)?.error).toContain('ended during the call');
  },
);

test('a call without a response fails after its timeout, and its thread continues', async () => {
  const reported = vi.spyOn(console, 'error').mockClear();
  await expect(workers.background('never', 200)({})).rejects.toThrow('never timed out after 0.2 s');
  await sleep(10);
  expect(await workers.background('waits')({})).toBe('waited');
  expect(reported).not.toHaveBeenCalled();
});

test('a blocked thread is ended after the timeout of the call and replaced', async () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  await expect(workers.background('blocks', 100)({})).rejects.toThrow('ended during the call');
  expect(await workers.background('waits')({})).toBe('waited');
  expect(reported.mock.calls.flat().join('\n')).toContain('The next call starts a new thread');
});

test('a long call of an endpoint does not delay other calls', async () => {
  const ended: string[] = [];
  const call = (name: string) =>
    workers
      .endpoint(name)({})
      .then(() => ended.push(name));
  const computing = call('computes');
  await sleep(100);
  await call('waits');
  await call('waits');
  await computing;
  expect(ended).toEqual(['waits', 'waits', 'computes']);
});

test('stopping ends the threads and rejects the calls in progress', async () => {
  const stopped = startFunctionWorkers({ folder: join(root, folder) });
  const file = join(temporaryFolder(), 'written');
  const call = expect(stopped.endpoint('writes')({ file })).rejects.toThrow('The service stops.');
  await expect.poll(() => existsSync(file)).toBe(true);
  await stopped.stop();
  await call;
  const { size } = statSync(file);
  await sleep(100);
  expect(statSync(file).size).toBe(size);
});

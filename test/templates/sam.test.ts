import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';
import { nameIn, stageNamed } from '../../infra/stages.ts';
import { startEmulator } from '../deploy/emulator.ts';
import { cdk, operate, successful } from '../deploy/run-program.ts';
import { startSam } from './start-sam.ts';
import { outputOf, samAccount, tool } from './tools.ts';

const template = join(root, 'cdk.out/sam/api.template.json');
const stage = stageNamed('local');

/** The routes and functions that SAM reads from the template. */
interface Found {
  routes: { path: string; methods: string[]; payload: string; function: string }[];
  functions: { name: string; code: string; handler: string; environment: Record<string, string> }[];
}
let found: Found;

beforeAll(async () => {
  await promisify(execFile)('npm', ['run', '--silent', 'synth:sam'], { cwd: root });
  const reader = join(import.meta.dirname, 'read_template.py');
  found = JSON.parse(await outputOf(tool('python'), [reader, template]));
});

test('SAM finds the route of each contract, and no other route', async () => {
  const endpoints = await loadEndpoints();
  const contracts = endpoints.map(({ name, endpoint: { contract } }) => ({
    route: contract.path === '$default' ? '$default' : `${contract.method} ${contract.path}`,
    function: nameIn(stage, name),
    payload: '2.0',
  }));
  const routes = found.routes.map(({ path, methods, function: name, payload }) => {
    // SAM itself responds to OPTIONS, according to the API's CORS configuration.
    const [method, ...others] = methods.filter((one) => one !== 'OPTIONS');
    expect(others).toEqual([]);
    return { route: path === '$default' ? path : `${method} ${path}`, function: name, payload };
  });
  const sorted = <T extends { route: string }>(list: T[]) =>
    list.sort((one, other) => (one.route < other.route ? -1 : 1));
  expect(sorted(routes)).toEqual(sorted(contracts));
});

test('the code of each function with a route exports its handler', async () => {
  const functions = found.routes.map((route) => found.functions.find(({ name }) => name === route.function));
  const modules = functions.map((one) => join(one?.code ?? '', one?.handler.replace(/\.\w+$/, '.mjs') ?? ''));
  const names = functions.map((one) => one?.handler.split('.').at(-1));
  // Loads all modules in one child process. One process per function would take minutes, and in this process vitest
  // would transform the modules.
  const program = `
    const [, modules, names] = process.argv;
    const types = [];
    for (const [index, module] of JSON.parse(modules).entries())
      types.push(typeof (await import(module))[JSON.parse(names)[index]]);
    console.log(JSON.stringify(types));
    process.exit();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program, JSON.stringify(modules), JSON.stringify(names)],
    { env: { AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL: 'http://127.0.0.1:9' } },
  );
  expect(JSON.parse(stdout)).toEqual(modules.map(() => 'function'));
});

// SAM passes a variable of --env-vars to a function only if the template declares the variable.
test('the template sets the names of table, secret, data key and bucket to those of a deployment', () => {
  const known: Record<string, string> = {
    TABLE_NAME: 'merchant-ops-local',
    SECRET_ID: 'merchant-ops-local-keyring',
    DATA_KEY_ID: 'alias/merchant-ops-local-data-keys',
    BUCKET_NAME: `merchant-ops-local-files-${samAccount}-us-east-1`,
  };
  const declared = new Set<string>();
  for (const { environment } of found.functions) {
    expect(environment).toMatchObject({
      AWS_ENDPOINT_URL: 'http://host.docker.internal:4566',
      STAGE: 'local',
    });
    for (const [name, value] of Object.entries(environment))
      if (name in known) expect([declared.add(name) && name, value]).toEqual([name, known[name]]);
  }
  expect(declared).toEqual(new Set(Object.keys(known)));
});

test('an endpoint responds through SAM as in a deployment', async () => {
  const sam = await startSam(template, { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
  onTestFinished(sam.stop);
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${sam.baseUrl}${path}`, { method, headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  expect(await ask('GET', '/health')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  for (const [method, path, status, error] of [
    ['GET', '/nowhere', 404, 'route_not_found'],
    ['PATCH', '/leads', 405, 'method_not_allowed'],
    ['GET', '/users/ada%40example.com', 401, 'not_authenticated'],
    ['GET', '/tickets?status=open&status=closed', 401, 'not_authenticated'],
  ] as const) {
    const { status: given, text } = await ask(method, path);
    expect([path, given, JSON.parse(text).error]).toEqual([path, status, error]);
  }
  const page = await ask('GET', '/docs', { 'accept-encoding': 'br' });
  expect([page.status, page.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(page.text).toMatch(/^<!doctype html>/i);
  const origin = 'http://localhost:5173';
  const preflight = await ask('OPTIONS', '/leads', { origin, 'access-control-request-method': 'POST' });
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
});

test('the smoke test of a service in SAM succeeds with the emulator that --env-vars sets', async () => {
  const emulator = await startEmulator();
  onTestFinished(emulator.stop);
  const environment = { ...emulator.environment, AWS_ACCESS_KEY_ID: samAccount };
  await successful(cdk(environment, 'bootstrap', `aws://${samAccount}/us-east-1`, '--app', ''));
  const stacks = ['data', 'events', '-c', 'stage=local', '--require-approval', 'never'];
  await successful(cdk(environment, 'deploy', ...stacks));
  const account = await successful(
    operate(
      environment,
      ...['accounts', 'create'],
      ...['--stage', 'local', '--name', 'Acme', '--email', 'admin@example.com'],
    ),
  );
  const { apiKey: API_KEY, apiSecret: API_SECRET } = JSON.parse(account);
  const sam = await startSam(template, { AWS_ENDPOINT_URL: emulator.endpoint });
  onTestFinished(sam.stop);
  const smoke = ['--base-url', sam.baseUrl, '--stage', 'local'];
  const output = await successful(
    operate({ ...environment, API_KEY, API_SECRET }, 'smoke-tests', 'run', ...smoke),
  );
  expect(output).toMatch(/^ok .* there are no dead letters$/m);
});

import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Metafile } from 'esbuild';
import { afterAll, expect, test, vi } from 'vitest';
import { build } from '../../infra/build/build.ts';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { bundles } from '../../infra/local/bundles.ts';
import { toHttpEvent } from '../../infra/local/http-event.ts';
import { lambda } from '../../infra/local/lambda.ts';
import changeInParts from '../harness/parts/change-in-parts.ts';
import { batchOf, type Exchange, recordsOf, runOf, unknownRequest } from '../harness/sample-exchanges.ts';
import keepSecret from '../harness/sensitive/keep-secret.ts';
import tellSecret from '../harness/sensitive/tell-secret.ts';

const folder = `.build/test-${process.pid}`;
/** Endpoints of the tests, so that what is said of sensitive ones is said of some. */
const endpoints = [
  { name: 'test-keep-secret', file: 'test/harness/sensitive/keep-secret.ts', endpoint: keepSecret },
  { name: 'test-tell-secret', file: 'test/harness/sensitive/tell-secret.ts', endpoint: tellSecret },
  {
    name: 'test-change-in-parts',
    file: 'test/harness/parts/change-in-parts.ts',
    endpoint: changeInParts,
  },
];
const schedules = await loadSchedules('test/harness/schedules');
const ofTests = await build(folder, { endpoints, schedules });
afterAll(() => rmSync(join(root, folder), { recursive: true }));

/** The build that the local runner shares, of these very sources, and beside it the functions of the tests. */
const service = await bundles();
const manifest = {
  ...service.manifest,
  endpoints: [...service.manifest.endpoints, ...ofTests.endpoints],
  schedules: [...service.manifest.schedules, ...ofTests.schedules],
};
const names = [manifest.endpoints, [manifest.relay], manifest.consumers, manifest.schedules]
  .flat()
  .map(({ name }) => name);
const isOfTests = (name: string) =>
  [...ofTests.endpoints, ...ofTests.schedules].some((one) => one.name === name);
const folderOf = (name: string) => join(isOfTests(name) ? join(root, folder) : service.folder, name);
const outputsIn = (built: string): [name: string, inputs: string[]][] => {
  const { outputs } = JSON.parse(readFileSync(join(built, 'metafile.json'), 'utf8')) as Metafile;
  return Object.entries(outputs).map(([path, { inputs }]) => [basename(dirname(path)), Object.keys(inputs)]);
};
/** The modules of each bundle, by its name. */
const modules = new Map([...outputsIn(join(root, folder)), ...outputsIn(service.folder)]);

/** Functions that carry the whole API's description in their bundle. */
const tellers = ['service-read-docs', 'service-read-openapi'];

test('there is a bundle for every endpoint, named after its file', async () => {
  const files = (await loadEndpoints()).map(({ name }) => name);
  expect(manifest.endpoints.map(({ name }) => name)).toEqual([
    ...files,
    ...endpoints.map(({ name }) => name),
  ]);
});

test('there is a bundle for every schedule, named after its file, and the manifest says when it runs', async () => {
  const files = [...(await loadSchedules()), ...schedules].map(({ name }) => name);
  expect(manifest.schedules.map(({ schedule }) => schedule)).toEqual(files);
  expect(manifest.schedules.at(-1)).toEqual({
    name: 'schedules-count-runs',
    folder: `${folder}/schedules-count-runs`,
    bytes: expect.any(Number),
    schedule: 'count-runs',
    every: { minutes: 1 },
    timeoutSeconds: 50,
    lag: { metric: 'TestLag', minutes: 5 },
  });
});

/** What the source of each function gives it, by its name. */
const exchanges: ReadonlyMap<string, Exchange> = new Map([
  ...manifest.endpoints.map(({ name, contract }) => [name, unknownRequest(contract)] as const),
  [manifest.relay.name, recordsOf([])] as const,
  ...manifest.consumers.map(({ name, queue }) => [name, batchOf(queue)] as const),
  ...manifest.schedules.map(({ name, schedule }) => [name, runOf(schedule)] as const),
]);

test('every bundle loads, answers what its source gives it, and writes nothing but lines of JSON', async () => {
  const written: string[] = [];
  const write = (line: unknown) => written.push(String(line)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(write);
  // Around its lines Lambda puts JSON of its own.
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const name of names) {
    const { event, check } = exchanges.get(name) ?? {};
    const response = await lambda(name, folderOf(name))(event);
    // As it is sent, where nothing becomes null.
    check?.(JSON.parse(JSON.stringify(response ?? null)), name);
  }
  expect(said).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  expect(written.length).toBeGreaterThanOrEqual(manifest.endpoints.length);
  const lines = written.map((line) => {
    expect(() => JSON.parse(line), line).not.toThrow();
    return JSON.parse(line);
  });
  for (const { logged } of exchanges.values())
    if (logged) expect(lines).toContainEqual(expect.objectContaining(logged));
});

test('a bundle answers by its schemas, which the build has compiled into it', async () => {
  const call = async (name: string, method: string, path: string, body?: string) => {
    const given = { method, target: path, headers: [], body: Buffer.from(body ?? ''), sourceIp: '127.0.0.1' };
    const event = toHttpEvent(given, { route: { method, path }, params: {} });
    const response = await lambda(name, folderOf(name))(event);
    const { statusCode, body: answered = '' } = response as APIGatewayProxyStructuredResultV2;
    return [statusCode, JSON.parse(answered)];
  };
  expect(await call('service-read-health', 'GET', '/health')).toEqual([200, { status: 'ok' }]);
  expect(
    await call('auth-request-password-reset', 'POST', '/auth/password-reset-request', '{"email":7}'),
  ).toEqual([400, expect.objectContaining({ details: [{ field: 'email', message: expect.any(String) }] })]);
});

test('a bundle of a list knows how the enums rank that it is sorted by, although it holds no schemas', () => {
  const source = readFileSync(join(folderOf('lead-rotations-list-lead-rotations'), 'index.cjs'), 'utf8');
  expect(source).toMatch(/Object\.assign\([\w$]+\.contract\.ranks,\{status:\["active","inactive"\]\}\)/);
});

test('no bundle carries a schema compiler, the credential chain, event streams, discovered endpoints or the schemas', () => {
  const unwanted =
    /ajv\/dist\/compile|ajv-formats|node_modules\/.*(credential-provider-node|typebox|EventStreamSerde|endpoint-cache\/dist-es\/E)/;
  expect(modules.size).toBe(names.length);
  for (const [name, inputs] of modules)
    expect(
      inputs.filter((input) => unwanted.test(input)),
      name,
    ).toEqual([]);
});

/** The names of the bundles that hold a module whose path fits. */
const bundlesWith = (module: RegExp): string[] =>
  names.filter((name) => modules.get(name)?.some((input) => module.test(input)));
const sensitive = manifest.endpoints.filter(({ contract }) => contract.sensitive).map(({ name }) => name);

/** Those that open sensitive values: deliveries are signed with the secrets of their webhooks. */
const opening = [...sensitive, 'events-deliveries'];

test('exactly the bundles of sensitive endpoints and of deliveries carry the code that opens values, and with the jobs, which sign seals, the client of KMS', () => {
  expect(sensitive).toEqual(expect.arrayContaining(['test-keep-secret', 'test-tell-secret']));
  for (const module of [/node_modules\/jose\/.*\/jwe_encrypt/, /node_modules\/jose\/.*\/jwe_decrypt/])
    expect(bundlesWith(module)).toEqual(opening);
  expect(bundlesWith(/node_modules\/@aws-sdk\/client-kms\//)).toEqual([...opening, 'events-jobs']);
  expect(bundlesWith(/shared\/integrity\/event-seals\/seal-key\.ts$/)).toEqual(['events-jobs']);
});

test('the endpoints that seal and open sensitive values are these twelve and no others', () => {
  const ofTests = endpoints.map(({ name }) => name);
  expect(sensitive.filter((name) => !ofTests.includes(name)).sort()).toEqual([
    'applications-create-application',
    'applications-decide-application',
    'applications-read-application',
    'applications-rotate-app-key',
    'applications-submit-application',
    'applications-update-application',
    'leads-convert-lead',
    'merchants-create-merchant',
    'merchants-read-merchant',
    'merchants-update-merchant',
    'webhooks-create-webhook',
    'webhooks-rotate-webhook-secret',
  ]);
});

test('exactly the bundles of endpoints that commit parts carry the code for it', () => {
  const inParts = manifest.endpoints.filter(({ contract }) => contract.commitsParts).map(({ name }) => name);
  expect(inParts).toContain('test-change-in-parts');
  expect(bundlesWith(/shared\/http\/commit-parts\.ts$/)).toEqual(inParts);
});

test('no bundle carries a client of S3', () => {
  expect(bundlesWith(/node_modules\/@aws-sdk\/client-s3\//)).toEqual([]);
});

/** Those that reckon business time. */
const reckoning = bundlesWith(/node_modules\/temporal-/);

test('only what changes tickets, makes digests or says when one is due carries Temporal: neither lists of tickets, nor a read or a deletion of one', () => {
  for (const name of reckoning) {
    expect(name).toMatch(/^tickets-|^schedule|^events-(notifications|jobs|explain-event)$/);
    expect(name).not.toMatch(/^tickets-(list-.*|(read|delete)-ticket|read-ticket-assignment)$/);
  }
});

/** The clients of two more services. */
const sending = bundlesWith(/node_modules\/@aws-sdk\/client-(sesv2|sns)\//);

test('only the jobs carry what sends mail and text messages', () => {
  expect(sending).toEqual(['events-jobs']);
});

test('no bundle grows past 290 KB, 350 KB if it opens sensitive values or computes business time, or 410 KB if it sends mail', () => {
  const sizes = manifest.endpoints.filter(({ name }) => !tellers.includes(name));
  for (const { name, bytes } of [...sizes, manifest.relay, ...manifest.consumers, ...manifest.schedules]) {
    expect(bytes, name).toBeGreaterThan(1000);
    const most = sending.includes(name) ? 410 : [...opening, ...reckoning].includes(name) ? 350 : 290;
    expect(bytes, name).toBeLessThan(most * 1024);
  }
});

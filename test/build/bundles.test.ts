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
import { capturesBodies } from '../../shared/endpoints/contract.ts';
import { bundlesEvery } from '../harness/heavy.ts';
import changeInParts from '../harness/parts/change-in-parts.ts';
import {
  batchOf,
  type Exchange,
  recordsOf,
  runOf,
  unknownRequest,
  wrongToken,
} from '../harness/sample-exchanges.ts';
import keepSecret from '../harness/sensitive/keep-secret.ts';
import openSecret from '../harness/sensitive/open-secret.ts';

const folder = `.build/test-${process.pid}`;
/** Test endpoints. Together they use all features of the build. */
const endpoints = [
  { name: 'test-keep-secret', file: 'test/harness/sensitive/keep-secret.ts', endpoint: keepSecret },
  { name: 'test-open-secret', file: 'test/harness/sensitive/open-secret.ts', endpoint: openSecret },
  {
    name: 'test-change-in-parts',
    file: 'test/harness/parts/change-in-parts.ts',
    endpoint: changeInParts,
  },
];
const schedules = await loadSchedules('test/harness/schedules');
const all = await loadEndpoints();
/** The endpoints that the tests below name. */
const named = [
  'service-read-health',
  'auth-request-password-reset',
  'auth-verify-login',
  'lead-rotations-list-lead-rotations',
  'users-create-user',
  'domains-request-domain',
  'auth-start-sso',
  'auth-finish-sso',
  'auth-exchange-sso',
  'auth-log-out-sso',
];
/**
 * The endpoints that are built for Lambda: sensitive endpoints, API documents, `named`, every n-th endpoint, and the
 * endpoints that run lists, with these lists.
 */
const built = all.filter(
  ({ name, endpoint }, n) =>
    n % bundlesEvery === 0 ||
    endpoint.contract.sensitive ||
    endpoint.contract.apiArtifact ||
    endpoint.contract.runsLists ||
    named.includes(name) ||
    'count' in endpoint,
);
const manifest = await build(folder, {
  endpoints: [...built, ...endpoints],
  schedules: [...(await loadSchedules()), ...schedules],
});
afterAll(() => rmSync(join(root, folder), { recursive: true }));
/** The build for the local service. It contains every function, and the functions share files. */
const local = await bundles();

const namesIn = (functions: typeof manifest) =>
  [functions.endpoints, [functions.relay, functions.authorizer], functions.consumers, functions.schedules]
    .flat()
    .map(({ name }) => name);
const names = namesIn(manifest);
const folderOf = (name: string) => join(root, folder, name);
const { outputs } = JSON.parse(readFileSync(join(root, folder, 'metafile.json'), 'utf8')) as Metafile;
/** The modules of each bundle. */
const modules = new Map(
  Object.entries(outputs).map(([path, { inputs }]) => [basename(dirname(path)), Object.keys(inputs)]),
);

/** The modules of all functions. */
const modulesOfAll = Object.keys(
  (JSON.parse(readFileSync(join(local.folder, 'metafile.json'), 'utf8')) as Metafile).inputs,
);

/** Functions whose bundles contain API documents. */
const withDocuments = ['service-read-docs', 'service-read-openapi'];

test('no bundle contains a file of the local service or of its console', () => {
  const all = [...modules.values()].flat();
  expect(all).toContain('shared/http/handler.ts');
  expect(all.filter((path) => path.startsWith('infra/local/') || path.includes('lit-html'))).toEqual([]);
});

test('there is a bundle for every endpoint, named after its file', () => {
  const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name);
  expect(namesOf(local.manifest.endpoints)).toEqual(namesOf(all));
  expect(namesOf(manifest.endpoints)).toEqual(namesOf([...built, ...endpoints]));
});

test('there is a bundle for every schedule, named after its file, and the manifest contains the schedule’s interval', async () => {
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
    uses: 'work queues',
  });
});

/** A sample event for each function. */
const exchanges: ReadonlyMap<string, Exchange> = new Map([
  ...[...local.manifest.endpoints, ...manifest.endpoints].map(
    ({ name, contract }) => [name, unknownRequest(contract)] as const,
  ),
  [manifest.relay.name, recordsOf([])] as const,
  [manifest.authorizer.name, wrongToken] as const,
  ...manifest.consumers.map(({ name, queue }) => [name, batchOf(queue)] as const),
  ...manifest.schedules.map(({ name, schedule }) => [name, runOf(schedule)] as const),
]);

test.each([
  ['for Lambda', join(root, folder), names],
  ['for the local service', local.folder, namesIn(local.manifest)],
])(
  'every bundle %s loads, responds to a sample event, and writes only lines of JSON',
  async (_, made, functions) => {
    const written: string[] = [];
    const write = (line: unknown) => written.push(String(line)) > 0;
    vi.spyOn(process.stdout, 'write').mockImplementation(write);
    // Functions must not use console.error, because Lambda would wrap the line in JSON again.
    const consoleErrors = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const name of functions) {
      const { event, check } = exchanges.get(name) ?? {};
      const response = await lambda(name, () => import(join(made, name, 'entry.mjs')))(event);
      // Lambda serializes undefined as null.
      check?.(JSON.parse(JSON.stringify(response ?? null)), name);
    }
    expect(consoleErrors).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    expect(written.length).toBeGreaterThanOrEqual(functions.length);
    const lines = written.map((line) => {
      expect(() => JSON.parse(line), line).not.toThrow();
      return JSON.parse(line);
    });
    for (const name of functions) {
      const { logged } = exchanges.get(name) ?? {};
      if (logged) expect(lines).toContainEqual(expect.objectContaining(logged));
    }
  },
);

test('a bundle validates requests with its compiled schemas', async () => {
  const call = async (name: string, method: string, path: string, body?: string) => {
    const given = { method, target: path, headers: [], body: Buffer.from(body ?? ''), sourceIp: '127.0.0.1' };
    const event = toHttpEvent(given, { route: { method, path }, params: {} });
    const response = await lambda(name, () => import(join(folderOf(name), 'entry.mjs')))(event);
    const { statusCode, body: json = '' } = response as APIGatewayProxyStructuredResultV2;
    return [statusCode, JSON.parse(json)];
  };
  expect(await call('service-read-health', 'GET', '/health')).toEqual([200, { status: 'ok' }]);
  expect(
    await call('auth-request-password-reset', 'POST', '/auth/password-reset-request', '{"email":7}'),
  ).toEqual([400, expect.objectContaining({ details: [{ field: 'email', message: expect.any(String) }] })]);
});

test('the bundle of a list endpoint contains the sort order of enum values', () => {
  const source = readFileSync(join(folderOf('lead-rotations-list-lead-rotations'), 'index.cjs'), 'utf8');
  expect(source).toMatch(/Object\.assign\([\w$]+\.contract\.ranks,\{status:\["active","inactive"\]\}\)/);
});

test('no bundle contains a schema compiler, TypeBox, or the SDK’s credential chain, event streams or endpoint discovery', () => {
  const unwanted =
    /ajv\/dist\/compile|ajv-formats|node_modules\/.*(credential-provider-node|typebox|EventStreamSerde|endpoint-cache\/dist-es\/E)/;
  expect(modules.size).toBe(names.length);
  for (const [name, inputs] of [...modules, ['the local service', modulesOfAll] as const])
    expect(
      inputs.filter((input) => unwanted.test(input)),
      name,
    ).toEqual([]);
});

/** The names of the bundles that contain a matching module. */
const bundlesWith = (module: RegExp): string[] =>
  names.filter((name) => modules.get(name)?.some((input) => module.test(input)));
const sensitive = manifest.endpoints.filter(({ contract }) => contract.sensitive).map(({ name }) => name);

/** Bundles of views, which contain the lists of all record types. */
const runningLists = manifest.endpoints.filter(({ contract }) => contract.runsLists).map(({ name }) => name);

/** Bundles that decrypt sensitive values, secrets of second factors, or secrets for signatures, as the consumers for webhooks and for partners do. */
const decrypting = [
  ...manifest.endpoints
    .filter(
      ({ contract }) =>
        contract.sensitive ||
        contract.signedBody ||
        contract.factorSecrets === 'read' ||
        contract.rights?.includes('client-secret:use'),
    )
    .map(({ name }) => name),
  'events-deliveries',
  'events-partner',
];

test('only the bundles of endpoints with sensitive values, signed bodies or second factors, and of the consumers `deliveries` and `partner`, contain the code for decryption', () => {
  expect(sensitive).toEqual(expect.arrayContaining(['test-keep-secret', 'test-open-secret']));
  // The exchange of a single sign-on decrypts its one-time code with the signing secret.
  expect(bundlesWith(/node_modules\/jose\/.*\/jwe_decrypt/).sort()).toEqual(
    [...decrypting, 'auth-exchange-sso'].sort(),
  );
  const makingFactors = built
    .filter(({ endpoint }) => endpoint.contract.factorSecrets === 'make')
    .map(({ name }) => name);
  expect(bundlesWith(/node_modules\/@aws-sdk\/client-kms\//).sort()).toEqual(
    [...decrypting, ...makingFactors, 'events-sealing'].sort(),
  );
  expect(bundlesWith(/shared\/integrity\/event-seals\/seal-key\.ts$/)).toEqual(['events-sealing']);
});

test('exactly these twenty-nine endpoints encrypt or decrypt sensitive values', () => {
  const ofTests = endpoints.map(({ name }) => name);
  expect(sensitive.filter((name) => !ofTests.includes(name)).sort()).toEqual([
    'accounts-start-body-capture',
    'applications-create-application',
    'applications-decide-application',
    'applications-read-application',
    'applications-rotate-app-key',
    'applications-submit-application',
    'applications-update-application',
    'billing-rotate-provider-secret',
    'billing-save-payment-provider',
    'events-reveal-request-body',
    'events-reveal-response-body',
    'extapi-save-external-application',
    'extapi-submit-external-application',
    'extapi-update-external-application',
    'integrations-rotate-partner-secret',
    'integrations-save-partner-connection',
    'leads-convert-lead',
    'merchants-create-merchant',
    'merchants-read-merchant',
    'merchants-update-merchant',
    'residual-payouts-create-payout',
    'residual-payouts-download-payout',
    'residual-payouts-import-returns',
    'residual-payouts-read-payout-account',
    'residual-payouts-save-payout-account',
    'sso-connections-create-sso-connection',
    'sso-connections-update-sso-connection',
    'webhooks-create-webhook',
    'webhooks-rotate-webhook-secret',
  ]);
});

test('only bundles that decrypt, or that change records of an account, contain the code for encryption', () => {
  const capturing = manifest.endpoints
    .filter(({ contract }) => capturesBodies(contract))
    .map(({ name }) => name);
  const encrypting = bundlesWith(/node_modules\/jose\/.*\/jwe_encrypt/);
  expect(encrypting).toEqual(expect.arrayContaining(capturing));
  for (const name of encrypting)
    expect([...capturing, ...decrypting, 'auth-create-factor', 'auth-start-sso']).toContain(name);
  expect(bundlesWith(/shared\/http\/capture-bodies\.ts$/)).toEqual(capturing);
});

test('only the bundles of endpoints that need fresh proofs contain require-fresh-proof.ts', () => {
  const proving = manifest.endpoints.filter(({ contract }) => contract.proof).map(({ name }) => name);
  expect(proving).toContain('merchants-read-merchant');
  expect(bundlesWith(/shared\/http\/require-fresh-proof\.ts$/)).toEqual(proving);
});

test('only the two functions that browsers call for single sign-on contain openid-client', () => {
  expect(bundlesWith(/node_modules\/(openid-client|oauth4webapi)\//)).toEqual([
    'auth-finish-sso',
    'auth-start-sso',
  ]);
});

test('only the bundles of endpoints that commit in parts contain commit-parts.ts', () => {
  const inParts = manifest.endpoints.filter(({ contract }) => contract.commitsParts).map(({ name }) => name);
  expect(inParts).toContain('test-change-in-parts');
  expect(bundlesWith(/shared\/http\/commit-parts\.ts$/)).toEqual(inParts);
});

/** Bundles with the client of S3. */
const withS3 = bundlesWith(/node_modules\/@aws-sdk\/client-s3\//);

test('only the bundle of the schedule that erases closed accounts contains the S3 client', () => {
  expect(withS3).toEqual(['schedules-account-closings']);
});

/** Bundles that compute business time. */
const withTemporal = bundlesWith(/node_modules\/temporal-/);

test('only functions that change tickets or schedule digests contain Temporal', () => {
  for (const name of withTemporal) {
    expect(name).toMatch(
      /^tickets-|^schedule|^events-(notifications|messages|outgoing|partner|jobs|incoming|explain-event)$/,
    );
    expect(name).not.toMatch(/^tickets-(list-.*|(read|delete)-ticket|read-ticket-assignment)$/);
  }
});

/** Bundles with the clients of SES and SNS. */
const sending = bundlesWith(/node_modules\/@aws-sdk\/client-(sesv2|sns)\//);

test('only the consumers `messages`, `outgoing` and `jobs` contain the clients of SES and SNS', () => {
  // The jobs register mail domains at SES.
  expect(sending.toSorted()).toEqual(['events-jobs', 'events-messages', 'events-outgoing']);
});

/** Bundles with the data of all phone numbers, which has 120 KB. */
const withPhoneNumbers = bundlesWith(/node_modules\/libphonenumber-js\//);

test('only functions that set phone numbers of users or the country of an account contain the data of phone numbers', () => {
  expect(withPhoneNumbers).toContain('users-create-user');
  for (const name of withPhoneNumbers)
    expect(name).toMatch(/^(users-(create|update)-user|accounts-update-account)$/);
});

/** Bundles with the list of public suffixes, which has 135 KB. */
const withPublicSuffixes = bundlesWith(/node_modules\/tldts\//);

test('only the functions that add a vanity domain or a mail domain contain the list of public suffixes', () => {
  expect(withPublicSuffixes).toEqual(['domains-request-domain', 'mail-domains-create-mail-domain']);
});

/** Bundles that trigger work queues. */
const withSqs = bundlesWith(/node_modules\/@aws-sdk\/client-sqs\//);

/** Bundles that read the formats of bank statements. */
const withStatements = bundlesWith(/shared\/billing\/bank-statements\/read-/);

/** Bundles that verify passkeys, with 140 KB of code. */
const withPasskeys = bundlesWith(/node_modules\/@simplewebauthn\//);

test('only the bundles that complete a login, confirm a factor or prove the identity again contain the code for passkeys', () => {
  expect(withPasskeys).toContain('auth-verify-login');
  for (const name of withPasskeys) expect(name).toMatch(/^auth-(confirm-factor|step-up|verify-login)$/);
});

test('a bundle has at most 600 KB with SES, 530 KB for received mail, 505 KB with S3, encryption, Temporal or lists, 455 KB with SQS, else 415 KB; phone numbers add 120 KB, public suffixes and passkeys 140 KB, bank statements 40 KB', () => {
  const sizes = manifest.endpoints.filter(({ name }) => !withDocuments.includes(name));
  const { relay, authorizer, consumers, schedules } = manifest;
  for (const { name, bytes } of [...sizes, relay, authorizer, ...consumers, ...schedules]) {
    expect(bytes, name).toBeGreaterThan(1000);
    const large = [...withS3, ...decrypting, ...withTemporal, ...runningLists];
    const rest = large.includes(name) ? 505 : withSqs.includes(name) ? 455 : 415;
    const most = sending.includes(name) ? 600 : name === 'events-incoming' ? 530 : rest;
    const phoneNumbers = withPhoneNumbers.includes(name) ? 120 : 0;
    const publicSuffixes = withPublicSuffixes.includes(name) ? 140 : 0;
    const passkeys = withPasskeys.includes(name) ? 140 : 0;
    const statements = withStatements.includes(name) ? 40 : 0;
    const limit = most + phoneNumbers + publicSuffixes + passkeys + statements;
    expect(bytes, name).toBeLessThan(limit * 1024);
  }
});

import { type IncomingMessage, request } from 'node:http';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type LocalCredentials, readCredentials } from '../../infra/administration/credentials.ts';
import { freePort } from '../../infra/administration/free-port.ts';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import { apiClient } from '../../infra/operations/api-client.ts';
import { runSteps, type StepOutcome } from '../../infra/operations/run-steps.ts';
import '../harness/drain.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import '../harness/queue-ages.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { startCloudFormation } from './cloud-formation.ts';
import { startRunnerProcess } from './runner-process.ts';

const smoke = operatorsCommand('smoke-tests', 'run');
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
afterAll(() => sqs.destroy());

async function service(): Promise<LocalCredentials & { left(): Promise<number[]> }> {
  const folder = temporaryFolder();
  await startRunnerProcess({ DATA_DIR: folder });
  const credentials = readCredentials(`${folder}/credentials.json`);
  if (!credentials) throw new Error('The runner wrote no credentials');
  const { apiKey, apiSecret, accountId } = credentials;
  process.env.DATA_DIR = folder;
  process.env.API_KEY = apiKey;
  process.env.API_SECRET = apiSecret;
  onTestFinished(() => {
    for (const name of ['DATA_DIR', 'API_KEY', 'API_SECRET']) delete process.env[name];
  });
  const key = { 'x-api-key': apiKey, 'x-api-secret': apiSecret, 'x-account-id': accountId };
  const api = apiClient(credentials.baseUrl, key);
  const lists = ['leads', 'applications', 'merchants', 'tickets'];
  const countOf = async (list: string) =>
    (await api.send<{ totalCount: number }>('GET', `/${list}`)).totalCount;
  return { ...credentials, left: () => Promise.all(lists.map(countOf)) };
}

interface FixedResponse {
  status: number;
  body: string;
}

/**
 * Starts a proxy of the service. It forwards a request unless `responseTo` returns a response. Returns the proxy's URL.
 */
async function proxyOf(
  baseUrl: string,
  responseTo: (request: IncomingMessage) => FixedResponse | undefined,
): Promise<string> {
  const { endpoint, stop } = await startLoopbackServer((received, response) => {
    const { method, url, headers } = received;
    const fixed = responseTo(received);
    if (fixed) return void response.writeHead(fixed.status).end(fixed.body);
    const forwarded = request(`${baseUrl}${url}`, { method, headers }, (original) => {
      response.writeHead(original.statusCode ?? 500, original.headers);
      original.pipe(response);
    });
    received.pipe(forwarded);
  });
  onTestFinished(stop);
  return endpoint;
}

/** Starts a proxy that responds with 500 if the method and path match `line`. Returns its URL. */
const failingAt = (baseUrl: string, line: RegExp) =>
  proxyOf(baseUrl, ({ method, url }) =>
    line.test(`${method} ${url}`) ? { status: 500, body: '{"error":"internal"}' } : undefined,
  );

const nothing = [0, 0, 0, 0];

test('with --stage and without --base-url, a smoke test finds the service in the outputs of its stack', async () => {
  const { baseUrl } = await service();
  process.env.DATA_DIR = temporaryFolder();
  const asked = await startCloudFormation(baseUrl);
  const { code, stdout } = await smoke.here('--read-only', '--stage', 'local', '--json');
  expect({ code, baseUrl: JSON.parse(stdout).baseUrl }).toEqual({ code: 0, baseUrl });
  expect(asked.join()).toContain('StackName=merchant-ops-local-api');
});

test('a smoke test reports failed steps and dead letters, and removes all records that it created', async () => {
  const { baseUrl, left } = await service();

  const passed = await smoke.asProcess();
  expect(passed).toMatchObject({ code: 0, stderr: '' });
  expect(passed.stdout.match(/^ok /gm)).toHaveLength(passed.stdout.trimEnd().split('\n').length);
  expect(passed.stdout).toContain('events reach the audit log');
  expect(await left()).toEqual(nothing);

  const failing = await failingAt(baseUrl, /^POST \/applications\/\w+\/decision\?dryRun/);
  const broken = await smoke.here('--base-url', failing, '--json');
  expect(broken.code).toBe(1);
  const { ok, steps } = JSON.parse(broken.stdout) as { ok: boolean; steps: StepOutcome[] };
  expect(ok).toBe(false);
  expect(steps.filter(({ error }) => error !== undefined)).toEqual([
    {
      name: 'the preview of an approval has a merchant',
      milliseconds: expect.any(Number),
      error: expect.stringMatching(
        /^POST \/applications\/\w+\/decision returned 500 internal, expected 2xx\.$/,
      ),
    },
  ]);
  expect(steps.slice(-4).map(({ name }) => name)).toEqual([
    'the application is rejected',
    'the application is deleted',
    'the lead is deleted',
    'the session is ended',
  ]);
  expect(await left()).toEqual(nothing);

  const readsAlone = await failingAt(baseUrl, /^(PUT|PATCH|DELETE|POST \/(?!auth|leads$))/);
  const read = () => smoke.here('--base-url', readsAlone, '--read-only', '--stage', 'local');
  expect(await read()).toMatchObject({ code: 0, stderr: '' });

  const leaking = await proxyOf(baseUrl, ({ headers }) =>
    headers['x-account-id'] === `acc_${'0'.repeat(16)}` ? { status: 200, body: '{"data":[]}' } : undefined,
  );
  expect(await smoke.here('--base-url', leaking, '--read-only')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^FAILED .* a request for another account is refused: .*returned 200/m),
  });

  const { QueueUrl } = await sqs.send(
    new GetQueueUrlCommand({ QueueName: 'merchant-ops-local-audit-dead-letters' }),
  );
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
  expect(await read()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^FAILED .* there are no dead letters: Dead letters of audit\. /m),
  });
});

test('a smoke test reports missing options and an unreachable service', async () => {
  process.env.DATA_DIR = temporaryFolder();
  onTestFinished(() => void delete process.env.DATA_DIR);
  expect(await smoke.here()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--base-url is required: /),
  });
  expect(await smoke.here('--base-url', 'http://127.0.0.1:1')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^API_KEY and API_SECRET must be set /),
  });
  expect(await smoke.here('--base-url', 'elsewhere')).toMatchObject({
    code: 2,
    stderr: '--base-url must be a URL such as https://api.example.com.\n',
  });
  Object.assign(process.env, { API_KEY: 'key', API_SECRET: 'secret' });
  onTestFinished(() => void (delete process.env.API_KEY && delete process.env.API_SECRET));
  const unreachable = `http://127.0.0.1:${await freePort()}`;
  expect(await smoke.here('--base-url', unreachable)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^FAILED +\d+ ms {2}the service responds: GET \/health got no response: ECONNREFUSED\.\n$/,
    ),
  });
});

test('an interrupted run cleans up in reverse order, even if a cleanup step fails', async () => {
  const reported: string[] = [];
  const interrupted = new AbortController();
  const outcomes = await runSteps(
    async ({ step, atEnd }) => {
      await step('first', async () => atEnd('undo first', async () => {}));
      await step('second', async () => {
        atEnd('undo second', async () => {
          throw new Error('It is stuck.');
        });
        interrupted.abort();
      });
      await step('third', async () => {});
    },
    ({ name }) => reported.push(name),
    interrupted.signal,
  );
  expect(outcomes.map(({ name, error }) => [name, error])).toEqual([
    ['first', undefined],
    ['second', undefined],
    ['third', 'Interrupted.'],
    ['undo second', 'It is stuck.'],
    ['undo first', undefined],
  ]);
  expect(reported).toEqual(outcomes.map(({ name }) => name));
});

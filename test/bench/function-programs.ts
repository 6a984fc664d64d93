import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { build as esbuild } from 'esbuild';
import { build } from '../../infra/build/build.ts';
import { root } from '../../infra/build/endpoints.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { toHttpEvent } from '../../infra/local/http-event.ts';
import { requireKeyFile, requireSealKeyFile, requireSigningSecret } from '../../infra/local/key-file.ts';
import { environmentOf, stageNamed } from '../../infra/stages.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { Measured } from './function-process.ts';

/** The folder of all results and bundles of the bench. */
export const benchFolder = '.build/bench';
const ours = `${benchFolder}/functions`;

/** The path of the bundle of one of our functions, as deployed. */
export const bundleOf = (name: string): string => join(root, ours, name, 'index.cjs');

/** Builds our functions and the program of their processes. */
async function buildPrograms(): Promise<void> {
  await build(ours);
  await esbuild({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    absWorkingDir: root,
    entryPoints: ['test/bench/function-process.ts'],
    outfile: functionProcess,
  });
}

const functionProcess = join(root, benchFolder, 'function-process.cjs');

type Environment = Record<string, string>;

/** A function that is loaded in its own process. */
export interface FunctionProcess {
  /** Calls the function with each event in sequence. The first call of `run` also loads the function. */
  run(events: readonly unknown[]): Promise<Measured>;
  stop(): Promise<void>;
}

export function startFunction(bundle: string, env: Environment, { prewarm = false } = {}): FunctionProcess {
  const child: ChildProcess = fork(functionProcess, [bundle, ...(prewarm ? ['prewarm'] : [])], {
    env: { PATH: process.env.PATH, ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  return {
    async run(events) {
      const answer = once(child, 'message');
      child.send([...events]);
      const ended = exited.then(([code]) => {
        throw new Error(`The process of ${bundle} ended with code ${code}.`);
      });
      const [measured] = await Promise.race([answer, ended]);
      return measured as Measured;
    },
    async stop() {
      child.disconnect();
      await exited;
    },
  };
}

/** A table with an account, and the environment of functions that use the table. */
export interface BenchTable {
  env: Environment;
  account: AccountId;
  /** The headers of a request by the account's administrator. */
  headers: Environment;
  /** Removes the keys. The table is removed with the engine. */
  remove(): void;
}

let building: Promise<void> | undefined;
/** One engine for all tables, because shared/table/client.ts keeps the endpoint of its first request. */
let engine: ReturnType<typeof startDynamoDb> | undefined;
export const stopEngine = async (): Promise<void> => (await engine)?.stop();

/** Creates a table with an account, and logs in as the administrator of the account. The first call builds all programs. */
export async function createBenchTable(tableName: string): Promise<BenchTable> {
  building ??= buildPrograms();
  await building;
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-bench-'));
  const [SECRET_FILE, KEY_FILE, SEAL_KEY_FILE] = ['secret', 'key', 'seal-key'].map((name) =>
    join(folder, `${name}.json`),
  ) as [string, string, string];
  requireSigningSecret(SECRET_FILE);
  requireKeyFile(KEY_FILE);
  requireSealKeyFile(SEAL_KEY_FILE);
  engine ??= startDynamoDb();
  const env = {
    ...environmentOf(stageNamed('local')),
    REQUESTS_PER_MINUTE: '1000000000',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: (await engine).endpoint,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    TABLE_NAME: tableName,
    ...{ SECRET_FILE, KEY_FILE, SEAL_KEY_FILE },
  };
  Object.assign(process.env, env);
  const client = new DynamoDBClient({});
  await createTable(client, env.TABLE_NAME, { stream: false });
  client.destroy();
  // Imported only now, because shared/table/client.ts reads the environment when it is loaded.
  const { createAccount } = await import('../../infra/administration/create-account.ts');
  const password = 'correct horse battery staple';
  const { accountId, adminEmail } = await createAccount({
    name: 'Analytical Engines',
    adminEmail: 'ada@example.com',
    adminPassword: password,
  });
  return {
    env,
    account: accountId,
    headers: await logIn(env, accountId, { email: adminEmail, password }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Logs in, and returns the headers of requests of the session. */
export async function logIn(
  env: Environment,
  account: string,
  credentials: { email: string; password: string },
): Promise<Record<string, string>> {
  const request = requestTo('POST /auth/login', { body: credentials });
  const [response] = await callOnce('auth-log-in', env, [request]);
  const { token } = bodyOf(response) as { token: string };
  return { authorization: `Bearer ${token}`, 'x-account-id': account };
}

/** Calls one of our functions in a new process, and returns the responses. */
export async function callOnce(
  name: string,
  env: Environment,
  events: readonly unknown[],
): Promise<unknown[]> {
  const loaded = startFunction(bundleOf(name), env);
  try {
    return (await loaded.run(events)).responses;
  } finally {
    await loaded.stop();
  }
}

/** Returns the parsed body of a response. Throws if the status is an error. */
export function bodyOf(response: unknown): unknown {
  const { statusCode, body } = response as { statusCode: number; body: string };
  if (statusCode >= 400) throw new Error(`A function of the bench returned ${statusCode}: ${body}`);
  return JSON.parse(body);
}

/** The query that creates a lead without a team and a source. */
export const skipTeam = 'skipTeamAndSourceRequirement=true';

/** The fields of the `n`th lead. */
export const leadFields = (n: number) => ({
  firstName: 'Ada',
  lastName: `Byron ${n}`,
  company: 'Harbor Street Coffee',
  email: 'ada@example.com',
  phone: '+1 415 555 0134',
  notes: 'Call after the lunch rush.',
});

interface Sent {
  headers?: Environment;
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
}

/** A request as API Gateway sends it to the function of this route, for example `GET /leads/{leadId}`. */
export function requestTo(route: string, { headers = {}, params = {}, query, body }: Sent = {}): unknown {
  const [method = '', path = ''] = route.split(' ');
  const named = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '');
  const all = { host: 'api.example.com', 'content-type': 'application/json', ...headers };
  return toHttpEvent(
    {
      method,
      target: query ? `${named}?${query}` : named,
      headers: Object.entries(all).flat(),
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      sourceIp: '192.0.2.1',
    },
    { route: { method, path }, params },
  );
}

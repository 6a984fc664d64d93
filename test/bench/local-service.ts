import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCredentials } from '../../infra/administration/credentials.ts';
import { root } from '../../infra/build/endpoints.ts';
import project from '../../package.json' with { type: 'json' };
import type { BenchTable, Environment } from './function-programs.ts';
import { type Load, type LoadRequest, loadFor, sendOne } from './http-load.ts';
import { startPostgres } from './postgres.ts';
import { median, milliseconds, type Row } from './rows.ts';

export interface Service {
  url: string;
  /** The id of the service's process. The engine is its child. */
  pid: number;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts the service as `npm start` does, and logs in. By default with a new data folder, which `stop` deletes. */
export async function startLocalService(given?: string): Promise<Service> {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'merchant-ops-bench-'));
  const { PATH, HOME } = process.env;
  const [, ...options] = project.scripts.start.split(' ');
  const child = spawn(process.execPath, options, {
    cwd: root,
    env: { PATH, HOME, PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  };
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Ctrl-C to stop')) resolve();
    });
    ended.then(() => reject(new Error('The local service did not start.')), reject);
  });
  const credentials = readCredentials(join(folder, 'credentials.json'));
  if (!credentials) throw new Error('The local service wrote no credentials.');
  const { baseUrl: url, accountId, apiKey, apiSecret } = credentials;
  const login = { method: 'POST', url: `${url}/auth/login`, headers: {} };
  const { token } = JSON.parse(await sendOne(undefined, login, JSON.stringify({ apiKey, apiSecret })));
  const headers = { authorization: `Bearer ${token}`, 'x-account-id': accountId };
  return { url, pid: child.pid ?? 0, headers, stop };
}

/** Starts one of the Fastify servers, and waits until it sends its URL and the headers that requests need. */
async function startServer(
  file: 'fastify-postgres.ts' | 'fastify-engine.ts',
  args: string[],
  env: Environment = {},
): Promise<Omit<Service, 'pid'>> {
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...env },
    // The log is discarded, like the log of the local service.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const failed = exited.then(([code]) => {
    throw new Error(`${file} ended with code ${code}.`);
  });
  const [{ url, headers }] = await Promise.race([once(child, 'message'), failed]);
  return {
    url,
    headers,
    async stop() {
      child.disconnect();
      await exited;
    },
  };
}

const bodyOf = (n: number): string =>
  JSON.stringify({ firstName: 'Ada', lastName: `Byron ${n}`, email: 'ada@example.com' });

/** Creates a lead, and returns the two compared requests: GET reads this lead, POST creates another. */
async function requestsTo(
  { url, headers }: Omit<Service, 'pid'>,
  query = '',
): Promise<Record<'GET' | 'POST', LoadRequest>> {
  const post = { method: 'POST', url: `${url}/leads${query}`, headers, body: bodyOf };
  const { id } = JSON.parse(await sendOne(undefined, post, bodyOf(0)));
  return { POST: post, GET: { method: 'GET', url: `${url}/leads/${id}`, headers } };
}

/** Creates records with ten requests at a time. */
export async function createMany(post: LoadRequest, count: number, body = bodyOf): Promise<void> {
  let next = 0;
  const creator = async () => {
    while (next < count) await sendOne(undefined, post, body(next++));
  };
  await Promise.all(Array.from({ length: 10 }, creator));
}

export const skipTeam = '?skipTeamAndSourceRequirement=true';

/** Compares `npm start` with two Fastify servers, at 8 connections. Each round measures every server. */
export async function measureThroughput(table: BenchTable, rounds: number, seconds: number): Promise<Row[]> {
  const service = await startLocalService();
  const engine = await startServer('fastify-engine.ts', [JSON.stringify(table.headers)], table.env);
  const postgres = await startPostgres();
  const plain = postgres && (await startServer('fastify-postgres.ts', [postgres.socketFolder]));
  try {
    const servers = [
      { requests: await requestsTo(service, skipTeam) },
      { against: 'Fastify with plain handlers on the same engine', requests: await requestsTo(engine) },
      {
        against: `Fastify with PostgreSQL${postgres ? ` ${postgres.version}` : ''}`,
        requests: plain && (await requestsTo(plain)),
      },
    ];
    const rows: Row[] = [];
    for (const method of ['GET', 'POST'] as const) {
      const loads = servers.map((): Load[] => []);
      // The first round is not counted, because V8 compiles the code in it.
      for (let round = 0; round <= rounds; round++)
        for (const [which, { requests }] of servers.entries()) {
          const load = requests && (await loadFor(requests[method], seconds));
          if (load && round > 0) loads[which]?.push(load);
        }
      const middle = (which: number, of: keyof Load) => median((loads[which] ?? []).map((load) => load[of]));
      const measure = `${method} lead${method === 'POST' ? 's' : ''} at 8 connections`;
      for (const [which, { against, requests }] of servers.entries()) {
        rows.push({
          part: 'npm start',
          measure: against === undefined ? measure : `${measure}, against ${against}`,
          result: requests
            ? `${Math.round(middle(which, 'perSecond'))}/s, p50 ${milliseconds(middle(which, 'p50'))}, p99 ${milliseconds(middle(which, 'p99'))}`
            : 'not measured: PostgreSQL is not installed',
          ...(against && requests && { ratio: middle(0, 'perSecond') / middle(which, 'perSecond') }),
        });
      }
    }
    return rows;
  } finally {
    await plain?.stop();
    await postgres?.stop();
    await engine.stop();
    await service.stop();
  }
}

/**
 * Measures the p50 of GET on one connection, alone and while another connection repeats a search, or a list with `sort`, of
 * `leads` leads. Returns the ratios.
 */
export async function measureBesideSearch(leads: number, rounds: number, seconds: number): Promise<Row[]> {
  const service = await startLocalService();
  try {
    const { GET, POST } = await requestsTo(service, skipTeam);
    await createMany(POST, leads - 1);
    const rows: Row[] = [];
    for (const query of ['search=byron', 'sort=lastName']) {
      const repeated = { method: 'GET', url: `${service.url}/leads?${query}`, headers: service.headers };
      const [alone, beside]: [number[], number[]] = [[], []];
      // The first round is not counted, because V8 compiles the code in it.
      for (let round = 0; round <= rounds; round++) {
        const { p50 } = await loadFor(GET, seconds, 1);
        const [load] = await Promise.all([loadFor(GET, seconds, 1), loadFor(repeated, seconds, 1)]);
        if (round > 0) {
          alone.push(p50);
          beside.push(load.p50);
        }
      }
      rows.push({
        part: 'npm start',
        measure: `p50 of GET lead beside \`?${query}\` of ${leads} leads, against GET lead alone`,
        result: `${milliseconds(median(beside))} against ${milliseconds(median(alone))}`,
        ratio: median(beside) / median(alone),
      });
    }
    return rows;
  } finally {
    await service.stop();
  }
}

/**
 * Creates leads over HTTP in one data folder. Measures the leads created per second around each of the marks, which are
 * numbers of stored leads, and returns the ratios to the first one.
 */
export async function measureGrowth(marks: readonly [number, ...number[]]): Promise<Row[]> {
  const service = await startLocalService();
  try {
    const post = { method: 'POST', url: `${service.url}/leads${skipTeam}`, headers: service.headers };
    const [window, step] = [Math.min(1000, marks[0]), Math.min(500, marks[0] / 2)];
    const steps: { leads: number; seconds: number }[] = [];
    for (let leads = step; leads <= Math.max(...marks) + window / 2; leads += step) {
      const began = performance.now();
      await createMany(post, step);
      steps.push({ leads, seconds: (performance.now() - began) / 1000 });
    }
    const [first, ...later] = marks.map((mark) => {
      const around = steps.filter(({ leads }) => leads > mark - window / 2 && leads <= mark + window / 2);
      return (around.length * step) / around.reduce((total, { seconds }) => total + seconds, 0);
    }) as [number, ...number[]];
    return later.map((then, n) => ({
      part: 'npm start',
      measure: `POST /leads at ${marks[n + 1]} stored leads, against ${marks[0]}`,
      result: `${then.toFixed(0)}/s against ${first.toFixed(0)}/s`,
      ratio: then / first,
    }));
  } finally {
    await service.stop();
  }
}

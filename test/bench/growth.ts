import { startReadCounter } from './count-reads.ts';
import {
  type BenchTable,
  bodyOf,
  bundleOf,
  createBenchTable,
  type FunctionProcess,
  leadFields,
  requestTo,
  skipTeam,
  startFunction,
} from './function-programs.ts';
import { createMany, startLocalService } from './local-service.ts';
import { createOwner, type Owner } from './own-leads.ts';
import { median, milliseconds, type Row } from './rows.ts';
import { loadLeads } from './stored-leads.ts';

interface Call {
  name: string;
  route: 'GET /leads' | 'GET /search';
  query: string;
  /** The caller. Default: the administrator. */
  by?: Owner;
}

const list: Call = { name: 'list of 25 leads', route: 'GET /leads', query: '' };

/** The list of a user who reaches only the own leads. */
const ownList = (by?: Owner): Call => ({ ...list, name: 'list of 25 own leads', by });

/** The calls whose cost must not depend on the number of leads. `stored-leads.ts` says what they find. */
const calls = (since: string): Call[] =>
  [
    ['a rare word', 'search=rare'],
    ['a common word', 'search=common'],
    ['?assignedTo=none', 'assignedTo=none'],
    ['?email=', 'email=rare@example.com'],
    ['?company=', 'company=common+goods'],
    ['a word with two filters', 'search=common&processStage=contacted&archived=false'],
    ['updatedAfter, last minute', `updatedAfter=${since}&cursor=`],
  ].map(([name = '', query = '']): Call => ({ name, query, route: 'GET /leads' }));

const search: Call = { name: 'GET /search', route: 'GET /search', query: 'q=common' };

const bundles = { 'GET /leads': 'leads-list-leads', 'GET /search': 'search-search-records' } as const;

interface Timed {
  /** The CPU time of a call in milliseconds. */
  cpu: number;
  units: number;
  sequence: number;
}

/** Compares lists, searches and filters in an account with few leads and in one with many. */
export async function measureReads(
  sizes: readonly [number, number],
  rounds: number,
  batch: number,
): Promise<Row[]> {
  const measured: Map<string, Timed>[] = [];
  for (const size of sizes) {
    const table = await createBenchTable(`bench-search-${size}`);
    try {
      const owner = await createOwner(table);
      await loadLeads(table.account, size, owner.id);
      measured.push(await timesOf(table, owner, rounds, batch));
    } finally {
      table.remove();
    }
  }
  const [few, many] = measured as [Map<string, Timed>, Map<string, Timed>];
  const [all, own] = [list, ownList()].map(({ name }) => many.get(name) as Timed) as [Timed, Timed];
  const rows = [...many].map(([name, now]): Row => {
    const before = few.get(name) as Timed;
    const costsOf = ({ cpu, units, sequence }: Timed) =>
      `${milliseconds(cpu)}, ${units} read units, ${sequence} round trips`;
    return {
      part: 'growth',
      measure: `CPU of ${name} with ${sizes[1]} leads, against ${sizes[0]}`,
      result: `${costsOf(now)} against ${costsOf(before)}`,
      ratio: now.cpu / before.cpu,
    };
  });
  return [
    ...rows,
    {
      part: 'growth',
      measure: `CPU of a list of 25 own leads, against a list of all, with ${sizes[1]} leads`,
      result: `${milliseconds(own.cpu)} against ${milliseconds(all.cpu)}`,
      ratio: own.cpu / all.cpu,
    },
  ];
}

async function timesOf(
  { env, headers }: BenchTable,
  owner: Owner,
  rounds: number,
  batch: number,
): Promise<Map<string, Timed>> {
  const since = encodeURIComponent(new Date(Date.now() - 60_000).toISOString());
  const all = [list, ownList(owner), ...calls(since), search];
  const eventOf = ({ route, query, by }: Call) =>
    requestTo(route, { headers: by?.headers ?? headers, query });
  const counter = await startReadCounter(env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  const costs = new Map<string, { units: number; sequence: number }>();
  for (const call of all) {
    const counted = startFunction(bundleOf(bundles[call.route]), {
      ...env,
      AWS_ENDPOINT_URL_DYNAMODB: counter.endpoint,
    });
    // The first call also reads the session and the keys.
    for (const response of (await counted.run([eventOf(call)])).responses) bodyOf(response);
    counter.reset();
    for (const response of (await counted.run([eventOf(call)])).responses) bodyOf(response);
    costs.set(call.name, counter.reads());
    await counted.stop();
  }
  counter.stop();

  const functions = new Map<string, FunctionProcess>(
    Object.entries(bundles).map(([route, bundle]) => [route, startFunction(bundleOf(bundle), env)]),
  );
  const times = new Map(all.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const call of all) {
      const events = Array.from({ length: batch }, () => eventOf(call));
      const { calls: used } = (await functions.get(call.route)?.run(events)) ?? { calls: 0 };
      // The first round is not counted, because V8 compiles the code in it.
      if (round > 0) times.get(call.name)?.push(used / batch);
    }
  for (const one of functions.values()) await one.stop();
  return new Map(
    all.map(({ name }) => [
      name,
      { cpu: median(times.get(name) ?? []), ...(costs.get(name) ?? { units: 0, sequence: 0 }) },
    ]),
  );
}

/**
 * Creates leads over HTTP in one data folder of `npm start`. Measures the leads created per second around each of the
 * marks, which are numbers of stored leads, and returns the ratios to the first one.
 */
export async function measureCreations(marks: readonly [number, ...number[]]): Promise<Row[]> {
  const service = await startLocalService();
  try {
    const post = { method: 'POST', url: `${service.url}/leads?${skipTeam}`, headers: service.headers };
    const [window, step] = [Math.min(1000, marks[0]), Math.min(500, marks[0] / 2)];
    const steps: { leads: number; seconds: number }[] = [];
    for (let leads = step; leads <= Math.max(...marks) + window / 2; leads += step) {
      const began = performance.now();
      await createMany(post, step, (n) => JSON.stringify(leadFields(n)));
      steps.push({ leads, seconds: (performance.now() - began) / 1000 });
    }
    const [first, ...later] = marks.map((mark) => {
      const around = steps.filter(({ leads }) => leads > mark - window / 2 && leads <= mark + window / 2);
      return (around.length * step) / around.reduce((total, { seconds }) => total + seconds, 0);
    }) as [number, ...number[]];
    return later.map((then, n) => ({
      part: 'growth',
      measure: `POST /leads in \`npm start\` at ${marks[n + 1]} stored leads, against ${marks[0]}`,
      result: `${then.toFixed(0)}/s against ${first.toFixed(0)}/s`,
      ratio: then / first,
    }));
  } finally {
    await service.stop();
  }
}

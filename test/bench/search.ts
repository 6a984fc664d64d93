import { startReadCounter } from './count-reads.ts';
import {
  type BenchTable,
  bodyOf,
  bundleOf,
  createBenchTable,
  type FunctionProcess,
  requestTo,
  startFunction,
} from './function-programs.ts';
import { median, type Row } from './rows.ts';
import { loadLeads } from './stored-leads.ts';

interface Call {
  name: string;
  route: 'GET /leads' | 'GET /search';
  query: string;
}

const list: Call = { name: 'list of 25 leads', route: 'GET /leads', query: '' };

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
  perSecond: number;
  units: number;
  sequence: number;
}

/** Compares searches and filters of an account with few leads and one with many, and with the list of 25 leads. */
export async function measureSearch(
  sizes: readonly [number, number],
  rounds: number,
  batch: number,
): Promise<Row[]> {
  const measured: Map<string, Timed>[] = [];
  for (const size of sizes) {
    const table = await createBenchTable(`bench-search-${size}`);
    try {
      await loadLeads(table.account, size);
      measured.push(await timesOf(table, rounds, batch));
    } finally {
      table.remove();
    }
  }
  const [few, many] = measured as [Map<string, Timed>, Map<string, Timed>];
  return [...many.keys()].flatMap((name) =>
    [few, many].map((times, which): Row => {
      const { perSecond, units, sequence } = times.get(name) as Timed;
      const { perSecond: listed } = times.get(list.name) as Timed;
      return {
        part: 'search',
        measure: `${name}, ${sizes[which]} leads${name === list.name ? '' : ', against the list of 25'}`,
        result: `${perSecond.toFixed(0)}/s, ${units} read units, ${sequence} round trips`,
        ...(name !== list.name && { ratio: perSecond / listed }),
      };
    }),
  );
}

async function timesOf(
  { env, headers }: BenchTable,
  rounds: number,
  batch: number,
): Promise<Map<string, Timed>> {
  const since = encodeURIComponent(new Date(Date.now() - 60_000).toISOString());
  const all = [list, ...calls(since), search];
  const eventOf = ({ route, query }: Call) => requestTo(route, { headers, query });
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
      const { elapsed } = (await functions.get(call.route)?.run(events)) ?? { elapsed: 0 };
      // The first round is not counted, because V8 compiles the code in it.
      if (round > 0) times.get(call.name)?.push((batch / elapsed) * 1000);
    }
  for (const one of functions.values()) await one.stop();
  return new Map(
    all.map(({ name }) => [
      name,
      { perSecond: median(times.get(name) ?? []), ...(costs.get(name) ?? { units: 0, sequence: 0 }) },
    ]),
  );
}

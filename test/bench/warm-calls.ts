import {
  type BenchTable,
  bodyOf,
  bundleOf,
  callOnce,
  type FunctionProcess,
  type PlainName,
  plainBundleOf,
  requestTo,
  startFunction,
} from './function-programs.ts';
import { median, milliseconds, type Row } from './rows.ts';

interface Compared {
  route: string;
  ours: string;
  plain: PlainName;
  request: (n: number) => unknown;
}

/** The number of leads in the account. A list call returns 25 of them. */
const leads = 100;

/**
 * Measures the CPU time of requests to functions that have already served many requests. Our function and the
 * plain handler run batches in turn.
 */
export async function measureWarmCalls(
  { env, headers }: BenchTable,
  { warmUp, batches, batch }: { warmUp: number; batches: number; batch: number },
): Promise<Row[]> {
  const query = 'skipTeamAndSourceRequirement=true';
  const bodyOfLead = (n: number) => ({
    firstName: 'Ada',
    lastName: `Byron ${n}`,
    company: 'Analytical Engines',
    email: 'ada@example.com',
    notes: 'Call after the lunch rush.',
    numberOfEmployees: 12,
  });
  const create = (n: number) => requestTo('POST /leads', { headers, query, body: bodyOfLead(n) });
  const [first] = await callOnce(
    'leads-create-lead',
    env,
    Array.from({ length: leads }, (_, n) => create(n)),
  );
  const params = { leadId: String((bodyOf(first) as { id: number }).id) };
  const compared: Compared[] = [
    {
      route: 'GET /leads/{id}',
      ours: 'leads-read-lead',
      plain: 'readLead',
      request: () => requestTo('GET /leads/{leadId}', { headers, params }),
    },
    {
      route: 'GET /leads, 25 of them',
      ours: 'leads-list-leads',
      plain: 'listLeads',
      request: () => requestTo('GET /leads', { headers }),
    },
    {
      route: 'PATCH /leads/{id}',
      ours: 'leads-update-lead',
      plain: 'updateLead',
      request: (n) =>
        requestTo('PATCH /leads/{leadId}', { headers, params, body: { company: `Company ${n}` } }),
    },
    { route: 'POST /leads', ours: 'leads-create-lead', plain: 'createLead', request: create },
  ];
  const rows: Row[] = [];
  for (const { route, ours, plain, request } of compared) {
    const programs = [startFunction(bundleOf(ours), env), startFunction(plainBundleOf(plain, 'tuned'), env)];
    let sent = 0;
    const requests = (count: number) => Array.from({ length: count }, () => request(sent++));
    const timeOf = async (program: FunctionProcess, count: number) => {
      const { calls, responses } = await program.run(requests(count));
      for (const response of responses) bodyOf(response);
      return calls / count;
    };
    for (const program of programs) await timeOf(program, warmUp);
    const times: [number[], number[]] = [[], []];
    for (let n = 0; n < batches; n++)
      for (const [which, program] of programs.entries())
        times[which as 0 | 1].push(await timeOf(program, batch));
    for (const program of programs) await program.stop();
    const [mine, other] = times.map(median) as [number, number];
    rows.push({
      part: 'warm calls',
      measure: `CPU of ${route}, against the plain handler`,
      result: `${milliseconds(mine)} against ${milliseconds(other)}`,
      ratio: mine / other,
    });
  }
  return rows;
}

import {
  type BenchTable,
  bodyOf,
  bundleOf,
  callOnce,
  leadFields,
  requestTo,
  skipTeam,
  startFunction,
} from './function-programs.ts';
import { median, milliseconds, type Row } from './rows.ts';

/** The number of leads in the account. A list call returns 25 of them. */
const leads = 100;

/** Measures the CPU time of requests to functions that have already served many requests. */
export async function measureCalls(
  { env, headers }: BenchTable,
  { warmUp, batches, batch }: { warmUp: number; batches: number; batch: number },
): Promise<Row[]> {
  const create = (n: number) => requestTo('POST /leads', { headers, query: skipTeam, body: leadFields(n) });
  const [first] = await callOnce(
    'leads-create-lead',
    env,
    Array.from({ length: leads }, (_, n) => create(n)),
  );
  const params = { leadId: String((bodyOf(first) as { id: number }).id) };
  const calls: { route: string; name: string; request: (n: number) => unknown }[] = [
    {
      route: 'GET /leads/{id}',
      name: 'leads-read-lead',
      request: () => requestTo('GET /leads/{leadId}', { headers, params }),
    },
    {
      route: 'GET /leads, 25 of them',
      name: 'leads-list-leads',
      request: () => requestTo('GET /leads', { headers }),
    },
    {
      route: 'PATCH /leads/{id}',
      name: 'leads-update-lead',
      request: (n) =>
        requestTo('PATCH /leads/{leadId}', { headers, params, body: { company: `Company ${n}` } }),
    },
    { route: 'POST /leads', name: 'leads-create-lead', request: create },
  ];
  const rows: Row[] = [];
  for (const { route, name, request } of calls) {
    const loaded = startFunction(bundleOf(name), env);
    let sent = 0;
    const timeOf = async (count: number) => {
      const { calls: used, responses } = await loaded.run(
        Array.from({ length: count }, () => request(sent++)),
      );
      for (const response of responses) bodyOf(response);
      return used / count;
    };
    await timeOf(warmUp);
    const times: number[] = [];
    for (let n = 0; n < batches; n++) times.push(await timeOf(batch));
    await loaded.stop();
    rows.push({ part: 'calls', measure: `CPU of ${route}`, result: milliseconds(median(times)) });
  }
  return rows;
}

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

/**
 * Measures the CPU time of a cold start: a new process loads the function of GET /leads/{id} and calls it once. Starts
 * without and with `prewarm` run in turn, so that other load on the machine affects both.
 */
export async function measureColdStarts({ env, headers }: BenchTable, runs: number): Promise<Row[]> {
  const created = requestTo('POST /leads', { headers, query: skipTeam, body: leadFields(0) });
  const [response] = await callOnce('leads-create-lead', env, [created]);
  const { id } = bodyOf(response) as { id: number };
  const request = requestTo('GET /leads/{leadId}', { headers, params: { leadId: String(id) } });
  const plain = { load: [] as number[], first: [] as number[] };
  const prewarmed = { prewarm: [] as number[], first: [] as number[] };
  for (let run = 0; run <= runs; run++)
    for (const prewarm of [false, true]) {
      const started = startFunction(bundleOf('leads-read-lead'), env, { prewarm });
      const measured = await started.run([request]);
      await started.stop();
      for (const answer of measured.responses) bodyOf(answer);
      // The first run fills the caches of the file system.
      if (run === 0) continue;
      plain.load.push(measured.load);
      if (prewarm) prewarmed.prewarm.push(measured.prewarm);
      (prewarm ? prewarmed : plain).first.push(measured.calls);
    }
  const row = (measure: string, times: readonly number[]): Row => ({
    part: 'cold start',
    measure: `CPU of GET /leads/{id}: ${measure}`,
    result: milliseconds(median(times)),
  });
  return [
    row('load', plain.load),
    row('first request', plain.first),
    row('prewarm', prewarmed.prewarm),
    row('first request after prewarm', prewarmed.first),
  ];
}

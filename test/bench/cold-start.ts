import {
  type BenchTable,
  bodyOf,
  bundleOf,
  callOnce,
  plainBundleOf,
  requestTo,
  startFunction,
} from './function-programs.ts';
import { median, milliseconds, type Row } from './rows.ts';

const part = 'cold start';

interface Times {
  load: number;
  prewarm: number;
  first: number;
}

/**
 * Measures the CPU time of a cold start: a new process loads a function and calls it once. The compared
 * programs run in turn, so that other load on the machine affects all of them.
 */
export async function measureColdStarts({ env, headers }: BenchTable, runs: number): Promise<Row[]> {
  const body = { firstName: 'Ada', lastName: 'Byron', company: 'Analytical Engines' };
  const created = requestTo('POST /leads', { headers, query: 'skipTeamAndSourceRequirement=true', body });
  const [response] = await callOnce('leads-create-lead', env, [created]);
  const { id } = bodyOf(response) as { id: number };
  const request = requestTo('GET /leads/{leadId}', { headers, params: { leadId: String(id) } });
  const ours = bundleOf('leads-read-lead');
  const programs = {
    ours: { bundle: ours, prewarm: false },
    prewarmed: { bundle: ours, prewarm: true },
    tuned: { bundle: plainBundleOf('readLead', 'tuned'), prewarm: false },
    defaults: { bundle: plainBundleOf('readLead', 'defaults'), prewarm: false },
  };
  type Program = keyof typeof programs;
  const names = Object.keys(programs) as Program[];
  const times: Record<Program, Times[]> = { ours: [], prewarmed: [], tuned: [], defaults: [] };
  for (let run = 0; run <= runs; run++)
    for (const name of names) {
      const { bundle, prewarm } = programs[name];
      const started = startFunction(bundle, env, { prewarm });
      const measured = await started.run([request]);
      await started.stop();
      const read = bodyOf(measured.responses[0]) as { id: number };
      if (read.id !== id) throw new Error(`${bundle} returned another lead.`);
      // The first run fills the caches of the file system.
      if (run > 0)
        times[name].push({ load: measured.load, prewarm: measured.prewarm, first: measured.calls });
    }
  const of = (name: Program, time: (times: Times) => number) => median(times[name].map(time));
  const load = (name: Program) => of(name, (one) => one.load);
  const first = (name: Program) => of(name, (one) => one.first);
  const all = (name: Program) => of(name, (one) => one.load + one.prewarm + one.first);
  const row = (measure: string, value: number, compared: number): Row => ({
    part,
    measure,
    result: `${milliseconds(value)} against ${milliseconds(compared)}`,
    ratio: value / compared,
  });
  const measure = 'load and first request of GET /leads/{id}';
  return [
    row(`${measure}, against the plain handler (tuned bundle)`, all('ours'), all('tuned')),
    row(`${measure}, against the plain handler (esbuild defaults)`, all('ours'), all('defaults')),
    row(
      'the same after prewarm, with prewarm, against the plain handler (tuned bundle)',
      all('prewarmed'),
      all('tuned'),
    ),
    row('load, against the plain handler (tuned bundle)', load('ours'), load('tuned')),
    row('first request after prewarm, against without', first('prewarmed'), first('ours')),
    row(
      'first request after prewarm, against the plain handler (tuned bundle)',
      first('prewarmed'),
      first('tuned'),
    ),
  ];
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../infra/build/endpoints.ts';
import { leadFields, skipTeam } from './function-programs.ts';
import { loadFor, sendOne } from './http-load.ts';
import { createMany, type Service, startLocalService } from './local-service.ts';
import { milliseconds, type Row } from './rows.ts';

const part = 'creation';
/** The measured creations: the request of the `n`th record, and the names of the call and its event in `test/costs.md`. */
const creations = {
  lead: {
    path: `/leads?${skipTeam}`,
    body: leadFields,
    costs: ['POST /leads', 'lead_created'],
  },
  ticket: {
    path: '/tickets',
    body: (n: number) => ({
      ...{ subject: `Printer ${n}`, description: 'The printer prints nothing.', category: 'technical' },
      ...{ requesterType: 'external', requesterId: 'ada', requesterName: 'Ada Byron' },
      requesterEmail: 'ada@example.com',
    }),
    costs: ['POST /tickets', 'ticket_created'],
  },
} as const;
/** A loaded service is tested with more connections than it can serve in parallel. */
const manyConnections = 32;

/**
 * Measures what a creation costs with everything that it causes in `npm start`: the CPU time of the service and its
 * engine, and the requests and units of `test/costs.md`. Then measures the memory after `load` creations, and how long
 * the events of a new lead wait after a load of some seconds.
 */
export async function measureCreation(count: number, load: number, seconds: number): Promise<Row[]> {
  const service = await startLocalService();
  const isMeasured = process.platform === 'linux';
  try {
    const rows: Row[] = [];
    const postOf = (kind: keyof typeof creations) => ({
      ...{ method: 'POST', url: `${service.url}${creations[kind].path}`, headers: service.headers },
      body: (n: number) => JSON.stringify(creations[kind].body(n)),
    });
    const created = (kind: keyof typeof creations, amount: number) => {
      const post = postOf(kind);
      return createMany(post, amount, post.body);
    };
    for (const kind of Object.keys(creations) as (keyof typeof creations)[]) {
      // The first creations are not counted, because V8 compiles the code in them.
      await created(kind, count);
      await secondsToProcess(service);
      const before = isMeasured ? cpuTime(service.pid) : 0;
      await created(kind, count);
      await secondsToProcess(service);
      const used = isMeasured ? milliseconds((cpuTime(service.pid) - before) / count) : 'not measured';
      rows.push({
        part,
        measure: `one ${kind}, with everything it causes`,
        result: `CPU ${used}; ${writtenCosts(...creations[kind].costs)}`,
      });
    }
    await created('lead', load);
    await secondsToProcess(service);
    const memory = isMeasured ? `${Math.round(residentBytes(service.pid) / 1024 ** 2)} MB` : 'not measured';
    rows.push({ part, measure: `memory of the service after ${load} creations of leads`, result: memory });
    const perSecond = await loadFor(postOf('lead'), seconds, manyConnections);
    const waited = await secondsToProcess(service);
    rows.push({
      part,
      measure: `seconds until the events of a lead are processed, after ${seconds} s at ${manyConnections} connections`,
      result: `${waited.toFixed(1)} s, at ${perSecond.toFixed(0)}/s`,
    });
    return rows;
  } finally {
    await service.stop();
  }
}

let markers = 0;

/** Creates a lead, and returns the seconds until its audit log has an entry and a search finds it. */
async function secondsToProcess({ url, headers }: Service): Promise<number> {
  markers += 1;
  const lastName = `Marker${markers}`;
  const post = { method: 'POST', url: `${url}${creations.lead.path}`, headers };
  const began = performance.now();
  const { id } = JSON.parse(await sendOne(undefined, post, JSON.stringify({ firstName: 'Ada', lastName })));
  for (;;) {
    const [lead, found] = await Promise.all(
      [`/leads/${id}`, `/search?q=${lastName}`].map(async (path) =>
        JSON.parse(await sendOne(undefined, { method: 'GET', url: `${url}${path}`, headers })),
      ),
    );
    if (lead.auditLog.length > 0 && found.leads?.length > 0) return (performance.now() - began) / 1000;
    await setTimeout(50);
  }
}

/** Returns the requests and units of a call with its event, from `test/costs.md`. */
function writtenCosts(...names: readonly string[]): string {
  const table = readFileSync(join(root, 'test', 'costs.md'), 'utf8');
  const rows = names.map(
    (name) => table.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '',
  );
  const sum = (column: number) =>
    rows.reduce((total, row) => total + Number(row.split('|')[column]?.replaceAll('*', '')), 0);
  return `${sum(2)} requests, ${sum(4)} read units, ${sum(5)} write units`;
}

/** A clock tick of Linux, in milliseconds. */
const tick = 10;

/** Returns the fields of a Linux process after its name; see `man proc_pid_stat`. Undefined if the process has ended. */
function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Returns the CPU time of a process and its children in milliseconds. */
function cpuTime(pid: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.reduce((sum, one) => {
    const fields = statOf(one);
    const isOurs = Number(one) === pid || Number(fields?.[1]) === pid;
    return isOurs ? sum + (Number(fields?.[11]) + Number(fields?.[12])) * tick : sum;
  }, 0);
}

/** Returns the resident memory of a process in bytes. */
const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

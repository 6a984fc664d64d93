import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';
import { type LocalCredentials, readCredentials } from '../../infra/local/credentials.ts';

/**
 * `npm run bench:local-engine`: creates 20,500 leads over HTTP in one data folder. Prints the leads per second around
 * the 1,000th and the 20,000th lead, the CPU time of runner and engine, and the ratios of the second to the first
 * measurement. Stops at the first status other than 201.
 */
const atOnce = 10;
const window = 1_000;
const marks = [1_000, 20_000];
const step = 500;

const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-bench-'));
const runner = spawn(process.execPath, ['--import', 'tsx', join(root, 'infra/local/main.ts')], {
  cwd: root,
  env: { ...process.env, PORT: '0', DATA_DIR: folder },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise<void>((resolve) => runner.once('close', () => resolve()));

try {
  await measure();
} finally {
  runner.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const credentials = await ready();
  const { headers, url } = await signIn(credentials);
  const steps: { leads: number; seconds: number; cpu: number }[] = [];
  const last = Math.max(...marks) + window / 2;
  for (let leads = step; leads <= last; leads += step) {
    const [began, cpu] = [performance.now(), cpuSeconds()];
    await createLeads(step, url, headers);
    const seconds = (performance.now() - began) / 1000;
    steps.push({ leads, seconds, cpu: cpuSeconds() - cpu });
    if (leads % 2_000 === 0) console.log(`${leads} leads: ${(step / seconds).toFixed(0)} per second`);
  }
  const rates = marks.map((mark) => {
    const around = steps.filter(({ leads }) => leads > mark - window / 2 && leads <= mark + window / 2);
    const sum = (field: 'seconds' | 'cpu') => around.reduce((total, one) => total + one[field], 0);
    const created = around.length * step;
    return { mark, rate: created / sum('seconds'), cpu: (sum('cpu') / created) * 1000 };
  });
  for (const { mark, rate, cpu } of rates)
    console.log(`at ${mark} leads: ${rate.toFixed(1)} per second, ${cpu.toFixed(2)} ms of CPU per lead`);
  const [first, then] = rates;
  if (first && then)
    console.log(
      `rate ratio ${(then.rate / first.rate).toFixed(2)}, CPU ratio ${(then.cpu / first.cpu).toFixed(2)}`,
    );
}

/** Resolves when the runner has printed its address. */
async function ready(): Promise<LocalCredentials> {
  await new Promise<void>((resolve, reject) => {
    runner.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Ctrl-C to stop')) resolve();
    });
    runner.once('close', () => reject(new Error('The runner did not start')));
  });
  const credentials = readCredentials(join(folder, 'credentials.json'));
  if (!credentials) throw new Error('The runner wrote no credentials');
  return credentials;
}

async function signIn({ baseUrl, accountId, apiKey, apiSecret }: LocalCredentials) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ apiKey, apiSecret });
  const response = await fetch(`${baseUrl}/auth/login`, { method: 'POST', headers, body });
  const { token } = (await response.json()) as { token: string };
  return {
    url: `${baseUrl}/leads?skipTeamAndSourceRequirement=true`,
    headers: { ...headers, authorization: `Bearer ${token}`, 'x-account-id': accountId },
  };
}

async function createLeads(count: number, url: string, headers: Record<string, string>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const body = JSON.stringify({ firstName: 'Ada', lastName: `No ${next++}`, email: 'ada@example.com' });
      const response = await fetch(url, { method: 'POST', headers, body });
      const text = await response.text();
      if (response.status !== 201) throw new Error(`Creating a lead returned ${response.status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** The CPU time of the runner and its children so far, in seconds. Returns 0 on systems without /proc. */
function cpuSeconds(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const processes = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const ticks = processes.map((id) => {
    try {
      const [, ...fields] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ');
      const [, parent, ...rest] = fields.join(') ').split(' ');
      const mine = Number(id) === runner.pid || Number(parent) === runner.pid;
      // utime and stime, the 14th and 15th field of the file, in hundredths of a second.
      return mine ? Number(rest[9]) + Number(rest[10]) : 0;
    } catch {
      return 0; // The process has ended.
    }
  });
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}

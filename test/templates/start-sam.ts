import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../infra/local/free-port.ts';
import { startTethered } from '../../infra/local/tethered-process.ts';
import { tool, toolEnvironment } from './tools.ts';

/** `sam local start-api`, but for Docker. */
export interface Sam {
  baseUrl: string;
  stop(): Promise<void>;
}

/** Starts it on loopback with a template, and with variables that are to go before those of the template. */
export async function startSam(template: string, variables: Record<string, string>): Promise<Sam> {
  const folder = mkdtempSync(join(tmpdir(), 'sam-'));
  const [log, envVars] = [join(folder, 'log'), join(folder, 'env.json')];
  writeFileSync(log, '');
  writeFileSync(envVars, JSON.stringify({ Parameters: variables }));
  const port = await freePort();
  const sam = startTethered('/bin/sh', [
    '-c',
    'log=$1; shift; exec env -i "$@" >>"$log" 2>&1',
    'sh',
    log,
    ...Object.entries(toolEnvironment).map(([name, value]) => `${name}=${value}`),
    tool('python'),
    join(import.meta.dirname, 'sam_without_docker.py'),
    ...['local', 'start-api', '-t', template, '--warm-containers', 'LAZY'],
    ...['--port', String(port), '--env-vars', envVars],
  ]);
  const written = () => readFileSync(log, 'utf8');
  const deadline = Date.now() + 120_000;
  while (!written().includes('Running on http')) {
    if (!sam.isRunning() || Date.now() > deadline) {
      await sam.stop();
      throw new Error(`SAM did not start: ${written().slice(-2000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { baseUrl: `http://127.0.0.1:${port}`, stop: sam.stop };
}

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../infra/administration/free-port.ts';
import { startLogged } from '../harness/logged-process.ts';
import { tool, toolEnvironment } from './tools.ts';

/** A running `sam local start-api` that does not use Docker. */
interface Sam {
  baseUrl: string;
  stop(): Promise<void>;
}

/** Starts SAM on loopback. `variables` override the variables of the template. */
export async function startSam(template: string, variables: Record<string, string>): Promise<Sam> {
  const folder = mkdtempSync(join(tmpdir(), 'sam-'));
  const [log, envVars] = [join(folder, 'log'), join(folder, 'env.json')];
  writeFileSync(envVars, JSON.stringify({ Parameters: variables }));
  const port = await freePort();
  const started = { name: 'SAM', log, environment: toolEnvironment, serves: /Running on http/, seconds: 120 };
  const { stop } = await startLogged(started, tool('python'), [
    join(import.meta.dirname, 'sam_without_docker.py'),
    ...['local', 'start-api', '-t', template, '--warm-containers', 'LAZY'],
    ...['--port', String(port), '--env-vars', envVars],
  ]);
  return { baseUrl: `http://127.0.0.1:${port}`, stop };
}

import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dynamoDbLocal } from '../infra/local/dynamodb-local.ts';
import { runEngine } from '../infra/local/run-engine.ts';
import { exitCodeOf } from './harness/exit-code-of.ts';

/**
 * `npm run test:dynamodb-local [-- <vitest arguments>]`: the same suite on AWS's own DynamoDB Local, which needs
 * Java 17 and is fetched once into the system's temporary folder. Exits as vitest does.
 */
const cacheFolder = join(tmpdir(), 'merchant-ops-dynamodb-local');

async function main(): Promise<number> {
  const engine = await runEngine(await dynamoDbLocal(cacheFolder, undefined));
  try {
    return await vitest(engine.endpoint);
  } finally {
    await engine.stop();
  }
}

/** The endpoint is the engine's for every test file; each makes a table of its own in it. */
function vitest(endpoint: string): Promise<number> {
  const program = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  const child = spawn(process.execPath, [program, 'run', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env,
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

process.exitCode = await exitCodeOf(main);

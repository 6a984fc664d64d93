import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dynamoDbLocal } from '../infra/local/dynamodb-local.ts';
import { runEngine } from '../infra/local/run-engine.ts';
import { exitCodeOf } from './harness/exit-code-of.ts';

/**
 * `npm run test:dynamodb-local [-- <vitest arguments>]`: runs the suite on AWS's DynamoDB Local, which needs Java 17
 * and is downloaded once into the system's temporary folder. Exits like vitest.
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

/** All test files use this endpoint, each with a table of its own. */
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

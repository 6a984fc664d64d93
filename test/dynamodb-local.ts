import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dynamoDbLocal } from '../infra/local/dynamodb-local.ts';
import { runEngine } from '../infra/local/run-engine.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- dynamodb-local`: runs the suite on AWS's DynamoDB Local, which is downloaded
 * once into the system's temporary folder. Needs Java 17. Exits with vitest's code, after at most six hours.
 */
const cacheFolder = join(tmpdir(), 'merchant-ops-dynamodb-local');

export default async function (args: readonly string[]): Promise<number> {
  const engine = await runEngine(await dynamoDbLocal(cacheFolder, undefined));
  try {
    // All test files use this endpoint, but each file has its own table.
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint };
    return await runVitest({
      config: 'vitest.config.ts',
      // The local service starts its own engine.
      args: ['--exclude=test/service/**', ...args],
      environment,
      longest: 6 * 3_600_000,
    });
  } finally {
    await engine.stop();
  }
}

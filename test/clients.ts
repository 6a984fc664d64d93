import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '../infra/administration/cannot-start.ts';
import { installPythonTools } from './harness/python-tools.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- clients`: generates API clients from the OpenAPI document and compiles them.
 * Installs the generators into a temporary folder, which needs a network and Python 3 with venv and pip. To use an
 * installed openapi-python-client, set PYTHON_TOOLS to its folder. Exits with vitest's code, after at most 20 minutes.
 */
const longest = 20 * 60_000;

const packages = [
  '@hey-api/openapi-ts@0.94.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  // The generators do not support TypeScript 7.
  'typescript@5.9.3',
];

export default async function (args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-clients-'));
  try {
    await installPackages(folder);
    const requirements = join(import.meta.dirname, 'clients', 'requirements.txt');
    const python =
      process.env.PYTHON_TOOLS ||
      (await installPythonTools(join(folder, 'python'), requirements, 'openapi-python-client'));
    return await runVitest({
      config: 'test/clients/vitest.config.ts',
      args,
      environment: { CLIENTS_FOLDER: folder, PYTHON_TOOLS: python },
      longest,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function installPackages(folder: string): Promise<void> {
  const options = ['--prefix', folder, '--no-save', '--no-fund', '--no-audit', '--ignore-scripts'];
  try {
    await promisify(execFile)('npm', ['install', ...options, ...packages], { timeout: 300_000 });
  } catch {
    throw new CannotStart(`Installing ${packages.join(', ')} failed. It needs the npm registry.`);
  }
}

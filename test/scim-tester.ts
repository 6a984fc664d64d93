import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPythonTools } from './harness/python-tools.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- scim-tester`: checks the SCIM endpoints of the local service with PyPI's scim2-tester. Installs it
 * into a temporary folder, which needs a network and Python 3 with venv and pip. To use an installed one, set PYTHON_TOOLS
 * to the folder of its Python. Exits with vitest's code, after at most 20 minutes.
 */
const longest = 20 * 60_000;

export default async function (args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-scim-tester-'));
  try {
    const requirements = join(import.meta.dirname, 'scim-tester', 'requirements.txt');
    const python =
      process.env.PYTHON_TOOLS ||
      (await installPythonTools(join(folder, 'python'), requirements, 'scim2-tester'));
    return await runVitest({
      config: 'test/scim-tester/vitest.config.ts',
      args,
      environment: { TMPDIR: folder, PYTHON_TOOLS: python },
      longest,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPythonTools } from './harness/python-tools.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- bank-oracles`: compares our readers of bank statements with those of other projects. Installs them
 * into a temporary folder, which needs a network and Python 3 with venv and pip. To use installed ones, set PYTHON_TOOLS to
 * the folder of their Python. Exits with vitest's code, after at most 20 minutes.
 */
const longest = 20 * 60_000;

export default async function (args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-bank-oracles-'));
  try {
    const requirements = join(import.meta.dirname, 'bank-oracles', 'requirements.txt');
    const python =
      process.env.PYTHON_TOOLS ||
      (await installPythonTools(join(folder, 'python'), requirements, 'mt-940, ofxtools and bai2'));
    return await runVitest({
      config: 'test/bank-oracles/vitest.config.ts',
      args,
      environment: { TMPDIR: folder, PYTHON_TOOLS: python },
      longest,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPythonTools } from './harness/python-tools.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- residual-oracles`: reads XLSX files that openpyxl and LibreOffice have written, and our NACHA files with
 * carta-ach. Installs the Python packages into a temporary folder, which needs a network and Python 3 with venv and pip. To
 * use installed ones, set PYTHON_TOOLS to the folder of their Python. LibreOffice must be installed: `soffice`, or the path in
 * LIBREOFFICE. Exits with vitest's code, after at most 15 minutes.
 */
const longest = 15 * 60_000;

export default async function (args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-residual-oracles-'));
  try {
    const requirements = join(import.meta.dirname, 'residual-oracles', 'requirements.txt');
    const python =
      process.env.PYTHON_TOOLS ||
      (await installPythonTools(join(folder, 'python'), requirements, 'openpyxl'));
    return await runVitest({
      config: 'test/residual-oracles/vitest.config.ts',
      args,
      environment: { TMPDIR: folder, PYTHON_TOOLS: python },
      longest,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

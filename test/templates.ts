import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPythonTools, requireEmulator } from './harness/python-tools.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- templates`: checks the templates with cfn-lint and SAM, and tests the
 * service in SAM. Installs these tools and an emulator into a temporary folder. To use installed tools, set
 * TEMPLATE_TOOLS to their folder and MINISTACK to the emulator. Exits with vitest's exit code. Stops vitest
 * after 30 minutes.
 */
const longest = 30 * 60_000;

export default async function (args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-templates-'));
  try {
    const requirements = join(import.meta.dirname, 'templates', 'requirements.txt');
    const tools =
      process.env.TEMPLATE_TOOLS ||
      (await installPythonTools(join(folder, 'python'), requirements, 'cfn-lint and SAM'));
    // The emulator has its own folder, because the emulator and the tools pin different versions of the same libraries.
    const ministack = await requireEmulator(folder);
    return await runVitest({
      config: 'test/templates/vitest.config.ts',
      args,
      environment: { TMPDIR: folder, TEMPLATE_TOOLS: tools, MINISTACK: ministack },
      longest,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '../../infra/local/cannot-start.ts';

/**
 * Lets Python install what a requirements.txt pins into `folder`, and says where its programs are. Throws CannotStart, with
 * what they are for, where it cannot.
 */
export async function installPythonTools(
  folder: string,
  requirements: string,
  what: string,
): Promise<string> {
  const run = promisify(execFile);
  try {
    await run('python3', ['-m', 'venv', folder], { timeout: 60_000 });
    const pip = join(folder, 'bin', 'pip');
    await run(pip, ['install', '--quiet', '--disable-pip-version-check', '-r', requirements], {
      timeout: 300_000,
    });
  } catch {
    throw new CannotStart(`Python 3 with venv and pip is needed, and a network, to install ${what}.`);
  }
  return join(folder, 'bin');
}

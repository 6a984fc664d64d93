import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '../../infra/administration/cannot-start.ts';
import { root } from '../../infra/build/endpoints.ts';

/**
 * Returns the path in MINISTACK if this variable is set. Otherwise, installs MiniStack and the AWS CLI below `folder`
 * with Python, and returns the path of MiniStack. Throws CannotStart if the installation fails.
 */
export async function requireEmulator(folder: string): Promise<string> {
  if (process.env.MINISTACK) return process.env.MINISTACK;
  const requirements = join(root, 'test', 'deploy', 'requirements.txt');
  return join(
    await installPythonTools(
      join(folder, 'emulator'),
      requirements,
      'the emulator MiniStack and the AWS CLI',
    ),
    'ministack',
  );
}

/**
 * Installs the packages of a requirements.txt into `folder` with Python and returns the folder of the programs. If the
 * installation fails, throws CannotStart with a message that contains `what`.
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
    throw new CannotStart(`Installing ${what} needs Python 3 with venv and pip, and a network.`);
  }
  return join(folder, 'bin');
}

import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The path of a program installed for these tests. */
export function tool(name: string): string {
  const folder = process.env.TEMPLATE_TOOLS;
  if (!folder) throw new Error('TEMPLATE_TOOLS is not set. Run npm run test:extra -- templates.');
  return join(folder, name);
}

/** SAM always uses this account id. */
export const samAccount = '123456789012';

/** The environment of the tools, without the AWS configuration of this machine. */
export const toolEnvironment = {
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  TMPDIR: tmpdir(),
  SAM_CLI_TELEMETRY: '0',
  // The emulator uses the access key id as the account id.
  AWS_ACCESS_KEY_ID: samAccount,
  AWS_SECRET_ACCESS_KEY: 'test',
};

/** Returns the stdout of a program. Rejects if its exit code is not 0. */
export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    env: toolEnvironment,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A program that Python installed for these tests. */
export function tool(name: string): string {
  const folder = process.env.TEMPLATE_TOOLS;
  if (!folder) throw new Error('TEMPLATE_TOOLS names no folder: npm run test:templates makes one.');
  return join(folder, name);
}

/** The account that SAM takes to be its own, whatever its credentials are of. */
export const samAccount = '123456789012';

/** What a tool finds in its environment: nothing of this machine's AWS. */
export const toolEnvironment = {
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  TMPDIR: tmpdir(),
  SAM_CLI_TELEMETRY: '0',
  // To an emulator the key is the account, and this its secret.
  AWS_ACCESS_KEY_ID: samAccount,
  AWS_SECRET_ACCESS_KEY: 'test',
};

/** What a program said that ended with 0; rejects with all it said otherwise. */
export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    env: toolEnvironment,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

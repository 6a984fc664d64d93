import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '../infra/administration/cannot-start.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- mail-clients`: exchanges mail between the local service and mailboxes behind Postfix and Dovecot. Needs
 * Postfix, Dovecot with IMAP and LMTP, swaks, and the rights of root, which Postfix requires. All servers are on loopback
 * addresses and have their settings and mailboxes in a temporary folder. Exits with vitest's exit code, after at most 15
 * minutes.
 */
const longest = 15 * 60_000;

const run = promisify(execFile);

export default async function (args: readonly string[]): Promise<number> {
  if (process.getuid?.() !== 0)
    throw new CannotStart('The suite mail-clients needs the rights of root, because Postfix requires them.');
  for (const [program, option] of [
    ['postconf', '-d'],
    ['dovecot', '--version'],
    ['swaks', '--version'],
  ] as const)
    await run(program, [option]).catch(() => {
      throw new CannotStart(
        `The suite mail-clients needs Postfix, Dovecot and swaks, but \`${program}\` cannot be run.`,
      );
    });
  const folder = mkdtempSync(join(tmpdir(), 'mail-clients-'));
  // Postfix and Dovecot run as other users.
  chmodSync(folder, 0o755);
  try {
    return await runVitest({
      config: 'test/mail-clients/vitest.config.ts',
      args,
      environment: { TMPDIR: folder },
      longest,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '../infra/local/cannot-start.ts';
import { loopbackCertificate, loopbackKey } from './harness/certificate.ts';
import { exitCodeOf } from './harness/exit-code-of.ts';

/**
 * `npm run test:deploy [-- <vitest arguments>]`: deploys the service to an emulator of AWS, which Python installs into a
 * folder that goes at the end with everything else, or which MINISTACK names. Exits as vitest does, after 15 minutes at
 * the latest.
 */
const longest = 15 * 60_000;

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-deploy-'));
  try {
    const ministack = process.env.MINISTACK || (await install(folder));
    // Node reads it when it starts: for the emulator that takes nothing but TLS.
    const certificate = join(folder, 'certificate.pem');
    writeFileSync(certificate, loopbackCertificate);
    writeFileSync(join(folder, 'key.pem'), loopbackKey, { mode: 0o600 });
    return await vitest({ TMPDIR: folder, MINISTACK: ministack, NODE_EXTRA_CA_CERTS: certificate });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The emulator's program. Throws CannotStart where Python cannot install it. */
async function install(folder: string): Promise<string> {
  const run = promisify(execFile);
  const requirements = join(import.meta.dirname, 'deploy', 'requirements.txt');
  try {
    await run('python3', ['-m', 'venv', join(folder, 'python')], { timeout: 60_000 });
    const pip = join(folder, 'python', 'bin', 'pip');
    await run(pip, ['install', '--quiet', '--disable-pip-version-check', '-r', requirements], {
      timeout: 180_000,
    });
  } catch {
    throw new CannotStart(
      'Python 3 with venv and pip is needed, and a network, to install the emulator MiniStack.',
    );
  }
  return join(folder, 'python', 'bin', 'ministack');
}

/** Everything that it starts ends with it, and it ends when this process is told to. */
function vitest(environment: Record<string, string>): Promise<number> {
  const program = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
  const args = [program, 'run', '--config', 'vitest.deploy.config.ts', ...process.argv.slice(2)];
  const env = { ...process.env, ...environment };
  // A group of their own, so that whatever it started and left behind can be ended with it.
  const child = spawn(process.execPath, args, { stdio: 'inherit', env, detached: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const force = setTimeout(() => child.kill('SIGKILL'), longest);
  return new Promise((resolve) =>
    child.once('exit', (code) => {
      clearTimeout(force);
      endGroup(child.pid);
      resolve(code ?? 1);
    }),
  );
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}

process.exitCode = await exitCodeOf(main);

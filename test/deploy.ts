import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '../infra/local/cannot-start.ts';
import { loopbackCertificate, loopbackKey } from './harness/certificate.ts';
import { exitCodeOf } from './harness/exit-code-of.ts';
import { requireEmulator } from './harness/python-tools.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:deploy [-- <vitest arguments>]`: deploys the service to an emulator of AWS. Python installs the
 * emulator and the AWS CLI into a temporary folder, or MINISTACK names an emulator with `aws` next to it. npm adds
 * AWS's runtime interface client of Lambda. Exits like vitest, after 25 minutes at most.
 */
const longest = 25 * 60_000;

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-deploy-'));
  try {
    const ministack = await requireEmulator(folder);
    const client = await unpackRuntimeClient(folder);
    // Node reads it at start, for the emulator that accepts only TLS.
    const certificate = join(folder, 'certificate.pem');
    writeFileSync(certificate, loopbackCertificate);
    writeFileSync(join(folder, 'key.pem'), loopbackKey, { mode: 0o600 });
    return await runVitest({
      config: 'test/deploy/vitest.config.ts',
      environment: {
        TMPDIR: folder,
        MINISTACK: ministack,
        RUNTIME_CLIENT: client,
        NODE_EXTRA_CA_CERTS: certificate,
      },
      longest,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Not a dependency, because it needs a newer Node and compiles code when installed. */
const runtimeClient = 'aws-lambda-ric@4.0.2';

/**
 * Installs Lambda's runtime interface client for Node.js, with our replacement for its compiled part. Throws
 * CannotStart on failure.
 */
async function unpackRuntimeClient(folder: string): Promise<string> {
  const run = promisify(execFile);
  try {
    const packing = run('npm', ['pack', '--silent', runtimeClient, '--pack-destination', folder], {
      timeout: 60_000,
    });
    await run('tar', ['-xzf', join(folder, (await packing).stdout.trim()), '-C', folder]);
  } catch {
    throw new CannotStart(`npm and tar are needed, and npm's registry, to have ${runtimeClient}.`);
  }
  const client = join(folder, 'package');
  symlinkSync(join(import.meta.dirname, 'deploy', 'rapid-client.cjs'), join(client, 'rapid-client.node'));
  return client;
}

process.exitCode = await exitCodeOf(main);

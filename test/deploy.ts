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
 * `npm run test:deploy [-- <vitest arguments>]`: deploys the service to an emulator of AWS, which Python installs with the
 * AWS CLI into a folder that goes at the end with everything else, or which MINISTACK names, with `aws` beside it; npm puts
 * AWS's own client of Lambda's runtime interface there. Exits as vitest does, after 25 minutes at the latest.
 */
const longest = 25 * 60_000;

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-deploy-'));
  try {
    const ministack = await requireEmulator(folder);
    const client = await unpackRuntimeClient(folder);
    // Node reads it when it starts: for the emulator that takes nothing but TLS.
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

/** No dependency: it asks for a newer Node than we do, and compiles a part of itself where it is installed. */
const runtimeClient = 'aws-lambda-ric@4.0.2';

/**
 * The folder of the client by which Lambda runs functions of Node.js, as it is published; ours stands in for the part that
 * is compiled. Throws CannotStart where it cannot be had.
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

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '../infra/administration/cannot-start.ts';
import { loopbackCertificate, loopbackKey } from './harness/certificate.ts';
import { requireEmulator } from './harness/python-tools.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- deploy`: deploys the service to an AWS emulator. Installs the emulator, the
 * AWS CLI and AWS's Lambda runtime client into a temporary folder. To use an installed emulator, set MINISTACK to its
 * path; `aws` must be in the same folder. Exits with vitest's code, after at most 50 minutes.
 */
const longest = 50 * 60_000;

export default async function (args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-deploy-'));
  try {
    const ministack = await requireEmulator(folder);
    const client = await unpackRuntimeClient(folder);
    // The emulator's certificate for TLS. It is written before vitest starts, because Node reads NODE_EXTRA_CA_CERTS
    // only when a process starts.
    const certificate = join(folder, 'certificate.pem');
    writeFileSync(certificate, loopbackCertificate);
    writeFileSync(join(folder, 'key.pem'), loopbackKey, { mode: 0o600 });
    return await runVitest({
      config: 'test/deploy/vitest.config.ts',
      args,
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

/** This package is not a dependency, because it requires a newer Node and compiles native code at installation. */
const runtimeClient = 'aws-lambda-ric@4.0.2';

/**
 * Downloads AWS's Lambda runtime client for Node.js, and replaces its native code with `rapid-client.cjs`. Returns the
 * folder of the client. Throws CannotStart if the download fails.
 */
async function unpackRuntimeClient(folder: string): Promise<string> {
  const run = promisify(execFile);
  try {
    const packing = run('npm', ['pack', '--silent', runtimeClient, '--pack-destination', folder], {
      timeout: 60_000,
    });
    await run('tar', ['-xzf', join(folder, (await packing).stdout.trim()), '-C', folder]);
  } catch {
    throw new CannotStart(
      `Cannot download ${runtimeClient}: npm, tar and access to npm's registry are required.`,
    );
  }
  const client = join(folder, 'package');
  symlinkSync(join(import.meta.dirname, 'deploy', 'rapid-client.cjs'), join(client, 'rapid-client.node'));
  return client;
}

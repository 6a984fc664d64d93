import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loopbackCertificate, loopbackKey } from './harness/certificate.ts';
import { exitCodeOf } from './harness/exit-code-of.ts';
import { installPythonTools } from './harness/python-tools.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:deploy [-- <vitest arguments>]`: deploys the service to an emulator of AWS, which Python installs with the
 * AWS CLI into a folder that goes at the end with everything else, or which MINISTACK names, with `aws` beside it. Exits as
 * vitest does, after 15 minutes at the latest.
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
    return await runVitest({
      config: 'vitest.deploy.config.ts',
      environment: { TMPDIR: folder, MINISTACK: ministack, NODE_EXTRA_CA_CERTS: certificate },
      longest,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The emulator's program. */
async function install(folder: string): Promise<string> {
  const requirements = join(import.meta.dirname, 'deploy', 'requirements.txt');
  const programs = await installPythonTools(
    join(folder, 'python'),
    requirements,
    'the emulator MiniStack and the AWS CLI',
  );
  return join(programs, 'ministack');
}

process.exitCode = await exitCodeOf(main);

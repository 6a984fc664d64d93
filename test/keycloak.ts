import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { CannotStart } from '../infra/administration/cannot-start.ts';
import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- keycloak`: signs in through Keycloak. Maven downloads its distribution (160 MB) to the local
 * repository of the user once. The suite runs a copy in a temporary folder, which it removes. Needs Java 17, Maven 3.6 and,
 * for the first run, a network. Exits with vitest's code, after at most 20 minutes.
 */
const longest = 20 * 60_000;

/** This version still runs on Java 17. */
const version = '26.4.7';
const sha256 = 'dd9834c023460be856f731423d86228c23b5d002194a2064642bec0cc6573eaa';
const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

export default async function (args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-keycloak-'));
  try {
    const home = await unpackKeycloak(folder);
    return await runVitest({
      config: 'test/keycloak/vitest.config.ts',
      args,
      environment: { TMPDIR: folder, KEYCLOAK_HOME: home },
      longest,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Unpacks the distribution below `folder` and returns its folder. Throws CannotStart. */
async function unpackKeycloak(folder: string): Promise<string> {
  await requireTool('java', ['-version']);
  await requireTool('mvn', ['--version']);
  const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${version}:zip`;
  await maven(folder, 'copy', artifact);
  const archive = join(folder, `keycloak-quarkus-dist-${version}.zip`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(archive), hash);
  if (hash.digest('hex') !== sha256)
    throw new CannotStart(
      `The archive of Keycloak ${version} in the local repository of Maven does not have the expected SHA-256 hash. Delete it and start again.`,
    );
  await maven(folder, 'unpack', artifact);
  return join(folder, `keycloak-${version}`);
}

const run = promisify(execFile);

async function requireTool(program: string, args: string[]): Promise<void> {
  await run(program, args).catch(() => {
    throw new CannotStart(`The suite keycloak needs Java 17 and Maven, but \`${program}\` cannot be run.`);
  });
}

/**
 * Writes the artifact into `folder` with a goal of Maven's dependency plugin. Without a project, the goal
 * `unpack` writes a marker file below the current folder, and does nothing if it exists. So the current folder is `folder`.
 */
async function maven(folder: string, goal: 'copy' | 'unpack', artifact: string): Promise<void> {
  const options = ['--batch-mode', '--quiet', '--strict-checksums', artifact, `-DoutputDirectory=${folder}`];
  await run('mvn', [...options, `${plugin}:${goal}`], {
    cwd: folder,
    timeout: 300_000,
  }).catch((error: { stdout?: string }) => {
    const cause = /\[ERROR\] (.*)/.exec(error.stdout ?? '')?.[1] ?? 'no response within 5 minutes';
    throw new CannotStart(`Maven cannot download Keycloak ${version}: ${cause}`);
  });
}

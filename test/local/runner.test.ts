import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CannotStart } from '../../infra/administration/cannot-start.ts';
import { createAccount } from '../../infra/administration/create-account.ts';
import { startRunner } from '../../infra/local/runner.ts';
import { readSettings, type Settings } from '../../infra/local/settings.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// The engines of a started runner verify real signatures.
process.env.FULL_SIGNATURE = 'yes';

/** Starts the runner in this process and returns the error, if any. Restores the environment variables. */
async function startError(settings: Settings): Promise<unknown> {
  const environment = { ...process.env };
  try {
    const runner = await startRunner(settings, { onActivity: () => {}, onLine: () => {} });
    await runner.stop();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  }
}
const settingsFor = (DATA_DIR: string) => readSettings({ DATA_DIR, PORT: '0' }, []);
/**
 * After a CannotStart error, the program prints only the message and exits with code 1. The test "a start with a port
 * in use exits with code 1" in test/service/runner.test.ts verifies this.
 */
const cannotStart = (message: RegExp) =>
  expect.objectContaining({ constructor: CannotStart, message: expect.stringMatching(message) });

test.each([
  ['credentials.json', '{"baseUrl":', /^The credentials file \S+ is damaged\. [^\n]+$/],
  ['signing-secret.json', 'x', /^The signing secret \S+ is damaged\. [^\n]+$/],
  ['stream-checkpoint.json', '[]', /^The checkpoint \S+ is damaged\. [^\n]+$/],
  ['table.db', 'This is not a database, it is a text file.', /^The data file \S+ is damaged\. [^\n]+$/],
  ['table.db', 'SQLite format 3\0 and then something else', /^The data file \S+ is damaged\. [^\n]+$/],
])(
  'a start with a damaged %s fails with an error message and does not change the file',
  async (name, text, message) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), text);
    expect(await startError(settingsFor(folder))).toEqual(cannotStart(message));
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  },
);

test('a start fails with an error message if the data folder is a file', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, '');
  expect(await startError(settingsFor(path))).toEqual(
    cannotStart(/^The data folder \S+\/file cannot be created[^\n]*$/),
  );
});

test('a start with the table of another data folder fails with an error message and writes no credentials', async () => {
  await createAccount({ name: 'Other', adminEmail: 'admin@example.com', adminPassword: 'a long password' });
  const folder = temporaryFolder();
  const { TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint } = process.env;
  const settings = { ...settingsFor(folder), dynamoDbEndpoint, tableName: String(TABLE_NAME) };
  expect(await startError(settings)).toEqual(
    cannotStart(
      /^The table "merchant-ops-test-\S+" at http:\S+ belongs to another data folder, which contains the table's keys\. Set DATA_DIR to that folder, or TABLE_NAME to a new name\.$/,
    ),
  );
  expect(readdirSync(folder)).not.toContain('credentials.json');
});

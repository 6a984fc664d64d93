import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contents } from '../../infra/administration/data-folder-contents.ts';
import { openDataFolder } from '../../infra/local/data-folder.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

/** Creates the stale lock of a killed runner: a socket without a listener. */
async function leaveLock(folder: string): Promise<void> {
  const path = join(folder, 'runner.sock');
  const aside = join(folder, 'aside');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(aside, resolve));
  // When a server closes, Node deletes the path on which the server listens. The renamed socket remains.
  renameSync(aside, path);
  await new Promise((resolve) => server.close(resolve));
  expect(existsSync(path)).toBe(true);
}

describe('the lock of a data folder', () => {
  test('the lock of a data folder rejects a second runner until the first runner has released the lock', async () => {
    const folder = temporaryFolder();
    const first = await openDataFolder(folder);
    await expect(openDataFolder(folder)).rejects.toThrow(
      `The data folder ${folder} is in use by another local service. Stop that service, or set DATA_DIR to another folder.`,
    );
    await first.close();
    await (await openDataFolder(folder)).close();
  });

  test('the lock of a data folder is free after its runner was killed', async () => {
    const folder = temporaryFolder();
    await leaveLock(folder);
    const next = await openDataFolder(folder);
    onTestFinished(next.close);
    await expect(openDataFolder(folder)).rejects.toThrow('is in use');
    expect(readdirSync(folder)).toEqual(['runner.sock']);
  });

  test('if several runners open a data folder with a stale lock concurrently, exactly one gets the lock', async () => {
    for (let round = 0; round < 20; round++) {
      const folder = temporaryFolder();
      await leaveLock(folder);
      const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => openDataFolder(folder)));
      const opened = attempts.filter((attempt) => attempt.status === 'fulfilled');
      expect(opened).toHaveLength(1);
      for (const { value } of opened) await value.close();
    }
  });
});

test('only the owner can read the files of a runner, including existing files that had wider permissions', async () => {
  const folder = temporaryFolder();
  const [letters, letter] = [join(folder, 'dead-letters', 'audit'), 'dead-letters/audit/1.json'];
  mkdirSync(letters, { recursive: true });
  const files = ['table.db', 'table.db-wal', 'credentials.json', 'stream-checkpoint.json', letter];
  for (const file of files) writeFileSync(join(folder, file), '{}');
  for (const path of ['', 'dead-letters', 'dead-letters/audit']) chmodSync(join(folder, path), 0o755);
  for (const file of files) chmodSync(join(folder, file), 0o644);

  onTestFinished((await openDataFolder(folder)).close);
  expect([folder, join(folder, 'dead-letters'), letters].map(modeOf)).toEqual(['700', '700', '700']);
  expect(files.map((file) => modeOf(join(folder, file)))).toEqual(files.map(() => '600'));
});

test('a runner does not change the permissions of other files, link targets or a folder with the sticky bit', async () => {
  const folder = temporaryFolder();
  const other = join(folder, 'other.txt');
  writeFileSync(other, '');
  symlinkSync(other, join(folder, 'credentials.json'));
  chmodSync(other, 0o644);
  chmodSync(folder, 0o1777);
  onTestFinished((await openDataFolder(folder)).close);
  expect([modeOf(other), modeOf(folder)]).toEqual(['644', '777']);
});

test('only the owner can read a new data folder', async () => {
  const folder = join(temporaryFolder(), 'new');
  onTestFinished((await openDataFolder(folder)).close);
  expect([modeOf(folder), readdirSync(folder)]).toEqual(['700', ['runner.sock']]);
});

test('a later version finds the data of this version, because the names in a data folder do not change', () => {
  expect(contents).toMatchObject({
    table: 'table.db',
    checkpoint: 'stream-checkpoint.json',
    credentials: 'credentials.json',
    signingSecret: 'signing-secret.json',
    dataKey: 'data-key.json',
    sealKey: 'seal-key.json',
    deadLetters: 'dead-letters',
    objects: 'objects',
    mail: 'mail',
    sms: 'sms',
  });
});

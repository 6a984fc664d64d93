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
import { openDataFolder } from '../../infra/local/data-folder.ts';
import { temporaryFolder } from './runner-process.ts';

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

/** The lock that a runner leaves behind which was killed: a socket that nobody listens on. */
async function leaveLock(folder: string): Promise<string> {
  const path = join(folder, 'runner.sock');
  const aside = join(folder, 'aside');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(aside, resolve));
  // Node removes the name that it listened on, so the socket gets another one first.
  renameSync(aside, path);
  await new Promise((resolve) => server.close(resolve));
  expect(existsSync(path)).toBe(true);
  return path;
}

describe('the lock of a data folder', () => {
  test('the lock of a data folder refuses a second runner in a sentence, and lets the next one in when it is given back', async () => {
    const folder = temporaryFolder();
    const first = await openDataFolder(folder);
    await expect(openDataFolder(folder)).rejects.toThrow(
      `Another runner uses the data folder ${folder}: stop it, or choose another with DATA_DIR.`,
    );
    await first.close();
    await (await openDataFolder(folder)).close();
  });

  test('the lock of a data folder that a killed runner left behind keeps nobody out', async () => {
    const folder = temporaryFolder();
    await leaveLock(folder);
    const next = await openDataFolder(folder);
    onTestFinished(next.close);
    await expect(openDataFolder(folder)).rejects.toThrow('Another runner uses');
    expect(readdirSync(folder)).toEqual(['runner.sock']);
  });

  test('the lock of a data folder goes to one only of several that find a killed runner’s at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const folder = temporaryFolder();
      await leaveLock(folder);
      const tries = await Promise.allSettled(Array.from({ length: 5 }, () => openDataFolder(folder)));
      const got = tries.filter((attempt) => attempt.status === 'fulfilled');
      expect(got).toHaveLength(1);
      for (const { value } of got) await value.close();
    }
  });
});

test('what a runner keeps is for its owner only, also where an earlier one left it open to others', async () => {
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

test('what a runner keeps is told from what is another’s: other files, links and a folder for everybody stay as they are', async () => {
  const folder = temporaryFolder();
  const other = join(folder, 'other.txt');
  writeFileSync(other, '');
  symlinkSync(other, join(folder, 'credentials.json'));
  chmodSync(other, 0o644);
  chmodSync(folder, 0o1777);
  onTestFinished((await openDataFolder(folder)).close);
  expect([modeOf(other), modeOf(folder)]).toEqual(['644', '777']);
});

test('what a runner keeps is made in a folder that is its owner’s only', async () => {
  const folder = join(temporaryFolder(), 'new');
  onTestFinished((await openDataFolder(folder)).close);
  expect([modeOf(folder), readdirSync(folder)]).toEqual(['700', ['runner.sock']]);
});

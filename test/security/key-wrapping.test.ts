import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { requireKeyFile } from '../../infra/local/key-file.ts';
import { useTableOf } from '../../infra/operations/service-at.ts';
import { stageNamed } from '../../infra/stages.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { generateKey, newKeyFile, unwrapKey } from '../../shared/security/key-wrapping.ts';

const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());
const account = 'acc_1' as AccountId;

describe('the key file', () => {
  test('the key file wraps a key for one account and stage', async () => {
    const { plain, wrapped } = await generateKey(account);
    expect(plain).toHaveLength(32);
    expect(Buffer.from(wrapped, 'base64').includes(Buffer.from(plain))).toBe(false);
    expect(await unwrapKey(account, wrapped)).toEqual(plain);
    await expect(unwrapKey('acc_2' as AccountId, wrapped)).rejects.toThrow();
    vi.stubEnv('STAGE', 'dev');
    await expect(unwrapKey(account, wrapped)).rejects.toThrow();
  });

  test('a missing, damaged or different key file unwraps nothing', async () => {
    const { wrapped } = await generateKey(account);
    const path = join(folder, 'other.json');
    vi.stubEnv('KEY_FILE', path);
    await expect(unwrapKey(account, wrapped)).rejects.toThrow('ENOENT');
    writeFileSync(path, newKeyFile());
    await expect(unwrapKey(account, wrapped)).rejects.toThrow();
    writeFileSync(path, '{"key":"c2hvcnQ"}');
    await expect(unwrapKey(account, wrapped)).rejects.toThrow('KEY_FILE must contain a key of 32 bytes.');
  });

  test('a new key file is readable by its owner only, and later starts keep it', () => {
    const path = join(folder, 'made.json');
    requireKeyFile(path);
    const text = readFileSync(path, 'utf8');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    requireKeyFile(path);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(newKeyFile()).not.toBe(newKeyFile());
  });

  test.each(['', 'null', '{}', '{"key":"c2hvcnQ"}'])(
    'a damaged key file (%j) stops the start with a message',
    (text) => {
      const path = join(folder, 'damaged.json');
      writeFileSync(path, text);
      expect(() => requireKeyFile(path)).toThrow(`The key file ${path} is damaged. Restore it`);
    },
  );

  test('with KEY_FILE in prod, a function does not start', async () => {
    vi.stubEnv('STAGE', 'prod');
    await expect(generateKey(account)).rejects.toThrow(
      'KEY_FILE is for local use only. Remove it when STAGE is prod.',
    );
    vi.resetModules();
    await expect(import('../../shared/security/data-keys.ts')).rejects.toThrow('KEY_FILE is for local use');
  });
});

test('a command at a cloud stage ignores KEY_FILE of the shell', async () => {
  for (const name of ['TABLE_NAME', 'STAGE', 'DATA_KEY_ID', 'SEAL_KEY_ID']) vi.stubEnv(name, '');
  for (const name of ['KEY_FILE', 'SEAL_KEY_FILE']) vi.stubEnv(name, join(folder, 'left.json'));
  await useTableOf(stageNamed('dev'));
  const { KEY_FILE, SEAL_KEY_FILE } = process.env;
  expect([KEY_FILE, SEAL_KEY_FILE]).toEqual([undefined, undefined]);
});

test('without a key, the error names the missing variable', async () => {
  vi.stubEnv('KEY_FILE', undefined);
  vi.stubEnv('DATA_KEY_ID', undefined);
  await expect(generateKey(account)).rejects.toThrow('DATA_KEY_ID is not set');
  vi.stubEnv('DATA_KEY_ID', 'alias/a');
  vi.stubEnv('STAGE', undefined);
  await expect(generateKey(account)).rejects.toThrow('STAGE is not set');
});

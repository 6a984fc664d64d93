import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { requireKeyFile, requireSealKeyFile } from '../../infra/local/key-file.ts';
import { useTableOf } from '../../infra/operations/service-at.ts';
import { stageNamed } from '../../infra/stages.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { newSealKeyFile, signingKey } from '../../shared/integrity/event-seals/seal-key.ts';
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

  test('a key cannot be unwrapped if the key file is missing, damaged or different', async () => {
    const { wrapped } = await generateKey(account);
    const path = join(folder, 'other.json');
    vi.stubEnv('KEY_FILE', path);
    await expect(unwrapKey(account, wrapped)).rejects.toThrow('ENOENT');
    writeFileSync(path, newKeyFile());
    await expect(unwrapKey(account, wrapped)).rejects.toThrow();
    writeFileSync(path, '{"key":"c2hvcnQ"}');
    await expect(unwrapKey(account, wrapped)).rejects.toThrow('KEY_FILE must contain a key of 32 bytes.');
  });

  test.each(['', 'null', '{}', '{"key":"c2hvcnQ"}'])(
    'a damaged key file (%j) stops the start with a message',
    (text) => {
      const path = join(folder, 'damaged.json');
      writeFileSync(path, text);
      expect(() => requireKeyFile(path)).toThrow(`The key file ${path} is damaged. Restore it`);
    },
  );
});

test('a function does not start in prod if KEY_FILE or SEAL_KEY_FILE is set', async () => {
  vi.stubEnv('STAGE', 'prod');
  const sentence = 'KEY_FILE is for local use only. Remove it when STAGE is prod.';
  await expect(generateKey(account)).rejects.toThrow(sentence);
  expect(signingKey).toThrow(`SEAL_${sentence}`);
  vi.resetModules();
  await expect(import('../../shared/security/data-keys.ts')).rejects.toThrow(sentence);
  const sealing = import('../../shared/integrity/event-seals/seal-events.ts');
  await expect(sealing).rejects.toThrow(`SEAL_${sentence}`);
});

test('a command for a cloud stage ignores the environment variable KEY_FILE', async () => {
  for (const name of ['TABLE_NAME', 'STAGE', 'DATA_KEY_ID', 'SEAL_KEY_ID']) vi.stubEnv(name, '');
  for (const name of ['KEY_FILE', 'SEAL_KEY_FILE']) vi.stubEnv(name, join(folder, 'left.json'));
  await useTableOf(stageNamed('dev'));
  const { KEY_FILE, SEAL_KEY_FILE } = process.env;
  expect([KEY_FILE, SEAL_KEY_FILE]).toEqual([undefined, undefined]);
});

test('without a key, the error names the missing variable', async () => {
  for (const name of ['KEY_FILE', 'DATA_KEY_ID', 'SEAL_KEY_FILE', 'SEAL_KEY_ID']) vi.stubEnv(name, undefined);
  expect(signingKey).toThrow('SEAL_KEY_ID is not set');
  await expect(generateKey(account)).rejects.toThrow('DATA_KEY_ID is not set');
  vi.stubEnv('DATA_KEY_ID', 'alias/a');
  vi.stubEnv('STAGE', undefined);
  await expect(generateKey(account)).rejects.toThrow('STAGE is not set');
});

test.each([
  ['KEY_FILE', requireKeyFile, newKeyFile],
  ['SEAL_KEY_FILE', requireSealKeyFile, newSealKeyFile],
] as const)('only the owner can read a new %s, and later starts keep it', (name, require, make) => {
  const path = join(folder, `${name}.json`);
  require(path);
  const text = readFileSync(path, 'utf8');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  require(path);
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(make()).not.toBe(make());
});

describe('the file of the key that signs seals', () => {
  test('the key file creates signatures that its public key verifies', async () => {
    const path = join(folder, 'signs.json');
    requireSealKeyFile(path);
    vi.stubEnv('SEAL_KEY_FILE', path);
    const der = Buffer.from(await signingKey().verifyingKey(), 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const signature = Buffer.from(await signingKey().sign('a seal'), 'base64');
    expect(verify('sha256', Buffer.from('a seal'), key, signature)).toBe(true);
    expect(verify('sha256', Buffer.from('a sea1'), key, signature)).toBe(false);
  });

  const whole = JSON.parse(newSealKeyFile());
  const other = JSON.parse(newSealKeyFile());
  const onAnotherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({
    format: 'jwk',
  });
  test.each<[string, string]>([
    ['is empty', ''],
    ['is null', 'null'],
    ['has no fields', '{}'],
    ['lacks its private half', JSON.stringify({ ...whole, d: undefined })],
    ['has another private half', JSON.stringify({ ...whole, d: other.d })],
    ['has another public half', JSON.stringify({ ...whole, x: other.x, y: other.y })],
    ['is cut off', JSON.stringify(whole).slice(0, -20)],
    ['names another curve', JSON.stringify({ ...whole, crv: 'P-384' })],
    ['contains a key on another curve', JSON.stringify(onAnotherCurve)],
  ])('a key file that %s stops the start with a message', async (_, text) => {
    const path = join(folder, 'damaged.json');
    writeFileSync(path, text);
    expect(() => requireSealKeyFile(path)).toThrow(`The key file ${path} is damaged. Restore it`);
    vi.stubEnv('SEAL_KEY_FILE', path);
    await expect(signingKey().sign('a seal')).rejects.toThrow(
      'SEAL_KEY_FILE must contain a P-256 private key.',
    );
  });
});

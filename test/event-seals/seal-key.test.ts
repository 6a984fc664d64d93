import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { requireSealKeyFile } from '../../infra/local/key-file.ts';
import { newSealKeyFile, sealKey } from '../../shared/integrity/event-seals/seal-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-seals-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

describe('the file of the key that signs seals', () => {
  test('the key file creates signatures that its public key verifies', async () => {
    const path = join(folder, 'signs.json');
    requireSealKeyFile(path);
    vi.stubEnv('SEAL_KEY_FILE', path);
    const der = Buffer.from(await sealKey().verifyingKey(), 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const signature = Buffer.from(await sealKey().sign('a seal'), 'base64');
    expect(verify('sha256', Buffer.from('a seal'), key, signature)).toBe(true);
    expect(verify('sha256', Buffer.from('a sea1'), key, signature)).toBe(false);
  });

  test('a new key file is readable by its owner only, and later starts keep it', () => {
    const path = join(folder, 'made.json');
    requireSealKeyFile(path);
    const text = readFileSync(path, 'utf8');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    requireSealKeyFile(path);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(newSealKeyFile()).not.toBe(newSealKeyFile());
  });

  const whole = JSON.parse(newSealKeyFile());
  const other = JSON.parse(newSealKeyFile());
  const onAnotherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({
    format: 'jwk',
  });
  test.each<[string, string]>([
    ['is empty', ''],
    ['is null', 'null'],
    ['holds nothing', '{}'],
    ['lacks its private half', JSON.stringify({ ...whole, d: undefined })],
    ['has another private half', JSON.stringify({ ...whole, d: other.d })],
    ['has another public half', JSON.stringify({ ...whole, x: other.x, y: other.y })],
    ['is cut off', JSON.stringify(whole).slice(0, -20)],
    ['names another curve', JSON.stringify({ ...whole, crv: 'P-384' })],
    ['holds a key on another curve', JSON.stringify(onAnotherCurve)],
  ])('a key file that %s stops the start with a message', async (_, text) => {
    const path = join(folder, 'damaged.json');
    writeFileSync(path, text);
    expect(() => requireSealKeyFile(path)).toThrow(`The key file ${path} is damaged. Restore it`);
    vi.stubEnv('SEAL_KEY_FILE', path);
    await expect(sealKey().sign('a seal')).rejects.toThrow('SEAL_KEY_FILE must contain a P-256 private key.');
  });

  test('with SEAL_KEY_FILE in prod, a function does not start', async () => {
    vi.stubEnv('STAGE', 'prod');
    const sentence = 'SEAL_KEY_FILE is for local use only. Remove it when STAGE is prod.';
    expect(sealKey).toThrow(sentence);
    vi.resetModules();
    await expect(import('../../shared/integrity/event-seals/seal-events.ts')).rejects.toThrow(sentence);
  });
});

test('without a signing key, the error names the missing variable', () => {
  vi.stubEnv('SEAL_KEY_FILE', undefined);
  vi.stubEnv('SEAL_KEY_ID', undefined);
  expect(sealKey).toThrow('SEAL_KEY_ID is not set');
});

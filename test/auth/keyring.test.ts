import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

const { reads } = vi.hoisted(() => ({ reads: [] as unknown[] }));
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>();
  const readFileSync = (...given: Parameters<typeof real.readFileSync>) => {
    reads.push(given[0]);
    return real.readFileSync(...given);
  };
  return { ...real, readFileSync };
});

const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-keyring-'));
const file = join(folder, 'secret.json');
const before = process.env.SECRET_FILE;
process.env.SECRET_FILE = file;
afterAll(() => {
  process.env.SECRET_FILE = before;
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const store = (...kids: string[]) =>
  writeFileSync(
    file,
    JSON.stringify({ kids, ...Object.fromEntries(kids.map((kid) => [kid, `${kid} `.repeat(40)])) }),
  );
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
let keyring: typeof import('../../shared/security/keyring.ts').keyring;
const knows = async (kid: string) => (await keyring(kid)).key(kid, 'session-token') !== undefined;

/** Simulates a new instance that has just read the secret. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.resetModules();
  store('1');
  ({ keyring } = await import('../../shared/security/keyring.ts'));
  await keyring();
  reads.length = 0;
});

test('an unknown key id (kid) makes the keyring read the secret again, if the last read was at least a second ago', async () => {
  store('2', '1');
  pass(999);
  expect([await knows('2'), reads.length]).toEqual([false, 0]);
  pass(1);
  expect([await knows('2'), reads.length]).toEqual([true, 1]);
  expect([await knows('1'), reads.length]).toEqual([true, 1]);
});

test('the keyring reads the secret at most once per second, even if it receives many unknown key ids (kid)', async () => {
  for (let second = 1; second <= 3; second++) {
    pass(1000);
    for (let n = 0; n < 20; n++) expect(await knows(`made up ${n}`)).toBe(false);
    expect(reads.length).toBe(second);
  }
});

test('the keyring is read again after five minutes, and every ten seconds while the read fails', async () => {
  pass(5 * 60_000 - 1);
  expect([await knows('1'), reads.length]).toEqual([true, 0]);
  writeFileSync(file, 'not a secret');
  pass(1);
  expect([await knows('1'), reads.length]).toEqual([true, 1]);
  expect([await knows('1'), reads.length]).toEqual([true, 1]);
  store('2');
  pass(9_999);
  expect([await knows('1'), reads.length]).toEqual([true, 1]);
  pass(1);
  expect([await knows('1'), await knows('2'), reads.length]).toEqual([false, true, 2]);
});

test('a secret in a file is rejected in production', async () => {
  vi.stubEnv('STAGE', 'prod');
  vi.resetModules();
  ({ keyring } = await import('../../shared/security/keyring.ts'));
  await expect(keyring()).rejects.toThrow(/SECRET_FILE is for local use/);
  expect(reads).toEqual([]);
  vi.unstubAllEnvs();
});

test('each purpose has a different key', async () => {
  const ring = await keyring();
  expect(ring.key('1', 'session-token')).not.toEqual(ring.key('1', 'idempotency'));
});

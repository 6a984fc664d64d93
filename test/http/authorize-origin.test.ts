import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { originStatements } from '../../infra/rights/origin-rights.ts';
import { runAs, watchWire } from '../harness/wire.ts';
import '../harness/rights.ts';

process.env.ORIGIN_SECRET_ID = 'merchant-ops-test-origin-token';
const [first, second] = ['first '.repeat(8), 'second '.repeat(8)];
/** The stored secret; undefined while Secrets Manager is unavailable. */
let stored: object | undefined;
let reads = 0;
const stop = watchWire({
  respond({ service }) {
    if (service !== 'secretsmanager') return undefined;
    reads += 1;
    return stored
      ? { status: 200, output: { SecretString: JSON.stringify(stored) } }
      : { status: 400, output: { __type: 'AccessDeniedException' } };
  },
});
afterAll(stop);

let authorize: (token?: string) => Promise<unknown>;
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** Starts a new instance of the function. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.resetModules();
  reads = 0;
  stored = { 1: first };
  const { authorizeOrigin: handler } = await import('../../shared/http/authorize-origin.ts');
  authorize = (token) =>
    runAs({ functionName: 'authorizer', statements: originStatements }, () =>
      handler({ identitySource: token === undefined ? [] : [token] }),
    );
});
afterEach(() => vi.useRealTimers());

const accepted = { isAuthorized: true, context: { throughFront: true } };
const refused = { isAuthorized: false };

test('only requests with a token of the secret are accepted, and a wrong token emits a metric', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await authorize(first)).toEqual(accepted);
  expect(written).not.toHaveBeenCalled();
  for (const wrong of [undefined, '', 'guess', `${first}x`, first.slice(1)])
    expect(await authorize(wrong)).toEqual(refused);
  expect(JSON.parse(String(written.mock.calls[0]?.[0]))).toMatchObject({ OriginRefusals: 1, stage: 'local' });
  written.mockRestore();
});

test('during a rotation, the old and the new token are accepted, and a removed token is refused after a minute', async () => {
  expect(await authorize(first)).toEqual(accepted);
  stored = { 1: first, 2: second };
  pass(1_000);
  expect(await authorize(second)).toEqual(accepted);
  expect(await authorize(first)).toEqual(accepted);
  stored = { 2: second };
  pass(60_000);
  expect(await authorize(first)).toEqual(refused);
  expect(await authorize(second)).toEqual(accepted);
});

test('the secret is read once a minute, and at most once per second if tokens are guessed', async () => {
  for (let n = 0; n < 5; n++) await authorize(first);
  expect(reads).toBe(1);
  pass(1_000);
  for (let n = 0; n < 20; n++) await authorize(`a guessed token with many characters ${n}`);
  expect(reads).toBe(2);
});

test('if Secrets Manager is unavailable, the known tokens are still accepted, and a new instance fails', async () => {
  expect(await authorize(first)).toEqual(accepted);
  stored = undefined;
  pass(60_000);
  expect(await authorize(first)).toEqual(accepted);
  vi.resetModules();
  const { authorizeOrigin: handler } = await import('../../shared/http/authorize-origin.ts');
  await expect(handler({ identitySource: [first] })).rejects.toThrow();
});

test.each([{}, { 1: 'short' }, { 1: first, 2: 7 }])('the secret %j is rejected', async (secret) => {
  stored = secret;
  await expect(authorize(first)).rejects.toThrow('The secret needs tokens of at least 32 characters');
});

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { commit } from '../../shared/events/outbox.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import { putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { kms, startKms } from '../harness/kms.ts';
import keepSecret from '../harness/sensitive/keep-secret.ts';
import openSecret from '../harness/sensitive/open-secret.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

/** Removes the waits between retries. KMS requests and table requests use the same backoff. */
vi.mock('../../shared/table/backoff.ts', () => ({ backoff: async () => {} }));

delete process.env.KEY_FILE;
const keyId = 'alias/merchant-ops-local-data-keys';
Object.assign(process.env, { AWS_ENDPOINT_URL_KMS: await startKms(), DATA_KEY_ID: keyId });

const acme = await tenant();
const place = { record: 'merchant:1', field: 'banking.accountNumber' };
const keep = (by: Tenant = acme) => by.key.call(keepSecret, { body: { ...place, plain: '000123456789' } });
const { jwe } = (await keep()).body;
const open = (by: Tenant = acme) => by.key.call(openSecret, { query: { ...place, jwe } });
/** Milliseconds added to the process clock, so that cached keys expire. */
let ahead = 0;
const realNow = Date.now;
vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead);
const passMinutes = (minutes: number) => {
  ahead += minutes * 60_000;
};
const asked = () => kms.calls.map(({ operation }) => operation);

const throttled = ['ThrottlingException', 400] as const;
const down = ['KMSInternalException', 500] as const;
const denials = [
  ['AccessDeniedException', 400],
  ['DisabledException', 409],
  ['KMSInvalidStateException', 409],
  ['NotFoundException', 400],
] as const;

beforeEach(kms.reset);

describe('KMS', () => {
  test('creating the first key of an account takes one KMS call, with account and stage as context', async () => {
    const fresh = await tenant();
    expect((await keep(fresh)).status).toBe(200);
    expect(kms.calls).toEqual([
      { operation: 'GenerateDataKey', keyId, context: { account: fresh.accountId, stage: 'local' } },
    ]);
  });

  test('encrypting, decrypting and comparing values takes one KMS call in total, or no call if the key is cached', async () => {
    await open();
    kms.reset();
    for (const { status } of [await open(), await keep(), await open()]) expect(status).toBe(200);
    expect(asked()).toEqual([]);
    passMinutes(5);
    const responses = await Promise.all([open(), keep(), open()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(kms.calls).toEqual([
      { operation: 'Decrypt', keyId, context: { account: acme.accountId, stage: 'local' } },
    ]);
    passMinutes(4);
    expect((await open()).status).toBe(200);
    expect(asked()).toEqual(['Decrypt']);
  });

  test.each([[throttled], [down]])(
    'a KMS call that fails temporarily with %j is retried',
    async (failure) => {
      passMinutes(6);
      kms.failing = [failure, failure, failure];
      expect((await open()).body).toEqual({ plain: '000123456789' });
      expect(asked()).toEqual(['Decrypt', 'Decrypt', 'Decrypt', 'Decrypt']);
    },
  );

  test.each([[throttled], [down]])(
    'a request returns 503 with Retry-After if KMS keeps failing with %j, and the next request tries again',
    async (failure) => {
      passMinutes(12);
      kms.failure = failure;
      const { status, headers, body } = await open();
      expect([status, headers['retry-after'], body.error]).toEqual([503, '1', 'busy']);
      expect(asked()).toHaveLength(10);
      kms.failure = undefined;
      expect((await open()).status).toBe(200);
    },
  );

  test('if KMS is throttled, no incomplete keys are stored', async () => {
    const fresh = await tenant();
    kms.failure = throttled;
    expect((await keep(fresh)).status).toBe(503);
    expect(await getItem(dataKeysKey(fresh.accountId))).toBeUndefined();
    kms.failure = undefined;
    expect((await keep(fresh)).status).toBe(200);
  });

  test.each(denials)(
    'if KMS responds with %s, there is no retry, and cached keys are no longer used',
    async (...denial) => {
      const fresh = await tenant();
      await keep(fresh);
      passMinutes(6);
      expect((await open()).status).toBe(200);
      kms.reset();
      expect((await open()).status).toBe(200);
      expect(asked()).toEqual([]);
      kms.failure = denial;
      const { status, body } = await keep(fresh);
      expect([status, body.error, body.message]).toEqual([
        500,
        'internal_error',
        'An unexpected error occurred. Include the x-request-id when you report it.',
      ]);
      expect(asked()).toEqual(['Decrypt']);
      expect((await open()).status).toBe(500);
      kms.failure = undefined;
      expect((await open()).status).toBe(200);
    },
  );

  test('KMS does not unwrap a key that was copied to another account', async () => {
    const thief = await tenant();
    const stolen = { ...(await getItem(dataKeysKey(acme.accountId))), ...dataKeysKey(thief.accountId) };
    await commit({ writes: [putItem(stolen)], events: [], deadline: Date.now() + 5000 });
    await open();
    kms.reset();
    expect((await open(thief)).status).toBe(500);
    expect(asked()).toEqual(['Decrypt']);
  });
});

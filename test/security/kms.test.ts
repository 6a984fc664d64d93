import { beforeEach, describe, expect, test, vi } from 'vitest';
import { commit } from '../../shared/events/outbox.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import { putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { kms, startKms } from '../harness/kms.ts';
import keepSecret from '../harness/sensitive/keep-secret.ts';
import tellSecret from '../harness/sensitive/tell-secret.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

/** Retries of KMS wait as those of the table do; here they do not wait. */
vi.mock('../../shared/table/backoff.ts', () => ({ backoff: async () => {} }));

delete process.env.KEY_FILE;
const keyId = 'alias/merchant-ops-local-data-keys';
Object.assign(process.env, { AWS_ENDPOINT_URL_KMS: await startKms(), DATA_KEY_ID: keyId });

const acme = await tenant();
const place = { record: 'merchant:1', field: 'banking.accountNumber' };
const keep = (by: Tenant = acme) => by.key.call(keepSecret, { body: { ...place, plain: '000123456789' } });
const { jwe } = (await keep()).body;
const tell = (by: Tenant = acme) => by.key.call(tellSecret, { query: { ...place, jwe } });
/** What the clock of the process shows beyond the real one: keys are kept by it. */
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
  test('KMS makes the first key of an account in one call, and is asked with account and stage as its context', async () => {
    const fresh = await tenant();
    expect((await keep(fresh)).status).toBe(200);
    expect(kms.calls).toEqual([
      { operation: 'GenerateDataKey', keyId, context: { account: fresh.accountId, stage: 'local' } },
    ]);
  });

  test('KMS is asked once while cold, for sealing, opening and comparing together, and not while warm', async () => {
    await tell();
    kms.reset();
    for (const { status } of [await tell(), await keep(), await tell()]) expect(status).toBe(200);
    expect(asked()).toEqual([]);
    passMinutes(5);
    const responses = await Promise.all([tell(), keep(), tell()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(kms.calls).toEqual([
      { operation: 'Decrypt', keyId, context: { account: acme.accountId, stage: 'local' } },
    ]);
    passMinutes(4);
    expect((await tell()).status).toBe(200);
    expect(asked()).toEqual(['Decrypt']);
  });

  test.each([[throttled], [down]])('KMS that fails by %j for a moment is asked again', async (failure) => {
    passMinutes(6);
    kms.failing = [failure, failure, failure];
    expect((await tell()).body).toEqual({ plain: '000123456789' });
    expect(asked()).toEqual(['Decrypt', 'Decrypt', 'Decrypt', 'Decrypt']);
  });

  test.each([[throttled], [down]])(
    'KMS that fails by %j for longer makes the request 503 with Retry-After, and the next one asks anew',
    async (failure) => {
      passMinutes(12);
      kms.failure = failure;
      const { status, headers, body } = await tell();
      expect([status, headers['retry-after'], body.error]).toEqual([503, '1', 'busy']);
      expect(asked()).toHaveLength(10);
      kms.failure = undefined;
      expect((await tell()).status).toBe(200);
    },
  );

  test('KMS that is throttled leaves no half of an account behind where the first key is made', async () => {
    const fresh = await tenant();
    kms.failure = throttled;
    expect((await keep(fresh)).status).toBe(503);
    expect(await getItem(dataKeysKey(fresh.accountId))).toBeUndefined();
    kms.failure = undefined;
    expect((await keep(fresh)).status).toBe(200);
  });

  test.each(denials)(
    'KMS that says %s is not asked again, and no key that it unwrapped before is used any more',
    async (...denial) => {
      const fresh = await tenant();
      await keep(fresh);
      passMinutes(6);
      expect((await tell()).status).toBe(200);
      kms.reset();
      expect((await tell()).status).toBe(200);
      expect(asked()).toEqual([]);
      kms.failure = denial;
      const { status, body } = await keep(fresh);
      expect([status, body.error, body.message]).toEqual([
        500,
        'internal_error',
        'Something failed on our side. Quote the x-request-id when you report it.',
      ]);
      expect(asked()).toEqual(['Decrypt']);
      expect((await tell()).status).toBe(500);
      kms.failure = undefined;
      expect((await tell()).status).toBe(200);
    },
  );

  test('KMS unwraps no key for another account, though the wrapped key was copied there', async () => {
    const thief = await tenant();
    const stolen = { ...(await getItem(dataKeysKey(acme.accountId))), ...dataKeysKey(thief.accountId) };
    await commit({ writes: [putItem(stolen)], events: [], deadline: Date.now() + 5000 });
    await tell();
    kms.reset();
    expect((await tell(thief)).status).toBe(500);
    expect(asked()).toEqual(['Decrypt']);
  });
});

import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { statementText } from '../../shared/integrity/event-seals/seal.ts';
import { allSeals } from '../../shared/integrity/event-seals/store.ts';
import { readPointers, readWorkQueueState } from '../../shared/work-queue/store.ts';
import { clock } from '../harness/clock.ts';
import { kms, startKms } from '../harness/kms.ts';
import { watchWire } from '../harness/wire.ts';
import {
  addEvents,
  attempt,
  newAccount,
  passToTurn,
  seal,
  sweepAfterCrash,
  takeTurn,
} from './sealed-account.ts';

/** Skips the waits between retries of KMS calls and of table requests. */
vi.mock('../../shared/table/backoff.ts', () => ({ backoff: async () => {} }));

delete process.env.SEAL_KEY_FILE;
const keyId = 'alias/merchant-ops-local-seals';
Object.assign(process.env, { AWS_ENDPOINT_URL_KMS: await startKms(), SEAL_KEY_ID: keyId });

const said = vi.spyOn(console, 'error');
beforeEach(() => {
  kms.reset();
  said.mockReset().mockReturnValue();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => void vi.mocked(process.stdout.write).mockRestore());
const asked = () => kms.calls.map((call) => call.operation).sort();

describe('seals signed by KMS', () => {
  test('a seal takes one KMS call, but the first seal of an instance takes two', async () => {
    const account = await newAccount();
    const sent: Record<string, unknown>[] = [];
    const stop = watchWire({
      before({ service, operation, input }) {
        if (service === 'kms' && operation === 'Sign') sent.push(input);
      },
    });
    await addEvents(account);
    const [first] = await seal(account);
    expect(asked()).toEqual(['GetPublicKey', 'Sign']);
    await addEvents(account);
    await seal(account);
    expect(asked()).toEqual(['GetPublicKey', 'Sign', 'Sign']);
    stop();
    if (!first) throw new Error('There is no seal.');
    const text = statementText(first);
    expect(sent[0]).toEqual({
      KeyId: keyId,
      Message: Buffer.from(text).toString('base64'),
      MessageType: 'RAW',
      SigningAlgorithm: 'ECDSA_SHA_256',
    });
    const key = createPublicKey({
      key: Buffer.from(first.verifyingKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    expect(verify('sha256', Buffer.from(text), key, Buffer.from(first.signature, 'base64'))).toBe(true);
  });

  test('while KMS is unavailable, the error is logged and the sealing is repeated every minute', async () => {
    const account = await newAccount();
    await addEvents(account);
    kms.failure = ['DisabledException', 409];
    expect(await seal(account)).toEqual([]);
    expect(said.mock.calls.flat().join(' ')).toContain(`The events of ${account} could not be sealed`);
    await sweepAfterCrash();
    expect(await allSeals(account)).toEqual([]);
    // KMS failures do not count for the circuit breaker, so that the sealing continues as soon as KMS signs again.
    expect((await readWorkQueueState({ account, name: 'SEALING' })).state.failures).toBe(0);
    kms.failure = undefined;
    await sweepAfterCrash();
    expect(await allSeals(account)).toHaveLength(1);
  });

  test('after an outage of KMS, one job seals all events of the outage', async () => {
    const account = await newAccount();
    kms.failure = ['DisabledException', 409];
    for (let turn = 0; turn < 3; turn++) {
      await addEvents(account);
      await seal(account);
    }
    expect((await readPointers({ account, name: 'SEALING' }, 10)).pointers).toHaveLength(1);
    kms.failure = undefined;
    await sweepAfterCrash();
    expect((await allSeals(account)).map(({ count }) => count)).toEqual([3]);
    // The job has ended, so the next event must create it again.
    await addEvents(account);
    expect(await seal(account)).toHaveLength(2);
  });

  test('the job is kept during a KMS outage of several days', async () => {
    const account = await newAccount();
    await addEvents(account);
    kms.failure = ['DisabledException', 409];
    for (let days = 0; days < 3; days++) {
      await seal(account);
      clock.advance(25 * 3_600_000);
    }
    kms.failure = undefined;
    expect((await seal(account)).map(({ count }) => count)).toEqual([1]);
  });

  describe('without a response from KMS', () => {
    const aborting = new AbortController();
    test.each<[string, AbortSignal, () => void]>([
      ['after two seconds', new AbortController().signal, () => {}],
      ['when the attempt is aborted', aborting.signal, () => aborting.abort()],
    ])('a KMS call ends %s', async (_, signal, onceSent) => {
      const account = await newAccount();
      await addEvents(account);
      clock.advance(6 * 60_000);
      const asked: number[] = [];
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
        asked.push(milliseconds);
        // The timeout ends the call immediately in the first test, and never in the second test.
        return signal === aborting.signal ? new AbortController().signal : AbortSignal.abort();
      });
      const stop = watchWire({
        fault: ({ service }) => (service === 'kms' ? 'hangs' : undefined),
        before: ({ service }) => (service === 'kms' ? void setTimeout(onceSent) : undefined),
      });
      expect(await attempt(account, { signal })).toMatchObject({ ownFault: true });
      stop();
      timeout.mockRestore();
      expect(Math.max(...asked)).toBeLessThanOrEqual(2_000);
      expect(asked).not.toEqual([]);
    });
  });
});

test('if KMS denies permission to sign once, the events are sealed at the next scheduled time', async () => {
  const account = await newAccount();
  await addEvents(account, 2);
  kms.failure = ['AccessDeniedException', 400];
  expect(await seal(account)).toEqual([]);
  kms.failure = undefined;
  passToTurn(account);
  await takeTurn();
  expect((await allSeals(account)).map(({ count }) => count)).toEqual([2]);
});

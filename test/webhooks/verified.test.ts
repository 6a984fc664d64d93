import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import rotateWebhookSecret from '../../functions/webhooks/rotate-webhook-secret.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { behaviours, type Received, receiver } from '../harness/receiver.ts';
import { tenant } from '../harness/tenant.ts';
import { happens } from './subscribed.ts';

const [minute, hour] = [60_000, 3_600_000];
afterEach(() => {
  vi.useRealTimers();
  clock.reset();
});

type Sent = Pick<Received, 'headers' | 'body'>;

/** What the library of Standard Webhooks makes of a request at the instant at which it was sent; false: it does not verify. */
function verified(secret: string, { headers, body }: Sent, sentAt: unknown = headers['webhook-timestamp']) {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(sentAt) * 1000 });
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

/** A webhook that the API made, and what it gets of an event that occurs now. */
async function subscriber() {
  const { accountId, admin } = await tenant();
  const to = await receiver(behaviours.responds(200));
  const { id, secret } = await admin.ok(createWebhook, { body: { url: to.url, events: ['lead_created'] } });
  return {
    secret,
    rotates: async (body = {}) => (await admin.ok(rotateWebhookSecret, { params: { id }, body })).secret,
    async gets(): Promise<Sent> {
      const { length } = to.received;
      await happens(accountId, clock.now());
      await drain();
      const [received, ...more] = to.received.slice(length);
      if (!received || more.length > 0) throw new Error('It is one delivery.');
      return received;
    },
  };
}

test('both secrets verify for 24 h after a rotation, then one', async () => {
  const { secret: first, rotates, gets } = await subscriber();
  expect(verified(first, await gets())).toMatchObject({ type: 'lead_created' });
  const second = await rotates();
  for (const wait of [minute, 24 * hour - 3 * minute]) {
    clock.advance(wait);
    const sent = await gets();
    for (const secret of [first, second])
      expect(verified(secret, sent)).toMatchObject({ type: 'lead_created' });
  }
  clock.advance(3 * minute);
  const sent = await gets();
  expect([verified(first, sent), verified(second, sent)]).toEqual([
    false,
    expect.objectContaining({ type: 'lead_created' }),
  ]);
});

test('the secret before ends at once where the rotation says so', async () => {
  const { secret: first, rotates, gets } = await subscriber();
  const second = await rotates({ expireNow: true });
  const sent = await gets();
  expect([verified(first, sent), verified(second, sent)]).toEqual([false, expect.any(Object)]);
});

/** A text with one bit of its bytes flipped. */
function flipped(text: string, bit: number, encoding: 'latin1' | 'base64' = 'latin1'): string {
  const bytes = Buffer.from(text, encoding);
  const at = bit % (bytes.length * 8);
  bytes.writeUInt8(bytes.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
  return bytes.toString(encoding);
}

test('a flipped bit of body, id, timestamp or secret of what was received fails to verify', async () => {
  const { secret: before, rotates, gets } = await subscriber();
  const secrets = [before, await rotates()];
  const { headers, body } = await gets();
  const sentAt = headers['webhook-timestamp'];
  const parts = ['body', 'webhook-id', 'webhook-timestamp', 'secret'] as const;
  for (const secret of secrets) expect(verified(secret, { headers, body })).not.toBe(false);
  fc.assert(
    fc.property(fc.constantFrom(...secrets), fc.constantFrom(...parts), fc.nat(1e6), (secret, part, bit) => {
      const sent = { headers: { ...headers }, body };
      let by = secret;
      if (part === 'body') sent.body = flipped(body, bit);
      else if (part === 'secret') by = `whsec_${flipped(secret.slice('whsec_'.length), bit, 'base64')}`;
      else sent.headers[part] = flipped(String(headers[part]), bit);
      expect(verified(by, sent, sentAt)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

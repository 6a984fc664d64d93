import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintWebhookSecret } from '../../shared/messaging/webhooks/secrets.ts';
import { messageIdOf, signedHeaders } from '../../shared/messaging/webhooks/signature.ts';

const id = messageIdOf({ accountId: 'acme' as AccountId, id: 7 });

test('the library of Standard Webhooks verifies a signature', () => {
  const [secret, payload] = [mintWebhookSecret(), Buffer.from('{"type":"lead_created"}')];
  const headers = signedHeaders(payload, [secret], id, new Date());
  expect(headers['webhook-id']).toBe('evt_acme_7');
  expect(new Webhook(secret).verify(payload, headers)).toEqual({ type: 'lead_created' });
});

test('any flipped bit fails to verify', () => {
  const secret = mintWebhookSecret();
  const payload = Buffer.from('{"type":"lead_created","version":1}');
  const headers = signedHeaders(payload, [secret], id, new Date());
  fc.assert(
    fc.property(fc.nat(payload.length * 8 - 1), (bit) => {
      const flipped = Buffer.from(payload);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => new Webhook(secret).verify(flipped, headers)).toThrow();
    }),
  );
});

test('a different id, time or secret fails to verify', () => {
  const [secret, payload] = [mintWebhookSecret(), Buffer.from('{}')];
  const headers = signedHeaders(payload, [secret], id, new Date());
  const verify =
    (with_: object, by = secret) =>
    () =>
      new Webhook(by).verify(payload, { ...headers, ...with_ });
  expect(verify({})).not.toThrow();
  expect(verify({ 'webhook-id': 'evt_other_7' })).toThrow();
  expect(verify({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) })).toThrow();
  expect(verify({}, mintWebhookSecret())).toThrow();
});

test('a signature with two secrets verifies with either', () => {
  const secrets = [mintWebhookSecret(), mintWebhookSecret()];
  const payload = Buffer.from('{"äöü":"\u{1f600}"}');
  const headers = signedHeaders(payload, secrets, id, new Date());
  for (const secret of secrets) expect(() => new Webhook(secret).verify(payload, headers)).not.toThrow();
});

import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../shared/events/canonical.ts';
import type { Event } from '../../shared/events/envelope.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { payloadOf } from '../../shared/messaging/webhooks/payload.ts';
import { gaps, lifetime, meaningOf, nextAttempt } from '../../shared/messaging/webhooks/retry-schedule.ts';
import { mintWebhookSecret } from '../../shared/messaging/webhooks/secrets.ts';
import { messageIdOf, signedHeaders } from '../../shared/messaging/webhooks/signature.ts';

const event: Event = {
  id: 7,
  kind: 'lead_updated',
  version: 1,
  accountId: 'acme' as AccountId,
  actor: { user: 'grace@example.com', apiKey: null },
  subject: { type: 'lead', id: 5, version: 2 },
  data: { changes: { firstName: { from: 'Ada', to: 'Grace' } } },
  request: { method: 'PATCH', path: '/leads/5', headers: { 'user-agent': 'curl' }, ipAddress: '192.0.2.1' },
  occurredAt: '2026-03-01T09:30:00.000Z',
};
const full = { payloadVersion: 1, payload: 'full' } as const;
const thin = { payloadVersion: 1, payload: 'thin' } as const;
const read = (bytes: Buffer) => JSON.parse(bytes.toString());

test('a payload contains kind, subject, actor and changes', () => {
  expect(read(payloadOf(event, full))).toEqual({
    type: 'lead_updated',
    version: 1,
    timestamp: '2026-03-01T09:30:00.000Z',
    accountId: 'acme',
    data: {
      subject: event.subject,
      actor: event.actor,
      changes: { firstName: { from: 'Ada', to: 'Grace' } },
    },
  });
});

test('a thin payload contains no data of the event', () => {
  expect(read(payloadOf(event, thin)).data).toEqual({ subject: event.subject, actor: event.actor });
});

test('a payload has the same bytes for any order of stored fields', () => {
  const turned = (value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, inner]) => [name, turned(inner)]),
        );
  expect(payloadOf(turned(event) as Event, full)).toEqual(payloadOf(event, full));
});

test('a payload contains no data of the request', () => {
  for (const shape of [full, thin]) {
    const text = payloadOf(event, shape).toString();
    for (const part of ['curl', '192.0.2.1', '/leads/5']) expect(text).not.toContain(part);
  }
});

test('a payload over 20 KB is truncated to the names of changed fields', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 200 }), (count, length) => {
      const changes = Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`field${n}`, { to: 'x'.repeat(length) }]),
      );
      const large: Event = { ...event, data: { changes } };
      const bytes = payloadOf(large, full);
      const fullSize = Buffer.byteLength(
        canonicalJson({
          ...read(payloadOf(event, full)),
          data: { ...read(payloadOf(event, full)).data, changes },
        }),
      );
      expect(bytes.length).toBeLessThanOrEqual(20 * 1024);
      const { data } = read(bytes);
      expect(Object.keys(data.changes)).toHaveLength(count);
      expect(data.truncated).toBe(fullSize > 20 * 1024 ? true : undefined);
      expect(data.changes.field0).toEqual(fullSize > 20 * 1024 ? {} : { to: 'x'.repeat(length) });
    }),
  );
});

const id = messageIdOf({ accountId: 'acme' as AccountId, id: 7 });

test('the library of Standard Webhooks verifies a signature', () => {
  const [secret, payload] = [mintWebhookSecret(), Buffer.from('{"type":"lead_created"}')];
  const headers = signedHeaders(payload, [secret], id, new Date());
  expect(headers['webhook-id']).toBe('evt_acme_7');
  expect(new Webhook(secret).verify(payload, headers)).toEqual({ type: 'lead_created' });
});

test('a payload with any flipped bit fails to verify', () => {
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

test('a signature with two secrets verifies with either secret', () => {
  const secrets = [mintWebhookSecret(), mintWebhookSecret()];
  const payload = Buffer.from('{"äöü":"\u{1f600}"}');
  const headers = signedHeaders(payload, secrets, id, new Date());
  for (const secret of secrets) expect(() => new Webhook(secret).verify(payload, headers)).not.toThrow();
});

const [minute, hour] = [60_000, 3_600_000];
const now = new Date('2026-03-02T10:00:00.000Z');
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);

describe('the schedule of a delivery', () => {
  test('has the documented gaps', () => {
    const middle = gaps.map((_, index) => nextAttempt({ number: index + 1, createdAt: now }, now, 0.5));
    expect(middle).toEqual(
      [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour].map(
        after,
      ),
    );
  });

  test('all ten attempts are due within ±15% of the schedule, and within 96 hours', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 }),
        (chances) => {
          let at = now;
          for (const [index, chance] of chances.entries()) {
            const next = nextAttempt({ number: index + 1, createdAt: now }, at, chance);
            const gap = gaps[index] ?? 0;
            expect(next).toBeDefined();
            const waited = (next?.getTime() ?? 0) - at.getTime();
            expect(Math.abs(waited - gap)).toBeLessThanOrEqual(gap * 0.15 + 1);
            at = next ?? at;
          }
          expect(at.getTime() - now.getTime()).toBeLessThan(lifetime);
          expect(nextAttempt({ number: 10, createdAt: now }, at)).toBeUndefined();
        },
      ),
    );
  });

  test('has no attempt after 96 hours', () => {
    const createdAt = after(-95 * hour);
    expect(nextAttempt({ number: 3, createdAt }, now, 1)).toBeDefined();
    expect(nextAttempt({ number: 4, createdAt }, now, 0)).toBeUndefined();
  });
});

describe('a response', () => {
  test('with 2xx is a success, with 410 a permanent failure, and otherwise a failure that is retried', () => {
    for (let status = 100; status < 600; status += 1) {
      const expected = status >= 200 && status < 300 ? 'delivered' : status === 410 ? 'gone' : 'failed';
      expect(meaningOf({ status }, now).is, String(status)).toBe(expected);
    }
    expect(meaningOf({}, now)).toEqual({ is: 'failed' });
  });

  test.each([
    [429, '120', 2 * minute],
    [503, '120', 2 * minute],
    [500, ' 1 ', 1_000],
    [503, 'Mon, 02 Mar 2026 11:00:00 GMT', hour],
    [503, '999999999', 24 * hour],
    [429, 'Fri, 01 Jan 2100 00:00:00 GMT', 24 * hour],
    [429, '9'.repeat(400), 24 * hour],
  ])('of %d with Retry-After %s pauses the endpoint for at most a day', (status, retryAfter, pause) => {
    expect(meaningOf({ status, retryAfter }, now)).toEqual({ is: 'failed', pauseUntil: after(pause) });
  });

  test.each([
    [503, undefined],
    [503, '0'],
    [503, 'soon'],
    [503, ''],
    [503, 'Mon, 02 Mar 2026 09:00:00 GMT'],
    [404, '120'],
    [302, '120'],
  ])('of %d with Retry-After %s does not pause the endpoint', (status, retryAfter) => {
    const meaning = meaningOf({ status, retryAfter }, now);
    expect(meaning.is === 'failed' && meaning.pauseUntil).toBeUndefined();
  });
});

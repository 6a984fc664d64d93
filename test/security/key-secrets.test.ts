import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintApiKey, mintSecret, parseApiKey } from '../../shared/security/key-secrets.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const numberIn = (text: string) => [...text].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);

test('a secret ends with a checksum of its random part', () => {
  for (let n = 0; n < 100; n++) {
    const [, random = '', checksum = ''] =
      /^mo_sk_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(mintSecret()) ?? [];
    expect(numberIn(checksum)).toBe(createHash('sha256').update(random).digest().readUInt32BE(0));
  }
});

test('an API key contains its account and id, and keys differ', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), fc.maxSafeNat(), (account, id) => {
      const [one, other] = [mintApiKey(account as AccountId, id), mintApiKey(account as AccountId, id)];
      expect(parseApiKey(one)).toEqual({ account, id });
      expect(one).not.toBe(other);
    }),
  );
});

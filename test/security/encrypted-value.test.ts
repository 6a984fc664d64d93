import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../shared/id/account-id.ts';
import {
  DecryptionFailed,
  decryptText,
  encryptText,
  type Place,
} from '../../shared/security/encrypted-value.ts';
import { codePoint } from '../harness/code-point.ts';

const newKey = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
const key = await newKey();
const keyOf = async (kid: string) => (kid === '1' ? key : undefined);

const account = fc.stringMatching(/^acc_[0-9a-f]{16}$/).map((id) => id as AccountId);
const text = fc.string({ unit: codePoint, maxLength: 200 });
const place: fc.Arbitrary<Place> = fc.record({ account, record: text, field: text });

describe('an encrypted value', () => {
  test('an encrypted value is decrypted unchanged for its own account, record and field', async () => {
    await fc.assert(
      fc.asyncProperty(place, text, async (at, plain) => {
        const jwe = await encryptText({ kid: '1', key }, at, plain);
        expect(await decryptText(keyOf, at, jwe)).toBe(plain);
      }),
    );
  });

  test('an encrypted value cannot be decrypted for another field, record or account', async () => {
    await fc.assert(
      fc.asyncProperty(
        place,
        place,
        fc.constantFrom('account', 'record', 'field'),
        async (at, other, part) => {
          fc.pre(at[part] !== other[part]);
          const jwe = await encryptText({ kid: '1', key }, at, 'a value');
          await expect(decryptText(keyOf, { ...at, [part]: other[part] }, jwe)).rejects.toThrow(
            DecryptionFailed,
          );
        },
      ),
    );
  });

  test('an encrypted value with one changed character cannot be decrypted', async () => {
    const at = { account: 'acc_1' as AccountId, record: 'merchant:1', field: 'banking.accountNumber' };
    const jwe = await encryptText({ kid: '1', key }, at, '000123456789');
    await fc.assert(
      fc.asyncProperty(fc.nat(jwe.length - 1), fc.constantFrom(...'Aa0_.'), async (index, character) => {
        // Excludes the last character of a part: it may have unused bits, and a change of these bits does not
        // change the value.
        fc.pre(jwe[index] !== character && !/^.(\.|$)/.test(jwe.slice(index)));
        const changed = jwe.slice(0, index) + character + jwe.slice(index + 1);
        await expect(decryptText(keyOf, at, changed)).rejects.toThrow(DecryptionFailed);
      }),
    );
  });

  test.each(['', 'REDACTED', '....', 'e30....', 'e30.e30.e30'])(
    'a text that is not an encrypted value (%j) cannot be decrypted',
    async (jwe) => {
      const at = { account: 'acc_1' as AccountId, record: 'merchant:1', field: 'system.appKey' };
      await expect(decryptText(keyOf, at, jwe)).rejects.toThrow(DecryptionFailed);
    },
  );

  test('an encrypted value cannot be decrypted with another key, or if its key id (`kid`) is unknown', async () => {
    const at = { account: 'acc_1' as AccountId, record: 'merchant:1', field: 'system.appKey' };
    const other = await newKey();
    await expect(
      decryptText(keyOf, at, await encryptText({ kid: '1', key: other }, at, 'x')),
    ).rejects.toThrow(DecryptionFailed);
    await expect(decryptText(keyOf, at, await encryptText({ kid: '2', key }, at, 'x'))).rejects.toThrow(
      DecryptionFailed,
    );
  });

  test('encrypting a value twice gives different texts, which reveal only the length of the value', async () => {
    const at = { account: 'acc_1' as AccountId, record: 'merchant:1', field: 'system.appKey' };
    const encrypt = (plain: string) => encryptText({ kid: '1', key }, at, plain);
    const [one, other, third] = [
      await encrypt('123-45-6789'),
      await encrypt('123-45-6789'),
      await encrypt('987-65-4321'),
    ];
    expect(one).not.toBe(other);
    expect(one.length).toBe(third.length);
    expect(Buffer.from(one.split('.')[0] ?? '', 'base64url').toString()).toBe(
      '{"alg":"dir","enc":"A256GCM","kid":"1","account":"acc_1","record":"merchant:1","field":"system.appKey"}',
    );
  });
});

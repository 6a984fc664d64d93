import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { base32, fromBase32 } from '../../shared/correspondence/threads/base32.ts';
import { newThread, type ThreadOf } from '../../shared/correspondence/threads/schema.ts';
import { threads } from '../../shared/correspondence/threads/store.ts';
import {
  hashOfAddress,
  inboundAddress,
  inboundSecretLength,
  newMessageId,
  readToken,
  replyAddress,
} from '../../shared/correspondence/threads/thread-token.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';

const account = 'acc_0123456789abcdef' as AccountId;
const other = 'acc_0123456789abcde0' as AccountId;
const ticket: ThreadOf = { recordType: 'ticket', recordId: '214563398120449' };
const ada = 'ada@example.com';
const secretFile = process.env.SECRET_FILE ?? '';
const secretText = readFileSync(secretFile, 'utf8');

afterEach(() => {
  writeFileSync(secretFile, secretText);
  clock.reset();
  vi.unstubAllEnvs();
});

const localOf = (address: string) => address.slice(0, address.indexOf('@'));
const domainOf = (address: string) => address.slice(address.indexOf('@'));
/** Returns the address with another token. */
const withToken = (address: string, bytes: Uint8Array) =>
  `${localOf(address).slice(0, 3)}${base32(bytes)}${domainOf(address)}`;
const bytesIn = (address: string) => fromBase32(localOf(address).slice(3)) ?? new Uint8Array();

const generatedAccounts = fc
  .uint8Array({ minLength: 8, maxLength: 8 })
  .map((bytes) => `acc_${Buffer.from(bytes).toString('hex')}` as AccountId);
const accounts = fc.oneof(
  generatedAccounts,
  fc.stringMatching(/^[A-Za-z0-9_-]{1,7}$/).map((text) => text as AccountId),
);
const numbers = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const threadsWithNumbers: fc.Arbitrary<ThreadOf> = fc.record({
  recordType: fc.constantFrom('ticket' as const, 'lead' as const),
  recordId: numbers.map(String),
});
const addresses = fc.emailAddress();

describe('base 32', () => {
  test('every text of bytes is decoded in lower and upper case', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromBase32(base32(bytes))).toEqual(bytes);
        expect(fromBase32(base32(bytes).toUpperCase())).toEqual(bytes);
      }),
    );
  });

  test('each sequence of bytes has only one text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z2-7]{0,40}$/), (text) => {
        const bytes = fromBase32(text);
        if (bytes) expect(base32(bytes)).toBe(text);
      }),
    );
  });
});

describe('a token', () => {
  test('names its account, record and recipient in a reply address and a Message-ID, in any case', async () => {
    await fc.assert(
      fc.asyncProperty(accounts, threadsWithNumbers, addresses, numbers, async (of, thread, to, mailId) => {
        const token = { kind: 'thread', account: of, thread, recipientHash: hashOfAddress(to) };
        expect(token.recipientHash).toMatch(/^[0-9a-f]{20}$/);
        const reply = await replyAddress(of, thread, to);
        expect(localOf(reply).length).toBeLessThanOrEqual(64);
        expect(await readToken(reply)).toEqual(token);
        expect(await readToken(reply.toUpperCase())).toEqual(token);
        const messageId = await newMessageId(of, thread, to.toUpperCase(), mailId);
        expect(await readToken(messageId)).toEqual({ ...token, mailId });
        expect(await readToken(messageId.toUpperCase())).toEqual({ ...token, mailId });
      }),
    );
  });

  test('with one changed bit is invalid', async () => {
    const reply = await replyAddress(account, ticket, ada);
    const bytes = bytesIn(reply);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await readToken(withToken(reply, changed)), String(bit)).toBeUndefined();
    }
  });

  test('with one changed, added or missing character is invalid', async () => {
    const reply = await replyAddress(account, ticket, ada);
    const [local, domain] = [localOf(reply), domainOf(reply)];
    for (let at = 3; at < local.length; at++) {
      const replaced = local[at] === 'a' ? 'b' : 'a';
      for (const part of [replaced, '', `${local[at]}a`]) {
        const changed = `${local.slice(0, at)}${part}${local.slice(at + 1)}${domain}`;
        expect(await readToken(changed), changed).toBeUndefined();
      }
    }
  });

  test('of another account, record or recipient does not become valid by exchanging these parts', async () => {
    const mine = bytesIn(await replyAddress(account, ticket, ada));
    const theirs = bytesIn(await replyAddress(other, { ...ticket, recordId: '7' }, 'eve@example.com'));
    const reply = await replyAddress(account, ticket, ada);
    for (const [from, to] of [
      [2, 10],
      [10, 17],
      [17, 27],
    ] as const) {
      const mixed = Uint8Array.from(mine);
      mixed.set(theirs.subarray(from, to), from);
      expect(await readToken(withToken(reply, mixed))).toBeUndefined();
    }
  });

  test('of a reply address is no Message-ID, and the reverse', async () => {
    const reply = await replyAddress(account, ticket, ada);
    const messageId = await newMessageId(account, ticket, ada, 7);
    const [token] = messageId.slice(1).split('.');
    expect(await readToken(`<${localOf(reply).slice(3)}.7${domainOf(reply)}>`)).toBeUndefined();
    expect(await readToken(`re-${token}${domainOf(reply)}`)).toBeUndefined();
    expect(await readToken(`in-${token}${domainOf(reply)}`)).toBeUndefined();
  });

  test('at another domain or of another stage is invalid', async () => {
    const reply = await replyAddress(account, ticket, ada);
    expect(await readToken(`${localOf(reply)}@example.com`)).toBeUndefined();
    vi.stubEnv('STAGE', 'dev');
    expect(await readToken(reply)).toBeUndefined();
  });

  test('is invalid in a stage without a domain for mail, which creates none', async () => {
    const reply = await replyAddress(account, ticket, ada);
    vi.stubEnv('MAIL_DOMAIN', undefined);
    expect(await readToken(reply)).toBeUndefined();
    await expect(replyAddress(account, ticket, ada)).rejects.toMatchObject({ code: 'mail_unavailable' });
    await expect(newMessageId(account, ticket, ada, 1)).rejects.toMatchObject({ code: 'mail_unavailable' });
    expect(() => inboundAddress(account, 1, 'a'.repeat(16))).toThrow(/no domain for mail/);
  });

  test('no other text is a token', async () => {
    const domain = domainOf(await replyAddress(account, ticket, ada));
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        for (const local of [text, `re-${text}`, `${text}.1`])
          for (const full of [local, `${local}${domain}`, `<${local}${domain}>`])
            expect(await readToken(full)).toBeUndefined();
      }),
    );
  });
});

describe('after a rotation of the key', () => {
  const rotated = {
    kids: ['2', '1'],
    1: JSON.parse(secretText)['1'],
    2: 'another secret that only tests ever use',
  };
  /** Moves the clock, so that the keyring is read again. */
  const store = (secret: object) => {
    writeFileSync(secretFile, JSON.stringify(secret));
    vi.setSystemTime(Date.now() + 6 * 60_000);
  };

  test('older tokens remain valid until their key is removed, and new tokens have the new key', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const old = await replyAddress(account, ticket, ada);
      store(rotated);
      const current = await replyAddress(account, ticket, ada);
      expect(current).not.toBe(old);
      expect(await readToken(old)).toEqual(await readToken(current));
      expect(await readToken(old)).toBeDefined();
      const { 1: _, ...removed } = { ...rotated, kids: ['2'] };
      store(removed);
      expect(await readToken(old)).toBeUndefined();
      expect(await readToken(current)).toBeDefined();
      store(JSON.parse(secretText));
      expect(await readToken(old)).toBeDefined();
      expect(await readToken(current)).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('an application', () => {
  test('with a generated id is in the token itself', async () => {
    const thread: ThreadOf = { recordType: 'application', recordId: 'app_65YB3N0G2M1' };
    expect(await readToken(await replyAddress(account, thread, ada))).toMatchObject({ thread });
  });

  test('whose id a client chose is found by its stored digest, only in its own account', async () => {
    const thread: ThreadOf = { recordType: 'application', recordId: `chosen-${'x'.repeat(57)}` };
    const reply = await replyAddress(account, thread, ada);
    expect(localOf(reply).length).toBeLessThanOrEqual(64);
    expect(await readToken(reply)).toBeUndefined();
    await transact(threads.put(undefined, newThread(other, thread, 'Hello')), Date.now() + 10_000);
    expect(await readToken(reply)).toBeUndefined();
    await transact(threads.put(undefined, newThread(account, thread, 'Hello')), Date.now() + 10_000);
    expect(await readToken(reply)).toMatchObject({ account, thread });
  });
});

test('an inbound address contains its account, id and secret, and has at most 64 characters before the @', async () => {
  await fc.assert(
    fc.asyncProperty(
      accounts,
      numbers,
      fc.uint8Array({ minLength: inboundSecretLength, maxLength: inboundSecretLength }),
      async (of, addressId, bytes) => {
        const secret = base32(bytes);
        const address = inboundAddress(of, addressId, secret);
        expect(localOf(address).length).toBeLessThanOrEqual(64);
        for (const text of [address, address.toUpperCase()])
          expect(await readToken(text)).toEqual({ kind: 'inbound', account: of, addressId, secret });
      },
    ),
  );
});

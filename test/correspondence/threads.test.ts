import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  maxParticipants,
  mostMessageIds,
  newThread,
  type ThreadOf,
  withMessage,
  withoutMessage,
  withParticipant,
} from '../../shared/correspondence/threads/schema.ts';
import { threads } from '../../shared/correspondence/threads/store.ts';
import { type ThreadRecord, takesPart } from '../../shared/correspondence/threads/thread-record.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { transact, VersionConflict } from '../../shared/table/transact.ts';

const account = 'acc_0123456789abcdef' as AccountId;
const deadline = () => Date.now() + 10_000;
const at = '2026-03-01T09:30:00.000Z';
const thread = newThread(account, { recordType: 'ticket', recordId: '7' }, 'The terminal does not print');
const admitted = { address: 'Ben@Example.com', since: at, by: 'grace@example.com' };

describe('a thread', () => {
  test('keeps every Message-ID once, up to its first one and the 99 newest ones', () => {
    const most = mostMessageIds;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 * most }), { maxLength: 3 * most }), (numbers) => {
        const ids = numbers.map((n) => `<${n}@example.com>`);
        const { messageIds } = ids.reduce(withMessage, thread);
        const known = new Set(ids);
        expect(new Set(messageIds).size).toBe(messageIds.length);
        expect(messageIds).toHaveLength(Math.min(known.size, most));
        expect(messageIds.at(-1)).toBe(ids.at(-1));
        for (const id of messageIds) expect(known).toContain(id);
      }),
    );
    const many = Array.from({ length: most + 30 }, (_, n) => `<${n}@example.com>`).reduce(
      withMessage,
      thread,
    );
    expect(many.messageIds).toHaveLength(most);
    expect([many.messageIds[0], many.messageIds[1]]).toEqual(['<0@example.com>', '<31@example.com>']);
    expect(withoutMessage(many, `<${most + 29}@example.com>`).messageIds.at(-1)).toBe(
      `<${most + 28}@example.com>`,
    );
  });

  test('admits a person once, in any case, and at most 50 persons', () => {
    const one = withParticipant(thread, admitted);
    expect(one.participants).toEqual([{ ...admitted, address: 'ben@example.com' }]);
    expect(withParticipant(one, { ...admitted, address: 'BEN@example.com' })).toBe(one);
    const full = Array.from({ length: maxParticipants + 5 }, (_, n) => n).reduce(
      (before, n) => withParticipant(before, { ...admitted, address: `p${n}@example.com` }),
      thread,
    );
    expect(full.participants).toHaveLength(maxParticipants);
  });

  test('is written only if it has not changed since it was read', async () => {
    const of: ThreadOf = { recordType: 'lead', recordId: '8' };
    const first = newThread(account, of, 'Hello');
    await transact(threads.put(undefined, first), deadline());
    await expect(transact(threads.put(undefined, first), deadline())).rejects.toThrow(VersionConflict);
    const read = await threads.find(account, of);
    expect(read).toMatchObject({ ...first, version: 1 });
    if (!read) return;
    await transact(threads.put(read, withMessage(read, '<1@example.com>')), deadline());
    await expect(
      transact(threads.put(read, withMessage(read, '<2@example.com>')), deadline()),
    ).rejects.toThrow(VersionConflict);
    expect(await threads.find(account, of)).toMatchObject({ version: 2, messageIds: ['<1@example.com>'] });
    expect(await threads.find('acc_0123456789abcde0' as AccountId, of)).toBeUndefined();
    expect(threads.put(read, read)).toEqual([]);
  });
});

test('the customer of a record and admitted persons take part, and nobody else', () => {
  const records = {
    ticket: { recordType: 'ticket', record: { id: 7, requesterEmail: 'Ada@Example.com' } },
    lead: { recordType: 'lead', record: { id: 7, email: ' ada@example.com ' } },
    application: { recordType: 'application', record: { id: 'a', basics: { dbaEmail: 'ADA@example.com' } } },
    empty: { recordType: 'lead', record: { id: 7, email: '' } },
    silent: { recordType: 'application', record: { id: 'a' } },
  } as unknown as Record<string, ThreadRecord>;
  const { empty, silent, ...known } = records;
  for (const of of Object.values(known)) {
    expect(takesPart(of, undefined, 'ada@EXAMPLE.com')).toBe(true);
    expect(takesPart(of, thread, 'ben@example.com')).toBe(false);
    expect(takesPart(of, withParticipant(thread, admitted), 'ben@example.com')).toBe(true);
    expect(takesPart(of, thread, '')).toBe(false);
  }
  for (const of of [empty, silent])
    if (of) {
      expect(takesPart(of, thread, '')).toBe(false);
      expect(takesPart(of, thread, 'ada@example.com')).toBe(false);
    }
});

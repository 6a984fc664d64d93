import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideMail,
  failsAuthentication,
  isAuthenticated,
  type MailFacts,
} from '../../shared/correspondence/incoming/decide-mail.ts';
import { verdictValues } from '../../shared/correspondence/incoming/read-notification.ts';

const allPass = { spf: 'PASS', dkim: 'PASS', dmarc: 'PASS', spam: 'PASS', virus: 'PASS' } as const;
const facts = (more: Partial<MailFacts> = {}): MailFacts => ({
  isReport: false,
  isAccountOpen: true,
  threads: [],
  verdicts: allPass,
  hasOneSender: true,
  isAutomatic: false,
  isBulk: false,
  hasAddress: true,
  isReadable: true,
  ...more,
});
const own = { by: 'address', senderTakesPart: true } as const;
const foreign = { by: 'address', senderTakesPart: false } as const;
const referenced = { by: 'reference', senderTakesPart: true } as const;
const limits = { sender: true, newRecords: true, account: true };

describe('the first rule that applies decides', () => {
  test.each([
    ['a report', { isReport: true, threads: [own], isBulk: true }, 'report', 'delivery_report'],
    ['a closed account', { isAccountOpen: false, threads: [own] }, 'quarantine', 'account_closed'],
    ['a reply address, own sender', { threads: [own], isBulk: true }, 'append', 'reply_address'],
    ['a reply address, other sender', { threads: [foreign, referenced] }, 'hold', 'other_sender'],
    ['two senders', { threads: [own], hasOneSender: false }, 'hold', 'other_sender'],
    [
      'a reply address, forged sender',
      { threads: [own], verdicts: { ...allPass, dmarc: 'FAIL' as const, dmarcPolicy: 'reject' as const } },
      'hold',
      'unauthenticated',
    ],
    ['a reference', { threads: [referenced], hasAddress: false }, 'append', 'thread_reference'],
    [
      'a reference of another sender',
      { threads: [{ ...referenced, senderTakesPart: false }] },
      'hold',
      'other_sender',
    ],
    ['a deleted record', { hasAddress: false }, 'quarantine', 'missing_record'],
    ['more than 30 MB', { isReadable: false }, 'quarantine', 'unreadable'],
    ['a virus', { verdicts: { ...allPass, virus: 'FAIL' as const } }, 'quarantine', 'virus'],
    ['spam', { verdicts: { ...allPass, spam: 'FAIL' as const } }, 'quarantine', 'spam'],
    ['bulk mail', { isBulk: true, isAutomatic: true }, 'quarantine', 'bulk'],
    ['automatic mail', { isAutomatic: true }, 'quarantine', 'automatic'],
    ['a sender above the limit', { limits: { ...limits, sender: false } }, 'quarantine', 'sender_limit'],
    [
      'an unknown sender above the limit',
      { limits: { ...limits, newRecords: false } },
      'quarantine',
      'new_record_limit',
    ],
    ['an account above the limit', { limits: { ...limits, account: false } }, 'quarantine', 'account_limit'],
    ['a new mail', { limits }, 'open', 'new_record'],
    [
      'a reply of a sender above the limit',
      { threads: [own], limits: { ...limits, sender: false } },
      'quarantine',
      'sender_limit',
    ],
    [
      'a held mail of a sender above the limit',
      { threads: [foreign], limits: { ...limits, sender: false } },
      'quarantine',
      'sender_limit',
    ],
    [
      'a held mail of an account above the limit',
      { threads: [foreign], limits: { ...limits, account: false } },
      'quarantine',
      'account_limit',
    ],
    [
      'a reply in an account above the limit',
      { threads: [own], limits: { ...limits, account: false } },
      'append',
      'reply_address',
    ],
  ] as const)('%s', (_, more, action, code) => {
    expect(decideMail(facts(more))).toMatchObject({ action, why: { code } });
  });
});

test.each(
  verdictValues.flatMap((dmarc) =>
    ([undefined, 'none', 'quarantine', 'reject'] as const).map(
      (dmarcPolicy) => [dmarc, dmarcPolicy] as const,
    ),
  ),
)('DMARC %s with the policy %s', (dmarc, dmarcPolicy) => {
  const verdicts = { ...allPass, dmarc, ...(dmarcPolicy && { dmarcPolicy }) };
  const fails = dmarc === 'FAIL' && (dmarcPolicy === 'quarantine' || dmarcPolicy === 'reject');
  expect(decideMail(facts({ verdicts })).action).toBe(fails ? 'quarantine' : 'open');
  const sender = { sender: 'ada@example.com', envelopeSender: 'bounce@example.com' };
  expect(isAuthenticated(verdicts, sender)).toBe(dmarc === 'PASS' || dmarc === 'GRAY');
  expect(isAuthenticated(verdicts, { ...sender, envelopeSender: 'x@other.test' })).toBe(dmarc === 'PASS');
});

test('only a thread with a valid MAC adds a mail to a record, and only for a sender who takes part', () => {
  const verdict = fc.constantFrom(...verdictValues);
  const anyFacts = fc.record({
    isReport: fc.boolean(),
    isAccountOpen: fc.boolean(),
    threads: fc.array(
      fc.record({ by: fc.constantFrom('address', 'reference'), senderTakesPart: fc.boolean() }),
    ),
    verdicts: fc.record({
      spf: verdict,
      dkim: verdict,
      dmarc: verdict,
      dmarcPolicy: fc.constantFrom('none', 'quarantine', 'reject'),
      spam: verdict,
      virus: verdict,
    }),
    hasOneSender: fc.boolean(),
    isAutomatic: fc.boolean(),
    isBulk: fc.boolean(),
    hasAddress: fc.boolean(),
    isReadable: fc.boolean(),
    limits: fc.record({ sender: fc.boolean(), newRecords: fc.boolean(), account: fc.boolean() }),
  });
  fc.assert(
    fc.property(anyFacts as fc.Arbitrary<MailFacts>, (one) => {
      const decision = decideMail(one);
      if (decision.action === 'append') {
        expect(one.threads[decision.thread]?.senderTakesPart && one.hasOneSender).toBe(true);
        expect(failsAuthentication(one.verdicts)).toBe(false);
        expect(one.limits?.sender).not.toBe(false);
      }
      if (decision.action === 'open') {
        expect(one.threads).toEqual([]);
        expect([one.isReport, one.isAutomatic, one.isBulk]).toEqual([false, false, false]);
        expect([one.hasOneSender, one.hasAddress, one.isAccountOpen]).toEqual([true, true, true]);
        expect(Object.values(one.limits ?? {})).not.toContain(false);
      }
      if (one.isReport) expect(decision.action).toBe('report');
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountId } from '../../shared/id/account-id.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { entryNameOf, indexItemKey, listPositionOf, readEntry } from '../../shared/table/index-items.ts';
import { codePoint } from '../harness/code-point.ts';

test('for any texts, a record has at most 120 entries with valid keys, from which the entries can be read', () => {
  const text = fc.oneof(fc.string({ unit: codePoint, maxLength: 300 }), fc.lorem({ maxCount: 60 }));
  const fields = fc.record({
    ...{ firstName: text, lastName: text, company: text, notes: text, email: text, phone: text },
    ...{ currentPaymentProcessor: text, createdBy: text, source: text },
  });
  fc.assert(
    fc.property(fields, fc.maxSafeNat(), (lead, order) => {
      const names = [...leads.indexEntries({ pk: 'a', sk: 'RECORD', ...lead })];
      expect(names.length).toBeLessThanOrEqual(120);
      for (const name of names) {
        const account = 'acc_1' as AccountId;
        const key = indexItemKey({ account, noun: 'LEAD', id: order, order }, readEntry(name));
        expect(key.sk).toMatch(/^[!-~]+( [01])? \d{16}$|^ \d{16}$/);
        expect(Buffer.byteLength(key.sk)).toBeLessThanOrEqual(1024);
        expect(Buffer.byteLength(key.pk)).toBeLessThanOrEqual(2048);
        expect([entryNameOf(key), Number(listPositionOf(key))]).toEqual([name, order]);
      }
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asAccountId } from '../../shared/id/account-id.ts';
import {
  blindBankAccount,
  blindSsn,
  blindTaxId,
} from '../../shared/sales/duplicate-detection/blind-values.ts';
import { type BlindValue, indexRowWrites } from '../../shared/sales/duplicate-detection/index-rows.ts';
import { isCounterDelta } from '../../shared/table/operations.ts';

const keys = { blind: (kind: string, normalised: string) => `${kind}/${normalised}` };

test('numbers are compared without punctuation, and invalid numbers are not compared', () => {
  expect(blindSsn(keys, '123-45-6789')).toBe(blindSsn(keys, ' 123 45 6789'));
  expect(blindTaxId(keys, '12-3456789')).toBe('tax_id/123456789');
  expect(blindSsn(keys, '123-45-678')).toBeUndefined();
  expect(blindTaxId(keys, 'applied for')).toBeUndefined();
  expect(blindBankAccount(keys, '0110-00015', '000 123-a')).toBe('bank_account/011000015:000123A');
  expect(blindBankAccount(keys, undefined, '000123')).toBeUndefined();
  expect(blindBankAccount(keys, '011000015', '--')).toBeUndefined();
});

test('after any changes, the rows match the last state, and unchanged values are not written again', () => {
  const value: fc.Arbitrary<BlindValue> = fc.record({
    kind: fc.constantFrom('ssn', 'tax_id', 'bank_account'),
    blind: fc.constantFrom('a', 'b', 'c'),
    field: fc.constantFrom('one', 'two', 'three'),
  });
  const state = fc.uniqueArray(value, { selector: ({ kind, field }) => `${kind} ${field}`, maxLength: 6 });
  const holder = { account: asAccountId('acme') ?? expect.fail(), type: 'application', id: 'app_1' } as const;
  fc.assert(
    fc.property(fc.array(state, { minLength: 1, maxLength: 5 }), (states) => {
      const rows = new Map<string, unknown>();
      let before: BlindValue[] = [];
      for (const after of states) {
        const writes = indexRowWrites(holder, before, after);
        expect(indexRowWrites(holder, after, [...after].reverse())).toEqual([]);
        for (const write of writes) {
          if (isCounterDelta(write)) expect.fail();
          const { operation } = write;
          if ('Put' in operation) rows.set(nameOf(operation.Put.Item ?? {}), operation.Put.Item);
          else if ('Delete' in operation) expect(rows.delete(nameOf(operation.Delete.Key ?? {}))).toBe(true);
        }
        expect([...rows.values()]).toHaveLength(after.length);
        before = after;
      }
      expect([...rows.values()]).toEqual(
        expect.arrayContaining(
          before.map(({ kind, blind, field }) =>
            expect.objectContaining({
              pk: `ACCOUNT#acme#COLLISION#${kind}#${blind}`,
              kind,
              field,
              holder: { type: 'application', id: 'app_1' },
            }),
          ),
        ),
      );
    }),
  );
});

const nameOf = ({ pk, sk }: { pk?: unknown; sk?: unknown }) => `${pk} ${sk}`;

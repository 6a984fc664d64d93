import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventKey } from '../../shared/events/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { auditKey, listKey, recordKey } from '../../shared/table/keys.ts';

const acme = 'acme' as AccountId;

test('ids sort as text like numbers, up to the largest', () => {
  const texts: ((id: number) => string)[] = [
    (id) => eventKey(acme, id).sk,
    (id) => listKey(acme, 'LEAD', id).listSk,
    (id) => recordKey(acme, 'LEAD', id).pk,
    (id) => auditKey(acme, 'LEAD', 1, id).sk,
  ];
  const id = fc.oneof(
    fc.maxSafeNat(),
    fc.constantFrom(0, 999_999_999_999_999, 1_000_000_000_000_000, Number.MAX_SAFE_INTEGER),
  );
  fc.assert(
    fc.property(id, id, (one, other) => {
      for (const textOf of texts) expect(textOf(one) < textOf(other)).toBe(one < other);
    }),
  );
});

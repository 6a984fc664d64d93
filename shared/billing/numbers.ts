import type { AccountId } from '../id/account-id.ts';
import { putIfAbsent, setIfEquals, type Write } from '../table/operations.ts';
import { getItem, getItems } from '../table/read.ts';
import { invoiceNumberKey, invoiceNumbersKey } from './keys.ts';
import { invoiceNumberOf } from './read-number.ts';

/** Returns the count of the numbers that the account has taken. */
export const takenNumbers = async (account: AccountId): Promise<number> =>
  Number((await getItem(invoiceNumbersKey(account)))?.count ?? 0);

/**
 * Returns the number after the `taken` numbers, and the writes that take it. They are part of the transaction that opens
 * the invoice, so that a failed or killed transaction takes no number. Of several concurrent transactions, one commits,
 * and the others must read the count again.
 */
export function nextInvoiceNumber(
  account: AccountId,
  taken: number,
  invoiceId: number,
): { number: string; writes: Write[] } {
  const count = taken + 1;
  const number = invoiceNumberOf(count);
  const key = invoiceNumbersKey(account);
  return {
    number,
    writes: [
      taken === 0
        ? putIfAbsent({ ...key, type: 'invoice-numbers', count })
        : setIfEquals(key, 'count', taken, count, 'conflict'),
      putIfAbsent({ ...invoiceNumberKey(account, number), type: 'invoice-number', invoiceId }),
    ],
  };
}

/** Returns the invoice ids by number. Unknown numbers are omitted. */
export async function idsOfInvoiceNumbers(
  account: AccountId,
  numbers: readonly string[],
): Promise<Map<string, number>> {
  const items = await getItems(numbers.map((number) => invoiceNumberKey(account, number)));
  return new Map(
    numbers.flatMap((number, index) => {
      const id = items[index]?.invoiceId;
      return typeof id === 'number' ? [[number, id] as const] : [];
    }),
  );
}

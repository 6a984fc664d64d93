import type { AccountId } from '../../id/account-id.ts';
import { idsOfInvoiceNumbers } from '../numbers.ts';
import type { Invoice } from '../schema.ts';
import { invoices } from '../store.ts';
import { idsNamed, isPayable, type Named, numbersIn, type Share } from './match-entry.ts';

/** A recorded payment that the bank reversed. */
export interface ReversedPayment {
  reference: string;
  shares: readonly Share[];
}

/** Reports whether a transaction takes back money that came in. */
const isReversedCredit = ({ amount, reverses, held }: Named): boolean =>
  amount < 0 && (reverses === true || held === 'reversal');

/**
 * Finds the recorded payments that the reversals among some transactions of a statement took back. A reversal names the
 * invoice, or it has the bank’s id and the amount of another transaction of the statement. `all` are its transactions.
 */
export async function findReversed(
  account: AccountId,
  entries: readonly Named[],
  all: readonly Named[],
): Promise<Map<Named, ReversedPayment>> {
  const reversals = entries.filter(isReversedCredit);
  if (reversals.length === 0) return new Map();
  const incoming = new Map<string, Named[]>();
  const nameOf = (bankReference: string, amount: number) => `${bankReference} ${amount}`;
  for (const entry of all.filter((one) => isPayable(one) && one.bankReference !== '')) {
    const name = nameOf(entry.bankReference, entry.amount);
    const same = incoming.get(name);
    if (same) same.push(entry);
    else incoming.set(name, [entry]);
  }
  const pairs = reversals.map((reversal) => ({
    reversal,
    originals: incoming.get(nameOf(reversal.bankReference, 0 - reversal.amount)) ?? [],
  }));
  const numbers = numbersIn(pairs.flatMap(({ reversal, originals }) => [reversal, ...originals]));
  const ids = await idsOfInvoiceNumbers(account, numbers);
  const sought = pairs.map(({ reversal, originals }) => {
    const wanted = new Set([reversal, ...originals].flatMap((one) => idsNamed(one, ids)));
    return { reversal, originals, wanted };
  });
  const found = await invoices.findMany(account, [...new Set(sought.flatMap(({ wanted }) => [...wanted]))]);
  const byId = new Map(found.map((invoice) => [invoice.id, invoice] as const));
  return new Map(
    sought.flatMap(({ reversal, originals, wanted }): [Named, ReversedPayment][] => {
      const candidates = [...wanted].flatMap((id) => byId.get(id) ?? []);
      const references = originals.map(({ reference }) => reference);
      const payment = reversedPayment(reversal, candidates, references);
      return payment ? [[reversal, payment]] : [];
    }),
  );
}

/**
 * Returns the payment of exactly the amount, not after the reversal, of one or several of the invoices. `references` take
 * precedence. Returns undefined if several payments are possible.
 */
function reversedPayment(
  reversal: Named,
  candidates: readonly Invoice[],
  references: readonly string[],
): ReversedPayment | undefined {
  const payments = new Map<string, Share[]>();
  for (const invoice of candidates)
    for (const { result, reference, amount, paidOn } of invoice.payments)
      if (result === 'received' && (paidOn === undefined || paidOn <= reversal.day))
        payments.set(reference, [...(payments.get(reference) ?? []), { invoice, amount }]);
  const possible = [...payments]
    .map(([reference, shares]) => ({ reference, shares }))
    .filter(({ shares }) => shares.reduce((sum, { amount }) => sum + amount, reversal.amount) === 0);
  const named = possible.filter(({ reference }) => references.includes(reference));
  const [found, ...others] = named.length > 0 ? named : possible;
  return others.length === 0 ? found : undefined;
}

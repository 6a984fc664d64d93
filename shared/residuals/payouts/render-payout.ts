import { decimalOf } from '../../billing/currencies.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import { writeNachaFile } from '../nacha/write-nacha-file.ts';
import { decryptPaymentNumber, type StoredPayment, type StoredPayout, sha256Of } from './store.ts';
import { writePayoutCsv } from './write-payout-csv.ts';

/** The parts of a payout that determine its file. */
type RenderedPayout = Pick<StoredPayout, 'nacha' | 'effectiveDate' | 'currency'> & {
  entries: readonly StoredPayment[];
};

/** Returns the file of a payout. `numberOf` returns the account number of a payment. Equal payouts give equal bytes. */
export function renderPayout(payout: RenderedPayout, numberOf: (n: number) => string): string {
  const { nacha, entries, effectiveDate, currency } = payout;
  if (!nacha)
    return writePayoutCsv(
      entries.map((entry) => ({
        ...{ entry: String(entry.n), month: entry.month, statement: String(entry.statementId) },
        ...{ name: entry.holderName, holder_type: entry.holderType, routing_number: entry.routingNumber },
        ...{ account_number: numberOf(entry.n), account_type: entry.accountType },
        ...{ amount: decimalOf(entry.amount, currency), currency, effective_date: effectiveDate },
      })),
    );
  const { addenda, ...facts } = nacha;
  return writeNachaFile({
    ...facts,
    effectiveDate,
    entries: entries.map((entry) => ({
      ...{ holderType: entry.holderType, holderName: entry.holderName, accountType: entry.accountType },
      ...{ routingNumber: entry.routingNumber, accountNumber: numberOf(entry.n), amount: entry.amount },
      // The field has 15 characters, and ids have 16 digits from 2032 on.
      reference: String(entry.statementId).slice(-15),
      trace: entry.trace ?? '',
      ...(addenda && { memo: `RESIDUALS ${entry.month} STATEMENT ${entry.statementId}` }),
    })),
  });
}

/** Decrypts the account numbers and returns the file. Throws if it differs from the file at the creation (a defect). */
export async function readPayoutFile(payout: StoredPayout, keys: DataKeys): Promise<string> {
  const numbers = new Map(
    await Promise.all(
      payout.entries.map(
        async (entry) => [entry.n, await decryptPaymentNumber(keys, payout, entry)] as const,
      ),
    ),
  );
  const content = renderPayout(payout, (n) => numbers.get(n) ?? '');
  if (sha256Of(content) !== payout.sha256)
    throw new Error(`The file of the payout ${payout.id} has changed.`);
  return content;
}

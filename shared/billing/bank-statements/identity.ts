import { createHash } from 'node:crypto';
import type { BankEntry } from './statement.ts';

/** The letters and digits of a text, sorted, because exports differ in the order of columns and in line breaks. */
const lettersOf = (text: string): string =>
  (
    text
      .normalize('NFKC')
      .toUpperCase()
      .match(/[\p{L}\p{N}]/gu) ?? []
  )
    .sort()
    .join('');

/** The letters in place of hexadecimal digits. A reference of letters is never taken for the number of a card. */
const inLetters = (hex: string): string =>
  hex.replace(/\d/g, (digit) => String.fromCharCode('g'.charCodeAt(0) + Number(digit)));

/** Returns an account as it is compared: `DE89 3704…` and `de893704…` are the same. */
const accountKey = (account: string): string => account.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();

/**
 * Returns the references of the payments of a statement, in the order of its entries. A reference is a hash of account,
 * day, amount, text and the bank’s own id, so that it does not depend on the way in which the file is written. Equal
 * transactions are counted, because two of them can be two payments.
 */
export function referencesOf(entries: readonly (BankEntry & { account: string })[]): string[] {
  const seen = new Map<string, number>();
  return entries.map(({ account, day, amount, currency, description, bankReference }) => {
    const identity = JSON.stringify([
      ...[accountKey(account), day, amount, currency],
      ...[lettersOf(description), lettersOf(bankReference)],
    ]);
    const occurrence = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, occurrence);
    const hash = createHash('sha256').update(`${occurrence} ${identity}`).digest('hex').slice(0, 40);
    return `bank:${inLetters(hash)}`;
  });
}

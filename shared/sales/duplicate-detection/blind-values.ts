/** The kinds of values by which records of an account are found that have one in common. */
export type BlindKind = 'ssn' | 'tax_id' | 'bank_account';

/** Keyed hashes; DataKeys are one. */
interface Blinding {
  blind(kind: BlindKind, normalised: string): string;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** Nine digits, however they were written; a text that has not so many is not compared. */
const nineDigits = (text: string): string | undefined => {
  const digits = digitsOf(text);
  return digits.length === 9 ? digits : undefined;
};

/** The keyed hash of a social security number, however it was written; undefined for a text that is none. */
export const blindSsn = (keys: Blinding, ssn: string): string | undefined =>
  blindIf(keys, 'ssn', nineDigits(ssn));

/** The keyed hash of a tax id, however it was written; undefined for a text that is none. */
export const blindTaxId = (keys: Blinding, taxId: string): string | undefined =>
  blindIf(keys, 'tax_id', nineDigits(taxId));

/** The keyed hash of an account at a bank; undefined without a routing number of nine digits, which names the bank. */
export function blindBankAccount(
  keys: Blinding,
  routing: string | undefined,
  account: string,
): string | undefined {
  const bank = nineDigits(routing ?? '');
  const number = account.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
  return blindIf(keys, 'bank_account', bank && number ? `${bank}:${number}` : undefined);
}

const blindIf = (keys: Blinding, kind: BlindKind, normalised: string | undefined): string | undefined =>
  normalised === undefined ? undefined : keys.blind(kind, normalised);

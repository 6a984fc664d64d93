/** The kinds of values that are compared to find duplicates. */
export type BlindKind = 'ssn' | 'tax_id' | 'bank_account';

/** Computes keyed hashes. Implemented by DataKeys. */
interface Blinding {
  blind(kind: BlindKind, normalised: string): string;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** Returns the nine digits in a text, or undefined if the text has more or fewer digits. */
const nineDigits = (text: string): string | undefined => {
  const digits = digitsOf(text);
  return digits.length === 9 ? digits : undefined;
};

/** Returns the keyed hash of an SSN in any notation, or undefined if the text does not have nine digits. */
export const blindSsn = (keys: Blinding, ssn: string): string | undefined =>
  blindIf(keys, 'ssn', nineDigits(ssn));

/** Returns the keyed hash of a tax id in any notation, or undefined if the text does not have nine digits. */
export const blindTaxId = (keys: Blinding, taxId: string): string | undefined =>
  blindIf(keys, 'tax_id', nineDigits(taxId));

/** Returns the keyed hash of a bank account, or undefined if the routing number does not have nine digits. */
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

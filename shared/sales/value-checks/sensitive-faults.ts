const nineDigits = (text: string): string | undefined => {
  const digits = text.replaceAll(/[\s-]/g, '');
  return /^\d{9}$/.test(digits) ? digits : undefined;
};

/**
 * Pairs of digits with which no employer identification number starts. Source: IRS, "How EINs are assigned and valid EIN
 * prefixes".
 */
const unassignedPrefixes = new Set('00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97'.split(' '));

/** Checks the group (fourth and fifth digits) of an individual taxpayer number. These numbers start with 9. */
const isTaxpayerGroup = (group: number): boolean =>
  (group >= 50 && group <= 65) ||
  (group >= 70 && group <= 88) ||
  (group >= 90 && group <= 92) ||
  (group >= 94 && group <= 99);

/**
 * Social security numbers that were published and therefore belong to nobody: in a wallet of 1938 and in a brochure of
 * 1940 (Social Security Administration, "Social Security Cards Issued by Woolworth"), and the digits in sequence. Numbers
 * with nine equal digits are also placeholders.
 */
const publishedNumbers = new Set(['078051120', '219099999', '123456789']);

/** The Social Security Administration reserves 987-65-4320 to 987-65-4329 for advertisements. */
const isPlaceholder = (digits: string): boolean =>
  publishedNumbers.has(digits) || /^(\d)\1{8}$/.test(digits) || digits.startsWith('98765432');

/**
 * Reports whether nine digits can be a social security number or an individual taxpayer number. The areas 000 and 666,
 * the group 00 and the serial number 0000 are never issued. Source: Social Security Administration, "Social Security
 * Number Randomization".
 */
function isSsnOrItin(digits: string): boolean {
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)];
  if (area.startsWith('9')) return isTaxpayerGroup(Number(group));
  return area !== '000' && area !== '666' && group !== '00' && serial !== '0000';
}

/** Parses `1985-12-10` or `12/10/1985`. Returns undefined if the text is not a calendar day. */
export function dayOf(text: string): { year: number; month: number; day: number } | undefined {
  const trimmed = text.trim();
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(trimmed);
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(trimmed);
  const parts = iso ? iso.slice(1) : american ? [american[3], american[1], american[2]] : [];
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = parts.map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? { year, month, day }
    : undefined;
}

/** Returns the age at `now` in full years, in UTC. */
function ageOf({ year, month, day }: { year: number; month: number; day: number }, now: Date): number {
  const birthday = (now.getUTCMonth() + 1 - month || now.getUTCDate() - day) >= 0;
  return now.getUTCFullYear() - year - (birthday ? 0 : 1);
}

function faultsOfBirthDate(text: string, now: Date): string[] {
  const day = dayOf(text);
  if (!day) return ['birth_date_real'];
  const age = ageOf(day, now);
  return age >= 18 && age <= 120 ? [] : ['birth_date_age'];
}

/** Checks a tax id both as EIN and as SSN. The warning rules use the result that fits `tinType` and `dbaStruct`. */
function faultsOfTaxId(text: string): string[] {
  const digits = nineDigits(text);
  if (!digits) return ['tax_id_digits'];
  return [
    ...(unassignedPrefixes.has(digits.slice(0, 2)) ? ['tax_id_ein_prefix'] : []),
    ...(isSsnOrItin(digits) ? [] : ['tax_id_ssn_never_issued']),
    ...(isSsnOrItin(digits) && isPlaceholder(digits) ? ['tax_id_ssn_placeholder'] : []),
  ];
}

function faultsOfSsn(text: string): string[] {
  const digits = nineDigits(text);
  if (!digits) return ['ssn_digits'];
  if (!isSsnOrItin(digits)) return ['ssn_never_issued'];
  return isPlaceholder(digits) ? ['ssn_placeholder'] : [];
}

/**
 * Checks of the values that are stored encrypted. Each check returns the ids of the warning rules that a value breaks.
 * They are stored with the ciphertext, so that no value is decrypted to find warnings.
 */
export const sensitiveFaults = {
  taxId: faultsOfTaxId,
  ssn: faultsOfSsn,
  birthDate: faultsOfBirthDate,
  bankAccount: (plain) => (/^\d{4,17}$/.test(plain.replaceAll(/[\s-]/g, '')) ? [] : ['bank_account_digits']),
  driversLicense: (plain) =>
    /^(?=.*\d)[a-z0-9]{4,20}$/i.test(plain.replaceAll(/[\s*-]/g, '')) ? [] : ['license_characters'],
} satisfies Record<string, (plain: string, now: Date) => string[]>;

import { hasLuhnCheckDigit } from '../formats.ts';
import { REDACTED } from '../security/merge-fields.ts';

/** Forms of sensitive values in free text. */
const forms: readonly RegExp[] = [
  // Session tokens and other JSON Web Tokens, and encrypted values.
  /\beyJ[\w-]{8,}(?:\.[\w-]*){2,4}/g,
  // Credentials of this service: API secrets, appKeys, and secrets of webhooks. The public ids of API keys remain.
  /\bmo_(?!key_)[a-z]+_[\w-]{8,}/g,
  /\bwhsec_[\w+/=-]{8,}/g,
  /\b(?:Bearer|Basic) +[\w+/=.~-]{8,}/gi,
  // An IBAN.
  /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?\b/g,
  // A number after a word for a bank account or a secret.
  /(?<=\b(?:account|acct|routing|aba|card|ssn|pin|cvv|cvc)\b[^\d\n]{0,20})\d[\d -]{2,18}\d/gi,
  /(?<=\b(?:password|passwort|secret|token|passphrase)\b *(?:is|:|=) *)\S+/gi,
];

/**
 * Generated ids, such as `acc_c4c2977f3ddfad78`, UUIDs and hashes. Their digits stay, even if nine of them are in a row.
 */
const ids =
  /\b(?:[a-z]+_)+[\da-z]{10,}(?:_[\da-z]+)?\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b[\da-f]{32,}\b/;

/** Social Security numbers, tax ids and routing numbers: nine digits, or with separators. */
const nineDigits =
  /(?<![\d-])\d{3}[-. ]\d{2}[-. ]\d{4}(?![\d-])|(?<![\d-])\d{2}-\d{7}(?![\d-])|(?<!\d)\d{9}(?!\d)/;
const idOrNineDigits = new RegExp(`${ids.source}|(${nineDigits.source})`, 'gi');

/** A run of digits with the length of a card number. Spaces and hyphens may separate the digits. */
const cardForm = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/** The first digits of the card numbers of large networks. Ids of records begin with other digits. */
const cardStart = /^(?:4|5[1-5]|2[2-7]\d{14}$|3[4-8]|6)/;

/** The query of a URL, which may contain a token or a signature, and the user name and password in a URL. */
const urlQuery = /(\bhttps?:\/\/[^\s?#"<>]*)[?#][^\s"<>]*/gi;
const urlUser = /(\bhttps?:\/\/)[^\s/@"<>]+@/gi;

/** Replaces the sensitive parts of a text with REDACTED: the texts in `known`, and parts with the form of such a value. */
export function cleanText(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const value of known)
    for (const spelling of spellingsOf(value)) clean = clean.replaceAll(spelling, REDACTED);
  clean = clean.replaceAll(urlUser, `$1${REDACTED}@`).replaceAll(urlQuery, `$1?${REDACTED}`);
  clean = clean.replaceAll(cardForm, (run) => (isCardNumber(run.replaceAll(/\D/g, '')) ? REDACTED : run));
  clean = clean.replaceAll(idOrNineDigits, (found, number) => (number === undefined ? found : REDACTED));
  return forms.reduce((so, form) => so.replaceAll(form, REDACTED), clean);
}

/** Reports whether a number is in `known`, has nine digits like a Social Security number, or is a card number. */
export function isSensitiveNumber(value: number, known: readonly string[] = []): boolean {
  const digits = String(value);
  return /^\d{9}$/.test(digits) || isCardNumber(digits) || known.flatMap(spellingsOf).includes(digits);
}

/** A value as it was sent, and without separators. */
const spellingsOf = (value: string): string[] => {
  const bare = value.replaceAll(/[\s.-]/g, '');
  return bare === value || bare.length < 4 ? [value] : [value, bare];
};

/** Reports whether digits are a card number: the network's first digits, the length, and the check digit. */
const isCardNumber = (digits: string): boolean =>
  digits.length >= 13 && digits.length <= 19 && cardStart.test(digits) && hasLuhnCheckDigit(digits);

/** Parts of names that make a field sensitive wherever they are in its name. */
const anywhere =
  /passw|secret|token|authorization|credential|cookie|socialsecurity|taxid|cvv|cvc|cardnumber|accountnumber|bankaccount|birth|driverslicen[cs]e/;

/** Words that make a name sensitive if they are its last word. Other words with the same letters are harmless. */
const lastWords: ReadonlySet<string> = new Set(
  (
    'aba acct auth ban bban bsn cav clabe clave cnp cpf csc curp cvd cvn dni dob ein geheim hmac iban ' +
    'itin jwt kennung mfa mnemonic nif nino otp pan parola pass passphrase pesel pin pincode psk pw pwd sin ' +
    'senha sig signature ssn tan tfa tin totp'
  ).split(' '),
);

/** The same parts at the end of a label. */
const atEnd = new RegExp(
  `(?:${anywhere.source.replace('passw', 'passw[a-z]*').replace('birth', 'birth(?:day|date)?')}|ssn)s?\\d*$`,
);

/** Ends of names, without their separators. */
const ends =
  /(?:(?:api|app|access|private|secret|encryption|signing|shared|master|ssh|pgp|auth|account|hmac|session|license|root|deploy|webhook|recovery)key|card(?:no|num|nr|data|holderdata)|(?:credit|debit|payment|bank)card|cc(?:no|num|number)|(?:acct|account|konto)(?:no|num|nr|nummer)|acctnumber|routing(?:no|num|nr|number)|sortcode|passport(?:no|num|nr|number|id)?|(?:licen[cs]e|dl|ausweis)(?:no|num|nr|number|nummer)|national(?:id|insurance|insurancenumber|number)|personalid|tax(?:no|num|nr|number|payerid|payernumber)|steuer(?:nummer|id)|security(?:code|answer|number)|secur(?:e|ity)word|maidenname|onetime(?:code|pin)|(?:verification|auth|access|recovery|backup|login|confirmation|unlock|door|pin)codes?|passcodes?|sessionid|connectionstring|seedphrase|recoveryphrase|magstripe|magneticstripe|track(?:data)?[12]?|cryptogram|pinblock|kennwort|losungswort|motdepasse|contrasena|wachtwoord|salasana|haslo|parole|pwd|ssn|dob)$/;

/** Words after a sensitive word that keep a name sensitive, as in `panNumber` and `otp_value`. */
const kindOfValue = /^(?:number|num|no|nr|code|value|hash|plain|text|raw|encrypted)$/;

/** Returns the words of a name in lower case: `cardNo`, `card_no`, `card-no` and `CARD NO` have the same words. */
function wordsOf(name: string): string[] {
  const plain = isAscii.test(name) ? name : name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain
    .replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z\d\u0080-\uffff]+/)
    .filter((word) => word !== '');
}
const isAscii = /^[\x20-\x7e]*$/;

/** Names with more characters are no names. Only their end is compared. */
const longestName = 64;
const mostRemembered = 2_000;

/** Reports whether a field with this name has a sensitive value, in any casing and with any separators. */
export const isSensitiveName = remembering((name) => {
  const words = wordsOf(name.slice(-longestName));
  return anywhere.test(words.join('')) || words.includes('ssn') || endsSensitive(words);
});

/**
 * Reports whether a label in a text names a sensitive value: `API key`, `my password`. Only the last three words are
 * compared, because other words of the sentence may precede them.
 */
export const isSensitiveLabel = remembering((label) => {
  const words = wordsOf(label).slice(-3);
  return atEnd.test(words.join('')) || endsSensitive(words);
});

/** Most names occur again, because a function serves few contracts. The results of earlier comparisons are kept. */
function remembering(isSensitive: (name: string) => boolean): (name: string) => boolean {
  const results = new Map<string, boolean>();
  return (name) => {
    const before = results.get(name);
    if (before !== undefined) return before;
    const result = isSensitive(name);
    if (results.size >= mostRemembered) results.clear();
    if (name.length <= longestName) results.set(name, result);
    return result;
  };
}

function endsSensitive(words: readonly string[]): boolean {
  const joined = words.join('').replace(/\d+$/, '');
  if (ends.test(joined)) return true;
  const last = words.at(-1)?.replace(/\d+$/, '') ?? '';
  if (lastWords.has(last)) return true;
  return kindOfValue.test(last) && lastWords.has(words.at(-2)?.replace(/\d+$/, '') ?? '');
}

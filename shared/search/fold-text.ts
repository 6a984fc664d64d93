/** Letters that Unicode does not decompose, with the letters by which people search them. */
const replacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  ſ: 's',
  ς: 'σ',
  ı: 'i',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};
const replaced = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g');

/** The combining accents of Latin, Greek and Cyrillic, the points of Hebrew, and the vowel signs of Arabic. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/**
 * Returns a text in the form in which texts are compared: without differences of case, accents, full-width forms and
 * composed or decomposed Unicode. `Straße` becomes `strasse`.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(accents, '')
    .replace(replaced, (letter) => replacements[letter] ?? letter);
}

/** Letters that are also written as two letters, as in `Mueller` and `Soerensen`. `foldText` omits their accents. */
const twoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const spelled = new RegExp(`[${Object.keys(twoLetters).join('')}]`, 'g');

/**
 * Returns the folded form of a text in which two letters replace `ä`, `ö`, `ü`, `ø` and `å`. `Müller` becomes `mueller`.
 * Undefined if the text has none of these letters.
 */
export function spellOut(text: string): string | undefined {
  if (isAscii(text)) return undefined;
  const composed = text.normalize('NFC').toLowerCase();
  const found = composed.replace(spelled, (letter) => twoLetters[letter] ?? letter);
  return found === composed ? undefined : foldText(found);
}

/** Returns the folded forms of a text: without accents, and with two letters in place of letters such as `ü`. */
export function spellingsOf(text: string): string[] {
  const other = spellOut(text);
  return other === undefined ? [foldText(text)] : [foldText(text), other];
}

/** Returns a folded text without surrounding spaces, and with one space for each sequence of spaces. */
export const foldWords = (text: string): string => withoutSpaces(foldText(text));

const withoutSpaces = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** Returns the forms in which filters compare a text. Two texts are equal if they have a form in common. */
export const comparedForms = (text: string): string[] => spellingsOf(text).map(withoutSpaces);

/** Reports whether filters treat two texts as equal. */
export const isSameText = (one: string, other: string): boolean =>
  comparedForms(one).some((form) => comparedForms(other).includes(form));

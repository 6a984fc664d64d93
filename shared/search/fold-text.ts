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

/** Returns a folded text without surrounding spaces, and with one space for each sequence of spaces. */
export const foldWords = (text: string): string => foldText(text).trim().replace(/\s+/g, ' ');

/** The basic characters of GSM 03.38 take one septet. Extension characters take two septets (3GPP TS 23.038, 6.2.1). */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extension = new Set('^{}\\[~]|€');
/** Replacements for common characters that GSM does not have. */
const replacements = new Map([
  ['’', "'"],
  ['‘', "'"],
  ['“', '"'],
  ['”', '"'],
  ['–', '-'],
  ['—', '-'],
  ['…', '...'],
  ['\t', ' '],
  ['`', "'"],
]);
/** The number of septets in one segment. */
const segment = 160;

/** Converts a text to GSM characters and cuts it to one segment, because each segment is charged. */
export function gsmText(text: string): string {
  let [kept, taken] = ['', 0];
  for (const character of text.normalize('NFC'))
    for (const one of gsmCharacters(character)) {
      taken += extension.has(one) ? 2 : 1;
      if (taken > segment) return kept;
      kept += one;
    }
  return kept;
}

/** Removes the accent of a letter that GSM does not have. Any other unknown character becomes a question mark. */
function gsmCharacters(character: string): string {
  if (basic.has(character) || extension.has(character)) return character;
  const plain = replacements.get(character) ?? character.normalize('NFD').replace(/\p{M}/gu, '');
  return [...plain].every((one) => basic.has(one)) ? plain : '?';
}

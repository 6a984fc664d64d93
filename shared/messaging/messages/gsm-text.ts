/** The basic characters of GSM 03.38, one septet each; those of its extension take two. 3GPP TS 23.038, 6.2.1. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extension = new Set('^{}\\[~]|€');
/** What people write and GSM does not have, by what reads the same. */
const alike = new Map([
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
/** The septets of one segment. */
const segment = 160;

/** A text in the characters that phones have everywhere, cut to one segment: a longer one costs twice. */
export function gsmText(text: string): string {
  let [kept, taken] = ['', 0];
  for (const character of text.normalize('NFC'))
    for (const one of spelled(character)) {
      taken += extension.has(one) ? 2 : 1;
      if (taken > segment) return kept;
      kept += one;
    }
  return kept;
}

/** A letter that GSM lacks loses its accent; what then still is none becomes a question mark. */
function spelled(character: string): string {
  if (basic.has(character) || extension.has(character)) return character;
  const plain = alike.get(character) ?? character.normalize('NFD').replace(/\p{M}/gu, '');
  return [...plain].every((one) => basic.has(one)) ? plain : '?';
}

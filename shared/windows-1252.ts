/** The characters of the bytes 0x80 to 0x9f in Windows-1252. Five bytes have none. */
const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Replaces control characters by the characters of Windows-1252 with the same number. Node 20 and some releases of Node 22
 * decode Windows-1252 as ISO-8859-1 (github.com/nodejs/node/issues/56542).
 */
export const withWindows1252 = (text: string): string =>
  text.replaceAll(/[\u0080-\u009f]/g, (one) => highCharacters[one.charCodeAt(0) - 0x80] ?? one);

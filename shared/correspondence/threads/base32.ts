/** The alphabet of RFC 4648, section 6, in lower case: mail programs may change the case of an address. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes bytes in base 32, in lower case and without padding. */
export function base32(bytes: Uint8Array): string {
  let [text, bits, value] = ['', 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet.charAt((value >>> (bits - 5)) & 31);
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet.charAt((value << (5 - bits)) & 31);
}

/** Decodes base 32 in any case. Returns undefined for other characters, and for unused bits that are not zero. */
export function fromBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const character of text.toLowerCase()) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = (value << 5) | digit;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push(value >>> bits);
      value &= (1 << bits) - 1;
    }
  }
  return bits < 5 && value === 0 ? Uint8Array.from(bytes) : undefined;
}

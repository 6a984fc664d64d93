const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Encodes a non-negative integer in Crockford's base 32, which omits letters that look like digits. */
export function crockford(number: number): string {
  let [rest, text] = [number, ''];
  do {
    text = digits.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  } while (rest > 0);
  return text;
}

/**
 * Parses a number in Crockford's base 32, in upper or lower case. Returns undefined for numbers above 2^53 −
 * 1 and for other texts. Rejects I, L and O, which Crockford's specification decodes as 1, 1 and 0. This
 * tolerance for typing errors is not needed, because users copy ids.
 */
export function crockfordNumber(text: string): number | undefined {
  let number = 0;
  for (const character of text.toUpperCase()) {
    const digit = digits.indexOf(character);
    if (digit < 0) return undefined;
    number = number * 32 + digit;
    if (number > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return text === '' ? undefined : number;
}

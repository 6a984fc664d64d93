const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A whole number from 0 on in Crockford's base 32, whose digits nobody takes for one another. */
export function crockford(number: number): string {
  let [rest, text] = [number, ''];
  do {
    text = digits.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  } while (rest > 0);
  return text;
}

/**
 * The whole number that a text of these digits spells, in either case; undefined past 2^53 − 1, and where it spells
 * none. Letters that look like a digit (I, L, O) are no digits: what is written down here is copied, not typed.
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

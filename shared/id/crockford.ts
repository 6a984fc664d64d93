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

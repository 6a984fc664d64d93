import type { Span } from '../security/spans.ts';

const schemeEnd = '://';
const urlText = /[^\s"<>]*/y;
const authorityText = /[^/?#\s"<>]*/y;
/** A user name and the beginning of a password that contains a character which must be escaped in a URL. */
const userStart = /[^/?#:\s"<>]*:(?!\d*(?:[/?#\s"<>]|$))/y;

const endOf = (form: RegExp, text: string, from: number): number => {
  form.lastIndex = from;
  return form.test(text) ? form.lastIndex : -1;
};

/**
 * Returns the user, the query and the fragment of each URL of any scheme in a text. They may contain a password, a token or
 * a signature. The time is linear in the length of the text.
 */
export function urlCredentialsIn(text: string): Span[] {
  const found: Span[] = [];
  // A URL in the path of another URL ends with it, so the end is not searched again.
  let [end, lastAt] = [0, -1];
  for (let at = text.indexOf(schemeEnd); at >= 0; ) {
    const from = at + schemeEnd.length;
    const isInner = from <= end;
    if (!isInner) {
      end = endOf(urlText, text, from);
      lastAt = from + text.slice(from, end).lastIndexOf('@');
    }
    const authority = endOf(authorityText, text, from);
    const atSign = from + text.slice(from, authority).lastIndexOf('@');
    const user = Math.max(atSign, endOf(userStart, text, from) >= 0 ? lastAt : -1, from);
    if (user > from) found.push({ from, to: user });
    const query = isInner ? -1 : text.slice(user, end).search(/[?#]/);
    if (query >= 0 && user + query + 1 < end) found.push({ from: user + query + 1, to: end });
    at = text.indexOf(schemeEnd, query >= 0 ? end : Math.max(from, user));
  }
  return found;
}

import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * An absolute URL with scheme and host (RFC 3986), without user name and password. The content of IPv6 brackets is not
 * validated.
 */
export const urlSyntax =
  /^[a-z][a-z\d+.-]*:\/\/(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?(?:[/?#](?:[\w.~!$&'()*+,;=:@/?#-]|%[\da-f]{2})*)?$/i;

/** Reports whether a text is an http or https URL that browsers can open, without user name and password. */
export const isWebAddress = (text: string): boolean =>
  /^https?:/i.test(text) && urlSyntax.test(text) && URL.canParse(text);

/**
 * Parses a URL. Returns undefined if a browser cannot open the text. `URL.canParse` is not used for texts outside ASCII:
 * optimized code of Node 20 reads their Latin-1 characters as UTF-8 and returns false.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a URL as it is stored: without surrounding spaces, and with characters outside ASCII encoded as in browsers.
 * Returns other texts without surrounding spaces.
 */
export function asWebAddress(text: string): string {
  const trimmed = text.trim();
  const isEncoded = /^[\x21-\x7e]*$/.test(trimmed);
  return isEncoded || /[\s\p{C}]/u.test(trimmed) ? trimmed : (parsedUrl(trimmed)?.href ?? trimmed);
}

/** A date of the Gregorian calendar, leap years included. */
export const calendarDay =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

/** An email address in ASCII: a name, and a domain of at least two labels. */
export const emailAddress =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/**
 * Returns an email address as it is stored: without surrounding spaces, with the domain in lower case and in Punycode.
 * SES accepts only Punycode for internationalized domains, and no characters outside ASCII before the @. Returns other
 * texts without surrounding spaces.
 */
export function asEmailAddress(text: string): string {
  const trimmed = text.trim();
  const [, name = '', domain] = /^([^@]*)@([\p{L}\p{M}\p{N}.。-]+)$/u.exec(trimmed) ?? [];
  if (domain === undefined) return trimmed;
  const isAscii = /^[\x21-\x7e]*$/.test(domain);
  const ascii = isAscii ? domain.toLowerCase() : domainToASCII(domain);
  // UTS 46 converts digits of other scripts, which can result in an IPv4 address.
  return ascii === '' || (!isAscii && isIP(ascii)) ? trimmed : `${name}@${ascii}`;
}

/** A telephone number as commonly written, optionally with an extension. The number of digits is checked elsewhere. */
export const phoneNumber = /^\+?[\d\s()./-]+(?:(?:x|ext\.?)\s*\d{1,6})?$/i;

/** Returns the email address of a user as it is stored. Users cannot have addresses that differ only in case. */
export const normalizeEmail = (email: string): string => asEmailAddress(email).toLowerCase();

/** Returns the email address in a text as it is stored. Returns undefined if the text is not an email address. */
export function emailIn(text = ''): string | undefined {
  const address = asEmailAddress(text);
  return address.length <= 254 && emailAddress.test(address) ? address : undefined;
}

/** Returns the trimmed text if it is a telephone number, otherwise undefined. */
export const phoneIn = (text = ''): string | undefined =>
  text.length <= 64 && phoneNumber.test(text.trim()) ? text.trim() : undefined;

/** The forms of texts in requests. A text without a form is one line. */
export type TextForm = 'multiline' | 'name' | 'verbatim';

/**
 * Matches the texts of each form. A verbatim text may contain any character. One-line texts exclude the overrides and
 * isolates of the writing direction, which change how the text after them is displayed. Names also exclude other marks
 * of the direction.
 */
export const textForms: Readonly<
  Record<'line' | Exclude<TextForm, 'verbatim'>, { form: RegExp; message: string }>
> = {
  line: {
    form: /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u,
    message: 'must be one line, without control characters and direction overrides',
  },
  multiline: {
    form: /^[\P{Cc}\n\t]*$/u,
    message: 'must not contain control characters other than line breaks and tabs',
  },
  name: {
    form: /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u061c\u200e\u200f]*$/u,
    message: 'must not contain control characters or direction marks',
  },
};

/**
 * A letter, number, punctuation mark or symbol that has a glyph. Fillers of Hangul, the braille blank and the null
 * notehead are letters or symbols without a glyph.
 */
export const visibleCharacter =
  /(?!\p{Default_Ignorable_Code_Point}|[\u2800\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Returns a text with a line feed for every line break of Unicode (UAX 14, BK, CR, LF and NL). */
export const asLines = (text: string): string => text.replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n');

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, also for the values of attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (one) => htmlEntities[one] ?? '');

/** The JSON Schema pattern of file names, in addition to the rules for names. */
export const fileName = '^[^/\\\\]*$';

/** Messages of the formats that `infra/build/formats.ts` compiles. */
export const formatMessages: Readonly<Record<string, string>> = {
  date: 'must be a date of the calendar, such as 2026-03-01',
  'date-time': 'must be an ISO 8601 date-time, such as 2026-03-01T09:30:00Z',
  email: 'must be an email address',
  uri: 'must be an absolute URL',
};

/** Messages of the patterns in request schemas. A test checks that each pattern has a message. */
export const patternMessages: Readonly<Record<string, string>> = {
  [fileName]: 'must not contain / or \\',
  '^https?://': 'must begin with http:// or https://',
  '^[0-9]{1,4}$': 'must have 1 to 4 digits',
  "^(?:[A-Za-z0-9][A-Za-z0-9._:~@+'-]{0,127}|\\{[A-Fa-f0-9-]{32,36}\\})$":
    'must begin with a letter or digit and contain only letters, digits, ".", "_", ":", "~", "@", "+", "\'" and "-", or be a GUID in braces',
  '^[\\w-]{43}$': 'must have 43 letters, digits, "_" or "-"',
  '^[!-~]+$': 'must contain only visible ASCII characters',
  '^[A-Za-z0-9][A-Za-z0-9._-]*$':
    'must begin with a letter or digit and contain only letters, digits, ".", "_" and "-"',
  '^[A-Za-z0-9-]+$': 'must contain only letters, digits and hyphens',
  '^[A-Za-z0-9_.-]+$': 'must contain only letters, digits, ".", "_" and "-"',
  '^[a-z][A-Za-z0-9_]{0,39}$':
    'must begin with a lower-case letter and have at most 40 letters, digits or "_"',
  '^[1-9][0-9]{0,15}$': 'must be an id in decimal digits',
  '^[0-9a-fA-F]{64}$': 'must be a SHA-256 in 64 hexadecimal digits',
  '^bulk_[0-9a-f]{32}$': 'must be "bulk_" and 32 hexadecimal digits',
  '^20\\d{2}-(?:0[1-9]|1[0-2])$': 'must be a month from 2000-01 to 2099-12, such as 2026-10',
  '^[A-Za-z0-9](?:[A-Za-z0-9 ._&-]*[A-Za-z0-9.])?$':
    'must begin with a letter or digit, end with a letter, digit or ".", and contain only letters, digits, spaces, ".", "_", "&" and "-"',
  '^R[0-9]{2}$': 'must be "R" and two digits',
  '^[\\x20-\\x7e]*[\\x21-\\x7e][\\x20-\\x7e]*$': 'must contain only ASCII characters, and a visible one',
  '^[A-Za-z0-9]{10}$': 'must have ten letters or digits',
  '^([01]\\d|2[0-3]):[0-5]\\d$': 'must be a time from 00:00 to 23:59',
  '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$': 'must be a time from 00:00 to 24:00',
};

/** Reports whether the last digit is the check digit of the others (Luhn, ISO/IEC 7812), as in the number of a payment card. */
export function hasLuhnCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, doubles = false; index >= 0; index--, doubles = !doubles) {
    const value = (digits.charCodeAt(index) - 48) * (doubles ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

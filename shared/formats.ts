/** An absolute URL with scheme and authority (RFC 3986). The content of IPv6 brackets is not validated. */
export const webAddress =
  /^[a-z][a-z\d+.-]*:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*@)?(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?(?:[/?#](?:[\w.~!$&'()*+,;=:@/?#-]|%[\da-f]{2})*)?$/i;

/** A date of the Gregorian calendar, leap years included. */
export const calendarDay =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

/** An email address: a name, and a domain of at least two labels. */
export const emailAddress =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** A telephone number as commonly written, optionally with an extension. The number of digits is checked elsewhere. */
export const phoneNumber = /^\+?[\d\s()./-]+(?:(?:x|ext\.?)\s*\d{1,6})?$/i;

/** Returns the trimmed text if it is an email address, otherwise undefined. */
export const emailIn = (text = ''): string | undefined =>
  text.length <= 254 && emailAddress.test(text.trim()) ? text.trim() : undefined;

/** Returns the trimmed text if it is a telephone number, otherwise undefined. */
export const phoneIn = (text = ''): string | undefined =>
  text.length <= 64 && phoneNumber.test(text.trim()) ? text.trim() : undefined;

/** Control characters, line separators and marks that change the writing direction: not allowed in names. */
const notInNames = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';

/** The JSON Schema pattern of names of accounts, users, teams and roles. The pattern allows an empty name. */
export const plainName = `^[^${notInNames}]*$`;

/** The JSON Schema pattern of file names: like `plainName`, but without slashes and backslashes. */
export const fileName = `^[^${notInNames}/\\\\]*$`;

/** Messages of the formats that `infra/build/formats.ts` compiles. */
export const formatMessages: Readonly<Record<string, string>> = {
  date: 'must be a date of the calendar, such as 2026-03-01',
  'date-time': 'must be an ISO 8601 date-time, such as 2026-03-01T09:30:00Z',
  email: 'must be an email address',
  uri: 'must be an absolute URL',
};

/** Messages of the patterns in request schemas. A test checks that each pattern has a message. */
export const patternMessages: Readonly<Record<string, string>> = {
  [plainName]: 'must not contain control characters or direction marks',
  [fileName]: 'must not contain control characters, direction marks, / or \\',
  '^[^\\u0000-\\u001f\\u007f-\\u009f]+$': 'must not contain control characters',
  '^https?://': 'must begin with http:// or https://',
  '^[0-9]{1,4}$': 'must have 1 to 4 digits',
  '^[A-Za-z0-9-]+$': 'must contain only letters, digits and hyphens',
  '^[A-Za-z0-9_.-]+$': 'must contain only letters, digits, ".", "_" and "-"',
  '^[a-z][A-Za-z0-9_]{0,39}$':
    'must begin with a lower-case letter and have at most 40 letters, digits or "_"',
  '^[1-9][0-9]{0,15}$': 'must be an id in decimal digits',
  '^[0-9a-fA-F]{64}$': 'must be a SHA-256 in 64 hexadecimal digits',
  '^bulk_[0-9a-f]{32}$': 'must be "bulk_" and 32 hexadecimal digits',
  '^([01]\\d|2[0-3]):[0-5]\\d$': 'must be a time from 00:00 to 23:59',
  '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$': 'must be a time from 00:00 to 24:00',
};

/**
 * What texts of a kind look like: what the compiled validators go by, and what is judged while a request runs. Each is
 * one expression, linear enough for the length that its field allows.
 */

/**
 * An absolute address of the web, as RFC 3986 has it: scheme, authority with a host, and what follows. What stands in
 * the brackets of an IPv6 address is not looked at closely.
 */
export const webAddress =
  /^[a-z][a-z\d+.-]*:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*@)?(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?(?:[/?#](?:[\w.~!$&'()*+,;=:@/?#-]|%[\da-f]{2})*)?$/i;

/** A day that the Gregorian calendar has: months of 31 and 30 days, the first 28 of February, and the 29th of leap years. */
export const calendarDay =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

/** An email address: a name, and a domain of at least two labels. */
export const emailAddress =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** A telephone number as people write it anywhere, perhaps with an extension. How many digits it has is counted apart. */
export const phoneNumber = /^\+?[\d\s()./-]+(?:(?:x|ext\.?)\s*\d{1,6})?$/i;

/** The email address that a free text consists of; undefined if it is not one. */
export const emailIn = (text = ''): string | undefined =>
  text.length <= 254 && emailAddress.test(text.trim()) ? text.trim() : undefined;

/** The telephone number that a free text consists of; undefined if it is not one. */
export const phoneIn = (text = ''): string | undefined =>
  text.length <= 64 && phoneNumber.test(text.trim()) ? text.trim() : undefined;

/** Characters that no name contains: control characters, line separators and marks that change the writing direction. */
const notInNames = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';

/** A name of an account, a user, a team or a role, as a JSON Schema pattern. It may be empty. */
export const plainName = `^[^${notInNames}]*$`;

/** A name of a file: like every name, and not a path. */
export const fileName = `^[^${notInNames}/\\\\]*$`;

import type { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { storedInstant } from '../../shared/instant.ts';

/**
 * An absolute address of the web, as RFC 3986 has it: scheme, authority with a host, and what follows. What stands in
 * the brackets of an IPv6 address is not looked at closely.
 */
const webAddress =
  /^[a-z][a-z\d+.-]*:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*@)?(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?(?:[/?#](?:[\w.~!$&'()*+,;=:@/?#-]|%[\da-f]{2})*)?$/i;

/** A day that the Gregorian calendar has: months of 31 and 30 days, the first 28 of February, and the 29th of leap years. */
const day =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

/**
 * The formats that schemas name; any other fails the build. Each is one expression, which a validator carries
 * in itself: a format that is a function would bring the library's whole list into every bundle.
 */
export function addKnownFormats(ajv: Ajv): void {
  addFormats.default(ajv, ['email']);
  ajv.addFormat('uri', webAddress);
  ajv.addFormat('date', day);
  // An instant has been converted to its stored form before; anything else is an error.
  ajv.addFormat('date-time', storedInstant);
}

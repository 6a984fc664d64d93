import type { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { storedInstant } from '../../shared/instant.ts';

/**
 * An absolute address of the web, as RFC 3986 has it: scheme, authority with a host, and what follows. What stands in
 * the brackets of an IPv6 address is not looked at closely.
 */
const webAddress =
  /^[a-z][a-z\d+.-]*:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*@)?(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?(?:[/?#](?:[\w.~!$&'()*+,;=:@/?#-]|%[\da-f]{2})*)?$/i;

/**
 * The formats that schemas name; any other fails the build. Each is one expression, which a validator carries
 * in itself: a format that is a function would bring the library's whole list into every bundle.
 */
export function addKnownFormats(ajv: Ajv): void {
  addFormats.default(ajv, ['email']);
  ajv.addFormat('uri', webAddress);
  // An instant has been converted to its stored form before; anything else is an error.
  ajv.addFormat('date-time', storedInstant);
}

import type { Ajv } from 'ajv';
import { calendarDay, emailAddress, webAddress } from '../../shared/formats.ts';
import { storedInstant } from '../../shared/instant.ts';

/**
 * The formats that schemas name; any other fails the build. Each is one expression, which a validator carries
 * in itself.
 */
export function addKnownFormats(ajv: Ajv): void {
  ajv.addFormat('email', emailAddress);
  ajv.addFormat('uri', webAddress);
  ajv.addFormat('date', calendarDay);
  // An instant has been converted to its stored form before; anything else is an error.
  ajv.addFormat('date-time', storedInstant);
}

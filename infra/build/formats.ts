import type { Ajv } from 'ajv';
import { calendarDay, emailAddress, webAddress } from '../../shared/formats.ts';
import { storedInstant } from '../../shared/instant.ts';

/** Adds the formats that schemas use; any other fails the build. Each is one expression, inlined in the validators. */
export function addKnownFormats(ajv: Ajv): void {
  ajv.addFormat('email', emailAddress);
  ajv.addFormat('uri', webAddress);
  ajv.addFormat('date', calendarDay);
  // Validation runs after the conversion to the stored format.
  ajv.addFormat('date-time', storedInstant);
}

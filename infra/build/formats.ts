import type { Ajv } from 'ajv';
import { calendarDay, emailAddress, webAddress } from '../../shared/formats.ts';
import { storedInstant } from '../../shared/instant.ts';

/** Adds the formats of our schemas. Other formats fail the build. Validators inline each format as one expression. */
export function addKnownFormats(ajv: Ajv): void {
  ajv.addFormat('email', emailAddress);
  ajv.addFormat('uri', webAddress);
  ajv.addFormat('date', calendarDay);
  // Validation runs after the conversion to the stored format.
  ajv.addFormat('date-time', storedInstant);
}

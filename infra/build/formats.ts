import type { Ajv } from 'ajv';
import { calendarDay, emailAddress, urlSyntax } from '../../shared/formats.ts';
import { storedInstant } from '../../shared/instant.ts';

/** Adds the formats of our schemas. A schema with any other format fails the build. */
export function addKnownFormats(ajv: Ajv): void {
  ajv.addFormat('email', emailAddress);
  ajv.addFormat('uri', urlSyntax);
  ajv.addFormat('date', calendarDay);
  // Date-times are converted to the stored format before they are validated.
  ajv.addFormat('date-time', storedInstant);
}

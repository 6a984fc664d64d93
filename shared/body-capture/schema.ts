import {
  boolean,
  dateTime,
  integer,
  multilineText,
  object,
  recordId,
  type Static,
  sensitive,
} from '../schema.ts';

/** Capture ends after at most this number of days. */
const mostDays = 14;

/** The maximum size of a captured body in bytes, after the removal of sensitive values. */
export const mostBytes = 64 * 1024;

export const BodyCaptureInput = object({
  days: integer({
    minimum: 1,
    maximum: mostDays,
    description: 'Capture ends after this number of days.',
    examples: [7],
  }),
});

export const RevealInput = object({
  reason: multilineText({
    minLength: 1,
    maxLength: 500,
    description: 'The event of the access contains the reason.',
    examples: ['The vendor reports that we dropped a field of this request.'],
  }),
});
export type RevealInput = Static<typeof RevealInput>;

export const RevealedBody = object({
  eventId: recordId(),
  body: sensitive({
    maxLength: mostBytes,
    description:
      'The JSON text of the body. It contains `REDACTED` instead of sensitive values. If `truncated` is true, the end of the text is missing.',
    examples: ['{"firstName":"Grace","lastName":"Hopper"}'],
  }),
  truncated: boolean({ description: `True if the text had more than ${mostBytes / 1024} KB.` }),
  capturedAt: dateTime(),
  expiresAt: dateTime({ description: 'The body is erased after this time.' }),
});
export type RevealedBody = Static<typeof RevealedBody>;

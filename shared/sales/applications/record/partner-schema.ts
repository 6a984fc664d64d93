import { array, dateTime, integer, object, oneOf, partial, type Static, string } from '../../../schema.ts';

/** The statuses that the partner reports for an application. */
export const partnerStatuses = [
  'received',
  'in_review',
  'needs_information',
  'approved',
  'declined',
  'boarded',
] as const;
export type PartnerStatus = (typeof partnerStatuses)[number];

/** The transfer of an approved application to the partner, and the status that the partner reports. */
export const PartnerState = object({
  state: oneOf(['queued', 'sent', 'failed'], {
    description: '`failed`: the partner refused the application, or all retries failed. Submit it again.',
  }),
  submission: integer({ minimum: 1, examples: [1], description: 'How often the application was submitted.' }),
  submittedAt: dateTime(),
  ...partial({
    error: string({ examples: ['The partner responded with 422 (invalid_tax_id).'] }),
    partnerId: string({ maxLength: 100, examples: ['pa_81723'], description: 'The id at the partner.' }),
    sentAt: dateTime(),
    documents: oneOf(['sent', 'received'], {
      description: '`received`: the partner has acknowledged the documents.',
    }),
    status: oneOf(partnerStatuses),
    sequence: integer({
      minimum: 0,
      examples: [4],
      description: 'The partner’s number of the status. A status with a smaller number is ignored.',
    }),
    statusAt: dateTime(),
    message: string({ examples: ['Please send a bank letter.'] }),
    mids: array(string({ examples: ['4445012345678'] }), {
      description: 'The MIDs that the partner assigned.',
    }),
    lastEventAt: dateTime({ description: 'When the partner’s last event or response about it arrived.' }),
  }).properties,
});
export type PartnerState = Static<typeof PartnerState>;

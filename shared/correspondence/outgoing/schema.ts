import { array, email, multilineText, object, optional, type Static, string } from '../../schema.ts';

/** The most recipients in each of `to` and `cc`. */
const mostRecipients = 10;

const recipients = (description: string, example: string) =>
  optional(
    array(email({ examples: [example] }), {
      minItems: 1,
      maxItems: mostRecipients,
      uniqueItems: true,
      description,
    }),
  );

const fields = {
  to: recipients(
    'Default: the customer of the record. Each recipient can reply, and then takes part in the thread.',
    'ada@example.com',
  ),
  cc: recipients('Further recipients. They take part in the thread like the others.', 'bob@example.com'),
  subject: optional(
    string({
      minLength: 1,
      maxLength: 250,
      description: 'Default: a reply to the thread.',
      examples: ['Your terminal'],
    }),
  ),
  body: multilineText({
    minLength: 1,
    maxLength: 10_000,
    description: 'Plain text. Web addresses become links in the HTML alternative.',
    examples: ['A new terminal is on its way.'],
  }),
};

/** The body of POST /leads/{leadId}/mails. Leads have no documents. */
export const MailInput = object(fields);

/** The body of POST /tickets/{ticketId}/mails and POST /applications/{applicationId}/mails. */
export const MailInputWithDocuments = object({
  ...fields,
  documentIds: optional(
    array(string({ pattern: '^[1-9][0-9]{0,15}$', maxLength: 16, examples: ['214563398120450'] }), {
      maxItems: 10,
      uniqueItems: true,
      description: 'Completed documents of the record, which are attached. Together at most 15 MB.',
    }),
  ),
});
export type MailInputWithDocuments = Static<typeof MailInputWithDocuments>;

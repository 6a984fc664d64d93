import { partnerStatuses } from '../sales/applications/record/partner-schema.ts';
import { ApplicationNoteInput } from '../sales/applications/underwriting/underwriting-schema.ts';
import {
  array,
  dateTime,
  email,
  integer,
  multilineText,
  object,
  oneOf,
  partial,
  type Static,
  string,
  unsafe,
} from '../schema.ts';
import { priorities } from '../sla/schema.ts';

/** The longest list of MIDs of an event, so that all MIDs fit into one transaction. */
const mostMids = 10;

const partnerReference = (description: string) =>
  string({ minLength: 1, maxLength: 100, pattern: '^[!-~]+$', description, examples: ['case-4711'] });

/** The fields of the partner’s events. A field has the same type in every type of event. */
export const partnerEventFields = {
  applicationId: string({
    maxLength: 64,
    description: 'Our id of the application, from `POST {url}/applications`.',
    examples: ['app_65YB3N0G2M1'],
  }),
  sequence: integer({
    minimum: 0,
    description:
      'Increases with each change of the status. A status with a smaller or equal number is ignored.',
    examples: [4],
  }),
  status: oneOf(partnerStatuses),
  message: multilineText({ examples: ['Please send a bank letter.'] }),
  mids: array(
    string({ minLength: 1, maxLength: 32, pattern: '^[A-Za-z0-9-]+$', examples: ['4445012345678'] }),
    {
      maxItems: mostMids,
      description: 'The MIDs of a boarded merchant.',
    },
  ),
  text: ApplicationNoteInput.properties.content,
  documents: array(
    object({
      id: string({ maxLength: 16, examples: ['214563398120450'] }),
      sha256: string({
        maxLength: 64,
        pattern: '^[0-9a-fA-F]{64}$',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    }),
    { maxItems: 100 },
  ),
  ticketId: partnerReference('The partner’s id of the support request.'),
  subject: string({ minLength: 1, maxLength: 200, examples: ['The terminal is offline'] }),
  description: multilineText({ minLength: 1, maxLength: 10_000, examples: ['It shows error 17.'] }),
  categoryId: integer({
    description: 'The category at the partner. A mapping defines its ticket type.',
    examples: [31],
  }),
  categoryName: string({ maxLength: 200, examples: ['Hardware'] }),
  priority: oneOf(priorities),
  requesterName: string({ minLength: 1, maxLength: 200, examples: ['Ada Byron'] }),
  requesterEmail: email({ examples: ['ada@example.com'] }),
  commentId: partnerReference('The partner’s id of the comment.'),
  body: multilineText({ minLength: 1, maxLength: 10_000, examples: ['It works again.'] }),
  author: string({ maxLength: 200, examples: ['Support of the partner'] }),
};

const data = partial(partnerEventFields);
export type PartnerEventData = Static<typeof data>;

/** An event of the partner. Unknown fields of `data` are ignored. */
export const PartnerEvent = object({
  type: string({ minLength: 1, maxLength: 100, examples: ['application.status'] }),
  timestamp: dateTime({ description: 'When the event occurred.' }),
  data: unsafe<PartnerEventData>({
    ...data,
    additionalProperties: true,
    description: 'The fields of the type. Unknown fields are ignored.',
    examples: [{ applicationId: 'app_65YB3N0G2M1', sequence: 2, status: 'in_review' }],
  }),
});
export type PartnerEvent = Static<typeof PartnerEvent>;

export const PartnerEventsParams = object({
  accountId: string({ maxLength: 64, examples: ['acme'] }),
});

import { EventKindField, HappeningField } from '../../events/schema.ts';
import {
  array,
  boolean,
  dateTime,
  integer,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';

const attempt = {
  number: integer({
    description: 'Starts at 1. Only the newest ten attempts that users requested are kept.',
    examples: [1],
  }),
  at: dateTime(),
  status: optional(
    integer({ description: 'Status of the response; absent if there was no response.', examples: [200] }),
  ),
  durationMs: integer({ examples: [85] }),
  error: optional(
    string({
      description:
        'Why no status was received. `permission_denied`: nothing was sent, because the account lost the permission to read the event.',
      examples: ['timeout'],
    }),
  ),
  address: optional(string({ description: 'The IP address of the connection.', examples: ['203.0.113.7'] })),
  response: optional(
    string({
      description: 'The first 2 KB of the response, or in lists the first 200 characters.',
      maxLength: 2048,
      examples: ['ok'],
    }),
  ),
  redelivery: optional(
    boolean({
      description: 'true: a user requested this attempt. The attempt does not change the retry schedule.',
    }),
  ),
  earlier: optional(boolean({ description: 'true: made before a recovery restarted the delivery.' })),
};

/** The delivery of an event to a webhook, with every attempt. */
export const Delivery = object({
  id: recordId({ description: 'The id of the delivered event.' }),
  webhookId: recordId(),
  event: EventKindField,
  happening: optional(HappeningField),
  messageId: string({
    description: 'The webhook-id header of each attempt.',
    examples: ['evt_acme_214563398120449'],
  }),
  status: oneOf(['waiting', 'delivered', 'failed', 'cancelled']),
  createdAt: dateTime(),
  nextAttemptAt: optional(dateTime()),
  sha256: optional(
    string({
      description: 'SHA-256 of the last body that was sent, in hexadecimal.',
      examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
    }),
  ),
  attempts: array(object(attempt)),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryParams = object({ id: recordId(), did: recordId() });

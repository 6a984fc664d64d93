import { EventKindField } from '../../events/schema.ts';
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
    description: 'From 1. Of those that are no part of the schedule the newest ten are kept.',
    examples: [1],
  }),
  at: dateTime(),
  status: optional(integer({ description: 'Of the response; absent: there was none.', examples: [200] })),
  durationMs: integer({ examples: [85] }),
  error: optional(string({ description: 'Why it was no success.', examples: ['timeout'] })),
  address: optional(string({ description: 'That the connection went to.', examples: ['203.0.113.7'] })),
  response: optional(string({ description: 'The first 2 KB of it.', maxLength: 2048, examples: ['ok'] })),
  redelivery: optional(boolean({ description: 'Somebody asked for it; it is no part of the schedule.' })),
  earlier: optional(boolean({ description: 'Of before a recovery, which began the delivery anew.' })),
};

/** The delivery of an event to a webhook, with every attempt. */
export const Delivery = object({
  id: recordId({ description: 'That of its event.' }),
  webhookId: recordId(),
  event: EventKindField,
  messageId: string({
    description: 'The webhook-id of each attempt.',
    examples: ['evt_acme_214563398120449'],
  }),
  status: oneOf(['waiting', 'delivered', 'failed', 'cancelled']),
  createdAt: dateTime(),
  nextAttemptAt: optional(dateTime()),
  sha256: optional(
    string({
      description: 'Of the body that was sent last.',
      examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
    }),
  ),
  attempts: array(object(attempt)),
});
export type Delivery = Static<typeof Delivery>;

/** The path of a delivery. */
export const DeliveryParams = object({ id: recordId(), did: recordId() });

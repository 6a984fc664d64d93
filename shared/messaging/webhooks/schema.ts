import type { EventKind } from '../../events/kinds.ts';
import { EventKindField } from '../../events/schema.ts';
import {
  array,
  boolean,
  credential,
  dateTime,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
  unsafe,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const url = string({
  minLength: 1,
  maxLength: 2000,
  description:
    'Where events are posted: https on port 443, and no address inside a network. It is judged here and again on each attempt.',
  examples: ['https://hooks.example.com/merchant-ops'],
});
const description = string({ examples: ['Our ledger'] });
/** Text, so that what is no kind is named in the response rather than called invalid. */
const events = array(string({ maxLength: 100, examples: ['lead_created'] }), {
  maxItems: 1000,
  description: 'Kinds of events, as GET /event-kinds lists them. Empty: none.',
});
const payload = oneOf(['full', 'thin'], {
  description: 'Thin: what happened to what and who did it, and nothing of its content.',
});
const payloadVersion = unsafe<1>({
  type: 'integer',
  enum: [1],
  description: 'The shape of the payload. A version only gains fields.',
  examples: [1],
});

/** How the deliveries of a webhook fare. */
const Health = object(
  {
    status: oneOf(['idle', 'healthy', 'failing', 'disabled'], {
      description: 'Idle: nothing was attempted yet. Failing: the last attempt was no success.',
    }),
    lastSuccessAt: optional(dateTime()),
    lastFailureAt: optional(dateTime()),
    failingSince: optional(dateTime({ description: 'The first failure since the last success.' })),
    lastStatus: optional(
      integer({ description: 'Of the last response; absent: there was none.', examples: [200] }),
    ),
    waiting: optional(
      integer({
        description: 'Deliveries that are still to be made; GET of the one webhook counts them.',
        examples: [0],
      }),
    ),
    oldestWaitingAt: optional(dateTime({ description: 'When the oldest of them came about.' })),
  },
  { 'x-volatile': true },
);
export type Health = Static<typeof Health>;

/** A subscription to events. */
export const Webhook = object({
  ...recordFields,
  url,
  events: array(EventKindField),
  description: optional(description),
  active: boolean(),
  disabledReason: optional(
    string({ readOnly: true, description: 'Why the service made it inactive.', examples: ['gone'] }),
  ),
  failingSince: optional(dateTime({ readOnly: true })),
  payload,
  payloadVersion,
  previousSecretUntil: optional(
    dateTime({ readOnly: true, description: 'Until then the secret before signs as well.' }),
  ),
  health: Health,
});
export type Webhook = Static<typeof Webhook>;

/** A webhook with its secret, which no other response shows. */
export const NewWebhook = object({
  ...Webhook.properties,
  secret: credential({
    description: 'Shown this once. Its base64 part is the key of the signatures.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQm2xV9bN4kE='],
  }),
});

export const WebhookInput = object({
  url,
  events,
  description: optional(description),
  active: optional(boolean({ default: true })),
  payload: optional(payload),
  payloadVersion: optional(payloadVersion),
});

export const WebhookPatch = object({
  url: optional(url),
  events: optional(events),
  description: optional(nullable(description)),
  active: optional(boolean()),
  payload: optional(payload),
  payloadVersion: optional(payloadVersion),
});

export type WebhookPatch = Static<typeof WebhookPatch>;

/** The body of `PUT /webhooks/{id}/events`. */
export const Subscription = object({ events });

/** A secret as it is stored. */
export interface StoredSecret {
  /** One higher than that of the secret before: a part of the place that it is sealed for. */
  number: number;
  jwe: string;
  /** It signs until then. Absent: until it is replaced. */
  until?: string;
}

/** A webhook as it is stored. */
export interface StoredWebhook
  extends Omit<Webhook, 'events' | 'health' | 'failingSince' | 'previousSecretUntil'> {
  events: EventKind[];
  /** The newest first; two while the one before still signs. */
  secrets: StoredSecret[];
}

/** What attempts say of a webhook. The webhooks function writes it, beside the record and without its version. */
export interface StoredHealth {
  lastSuccessAt?: string;
  lastFailureAt?: string;
  failingSince?: string;
  /** Attempts since then. */
  failures?: number;
  lastStatus?: number;
  /** Absent: nothing was attempted yet. */
  revision?: string;
}

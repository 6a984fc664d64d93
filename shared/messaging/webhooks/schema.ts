import { EventKindField, HappeningField } from '../../events/schema.ts';
import type { EventKind, Happening } from '../../resources/registry.ts';
import {
  array,
  boolean,
  credential,
  dateTime,
  integer,
  multilineText,
  nullable,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  unsafe,
  webAddress,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const url = webAddress({
  maxLength: 2000,
  description:
    'The URL that events are posted to: https on port 443, with a public address. Validated on each change and before each attempt.',
  examples: ['https://hooks.example.com/merchant-ops'],
});
const description = multilineText({ examples: ['Our ledger'] });
/** The schema accepts any string. `readKinds` rejects unknown kinds with an error that lists them. */
const events = array(string({ maxLength: 100, examples: ['lead_created'] }), {
  maxItems: 1000,
  description: 'Kinds of events from GET /event-kinds. May be empty.',
  examples: [['lead_created', 'no_event_name']],
});
/** The schema accepts any string. `readHappenings` rejects unknown happenings with an error that lists them. */
const happenings = array(string({ maxLength: 100, examples: ['invoice_opened'] }), {
  minItems: 1,
  maxItems: 1000,
  description:
    'Of the kind `no_event_name`, only the events with these happenings from GET /event-kinds. If omitted, all events of this kind. Requires this kind in `events`.',
});
const payload = oneOf(['full', 'thin'], {
  description: '`thin`: only the kind, happening, subject and actor of the event, without its data.',
});
const payloadVersion = unsafe<1>({
  type: 'integer',
  enum: [1],
  description: 'The shape of the payload. Fields may be added to a version, but never removed.',
  examples: [1],
});

const scope =
  'Only events of the records that this API key sent through the external API. Their `actor` does not name staff, and their `subject` has no label.';

const Health = object(
  {
    status: oneOf(['idle', 'healthy', 'failing', 'disabled'], {
      description: '`idle`: no attempt yet. `failing`: the last attempt failed.',
    }),
    lastSuccessAt: optional(dateTime()),
    lastFailureAt: optional(dateTime()),
    failingSince: optional(dateTime({ description: 'The first failure since the last success.' })),
    lastStatus: optional(
      integer({
        description: 'Status of the last response; absent if there was no response.',
        examples: [200],
      }),
    ),
    waiting: optional(
      integer({
        description: 'The number of waiting deliveries. Only in GET /webhooks/{id}.',
        examples: [0],
      }),
    ),
    oldestWaitingAt: optional(dateTime({ description: 'When the oldest waiting delivery was created.' })),
  },
  { 'x-volatile': true },
);
export type Health = Static<typeof Health>;

export const Webhook = object({
  ...recordFields,
  url,
  events: array(EventKindField),
  happenings: optional(
    array(HappeningField, {
      description:
        'Of the kind `no_event_name`, the webhook receives only the events with these happenings. If absent, all events of this kind.',
    }),
  ),
  description: optional(description),
  active: boolean(),
  disabledReason: optional(
    string({
      readOnly: true,
      description: 'Why the service disabled the webhook.',
      examples: ['The endpoint responded with 410 Gone.'],
    }),
  ),
  failingSince: optional(dateTime({ readOnly: true })),
  externalKeyId: optional(recordId({ readOnly: true, description: scope })),
  payload,
  payloadVersion,
  previousSecretUntil: optional(
    dateTime({
      readOnly: true,
      description: 'Until this time, deliveries are also signed with the previous secret.',
    }),
  ),
  health: Health,
});
export type Webhook = Static<typeof Webhook>;

/** The response to the creation of a webhook: the webhook and its first secret. */
export const NewWebhook = object({
  ...Webhook.properties,
  secret: credential({
    description: 'Shown only once. The base64 part after `whsec_` is the signing key.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQm2xV9bN4kE='],
  }),
});

export const WebhookInput = object({
  url,
  events,
  happenings: optional(happenings),
  description: optional(description),
  active: optional(boolean({ default: true })),
  externalKeyId: optional(
    recordId({
      description: `${scope} All kinds must begin with extapi_. Default for a key with useExternalApi that subscribes only to such kinds: the key itself.`,
    }),
  ),
  payload: optional(payload),
  payloadVersion: optional(payloadVersion),
});

export const WebhookPatch = object({
  url: optional(url),
  events: optional(events),
  happenings: optional(nullable(happenings)),
  description: optional(nullable(description)),
  active: optional(boolean()),
  payload: optional(payload),
  payloadVersion: optional(payloadVersion),
});

export type WebhookPatch = Static<typeof WebhookPatch>;

export const Subscription = object({ events, happenings: optional(happenings) });

/** The body of a rotation of the secret of a webhook, of the partner's connection, or of the payment provider. */
export const SecretRotation = object({ expireNow: optional(boolean({ default: false })) });

export interface StoredSecret {
  /** Increases with each secret. The encrypted secret is bound to this number. */
  number: number;
  jwe: string;
  /** The secret is valid until this time. If absent, the secret is valid until a rotation replaces it. */
  until?: string;
}

/** A webhook as it is stored. */
export interface StoredWebhook
  extends Omit<Webhook, 'events' | 'happenings' | 'health' | 'failingSince' | 'previousSecretUntil'> {
  events: EventKind[];
  happenings?: Happening[];
  /** The current secret and, after a rotation, the previous secret, which may have expired. */
  secrets: StoredSecret[];
}

/** The health of a webhook, in a separate item, so that changes of the health do not change the webhook's version. */
export interface StoredHealth {
  lastSuccessAt?: string;
  lastFailureAt?: string;
  failingSince?: string;
  /** Failed attempts since `failingSince`. */
  failures?: number;
  lastStatus?: number;
  /** Absent before the first attempt. */
  revision?: string;
}

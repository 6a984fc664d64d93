import { type Health, Webhook } from '../messaging/webhooks/schema.ts';
import {
  boolean,
  credential,
  dateTime,
  multilineText,
  nullable,
  object,
  optional,
  type Static,
  uniqueId,
  webAddress,
} from '../schema.ts';
import { recordFields } from '../table/record-fields.ts';

const url = webAddress({
  maxLength: 2000,
  description:
    'The base URL of the partner’s implementation of Partner contract v1: https on port 443, with a public address.',
  examples: ['https://partner.example.com/merchant-ops'],
});
const publicKey = multilineText({
  maxLength: 4000,
  description:
    'The partner’s public key in PEM: RSA with at least 2048 bits, or EC on the curve P-256. Sensitive values are encrypted with this key. Without a key, they are not sent.',
  examples: [
    '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEMKBCTNIcKUSDii11ySs3526iDZ8A\niTo7Tu6KPAqv7D7gS2XpJFbZiItSs3m9+9Ue6GnvHw/GW2ZZaVtszggXIw==\n-----END PUBLIC KEY-----\n',
  ],
});
const defaultTicketTypeId = uniqueId('tty', {
  description:
    'The ticket type of support requests in categories without a mapping. If omitted, they are reported as errors.',
});
const previousSecretUntil = optional(
  dateTime({
    readOnly: true,
    description: 'Until this time, the previous secret is also valid, in both directions.',
  }),
);

/** The connection to the account's partner. */
export const PartnerConnection = object({
  ...recordFields,
  url,
  publicKey: optional(publicKey),
  active: boolean(),
  defaultTicketTypeId: optional(defaultTicketTypeId),
  previousSecretUntil,
  health: Webhook.properties.health,
});
export type PartnerConnection = Omit<Static<typeof PartnerConnection>, 'health'> & { health: Health };

export const PartnerConnectionInput = object({
  url,
  publicKey: optional(nullable(publicKey)),
  active: boolean({ description: 'If false, requests to the partner wait, and its events are rejected.' }),
  defaultTicketTypeId: optional(nullable(defaultTicketTypeId)),
});
export type PartnerConnectionInput = Static<typeof PartnerConnectionInput>;

const secret = credential({
  description:
    'Shown only once. Signs the requests to the partner and the partner’s events. The base64 part after `whsec_` is the key.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQm2xV9bN4kE='],
});

/** The response of PUT, which contains the secret if the request created the connection. */
export const SavedPartnerConnection = object({ ...PartnerConnection.properties, secret: optional(secret) });

export const RotatedPartnerSecret = object({ secret, previousSecretUntil });

import {
  clearable,
  email,
  multilineText,
  nameText,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
  uniqueId,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

/** An account has at most this many mail addresses. */
export const maxMailAddresses = 100;

const address = email({
  description:
    'The address to which customers write. Its domain must be a proved mail domain of the account.',
  examples: ['support@example.com'],
});

const AutoReply = object(
  {
    subject: optional(
      string({
        minLength: 1,
        maxLength: 255,
        description: 'Default: the subject of the mail, after `Re:`.',
        examples: ['We received your mail'],
      }),
    ),
    text: multilineText({
      minLength: 1,
      maxLength: 10_000,
      examples: ['Thank you. We reply within one working day.'],
    }),
  },
  {
    description:
      'The reply to a mail that creates a ticket or lead. Sent only if the mail passed DMARC, or SPF if the domain of the sender has no DMARC record, and at most once in 24 hours for each sender and thread.',
  },
);

const settings = {
  name: nameText({
    maxLength: 100,
    description: 'The name of the sender in outgoing mail. Default: the name of the account.',
    examples: ['Acme Support'],
  }),
  ticketTypeId: uniqueId('tty', { description: 'The type of new tickets. Only for the purpose `tickets`.' }),
  teamId: recordId({ description: 'The team of new tickets or leads.' }),
  autoReply: AutoReply,
};

const purpose = oneOf(['tickets', 'leads'], {
  description: 'The records that mails to this address create, unless they belong to a thread.',
});

export const MailAddressInput = object({ address, purpose, ...partial(settings).properties });
export type MailAddressInput = Static<typeof MailAddressInput>;

export const MailAddressPatch = partial({ purpose, ...clearable(settings) });
export type MailAddressPatch = Static<typeof MailAddressPatch>;

const stored = { ...recordFields, address, purpose, ...partial(settings).properties };
const storedFields = object(stored);

/** A mail address as it is stored. `inboundSecret` is part of its inbound address: 10 random bytes in base 32. */
export interface StoredMailAddress extends Static<typeof storedFields> {
  inboundSecret: string;
}

export const MailAddress = object({
  ...stored,
  inboundAddress: optional(
    string({
      description:
        'The hidden address to which the company forwards the mail of this address. It never changes. Absent if the service has no domain for mail.',
      examples: ['in-aarmq5cxhpwxgkqmvvv4ltkmcvqbw6bvmrcdcq@in.example.net'],
    }),
  ),
});
export type MailAddress = Static<typeof MailAddress>;

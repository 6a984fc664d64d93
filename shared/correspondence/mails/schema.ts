import {
  array,
  boolean,
  dateTime,
  integer,
  multilineText,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import type { FieldUses } from '../../search/indexed-fields.ts';
import { recordFields } from '../../table/record-fields.ts';

/** The limits of a mail's record. A text is cut by its bytes in JSON, so that the item stays below 300 KB. */
export const mailLimits = {
  text: 100 * 1024,
  visibleText: 32 * 1024,
  /** Each of `to` and `cc`. */
  recipients: 50,
  personName: 100,
  subject: 998,
  references: 50,
  /** A longer Message-ID is ignored, because no reply can then contain it. */
  messageId: 250,
  attachments: 100,
  deliveries: 20,
  fileName: 200,
  bounces: 50,
  diagnostic: 300,
  leftOut: 50,
} as const;

const mailStates = [
  'received',
  'held',
  'quarantined',
  'waiting',
  'sent',
  'bounced',
  'complained',
  'failed',
  'unknown',
  'report',
] as const;
export type MailState = (typeof mailStates)[number];

export const mailDirections = ['incoming', 'outgoing'] as const;

export const threadTypes = ['ticket', 'lead', 'application'] as const;
export type ThreadType = (typeof threadTypes)[number];

/** The reasons of decisions about incoming mail, in the order of the rules. */
const whyCodes = [
  'delivery_report',
  'account_closed',
  'reply_address',
  'thread_reference',
  'other_sender',
  'missing_record',
  'virus',
  'spam',
  'unauthenticated',
  'automatic',
  'bulk',
  'sender_limit',
  'new_record_limit',
  'account_limit',
  'unreadable',
  'new_record',
  'released',
  'moved',
  'quarantined_by_user',
] as const;
export type WhyCode = (typeof whyCodes)[number];

const address = string({ maxLength: 320, examples: ['ada@example.com'] });

const Person = object({
  address,
  name: optional(string({ maxLength: mailLimits.personName, examples: ['Ada Byron'] })),
});
export type MailPerson = Static<typeof Person>;

const verdict = optional(string({ description: 'A verdict of SES, such as `PASS`.', examples: ['PASS'] }));

const Verdicts = object(
  {
    spf: verdict,
    dkim: verdict,
    dmarc: verdict,
    dmarcPolicy: optional(string({ description: '`none`, `quarantine` or `reject`.', examples: ['reject'] })),
    spam: verdict,
    virus: verdict,
  },
  { description: 'The results of the checks of SES. Only for incoming mail.' },
);

const Attachment = object({
  fileName: string({ maxLength: mailLimits.fileName, examples: ['scan.pdf'] }),
  contentType: string({ maxLength: 255, examples: ['application/pdf'] }),
  size: integer({ description: 'The size in bytes.', examples: [48_213] }),
  documentId: optional(recordId({ description: 'The document of the record that contains the file.' })),
  leftOut: optional(
    string({
      description: 'Why the file is no document. It remains in the raw mail.',
      examples: ['The type of the file is not allowed.'],
    }),
  ),
});
export type MailAttachment = Static<typeof Attachment>;

const Bounce = object({
  address,
  kind: oneOf(['permanent', 'transient', 'complaint']),
  at: dateTime(),
  diagnostic: optional(
    string({ maxLength: mailLimits.diagnostic, examples: ['smtp; 550 5.1.1 User unknown'] }),
  ),
});
export type MailBounce = Static<typeof Bounce>;

const Delivery = object({
  address,
  state: oneOf(['waiting', 'sent', 'bounced', 'complained', 'failed', 'unknown'], {
    description: 'The states are those of outgoing mails.',
  }),
  at: optional(dateTime({ description: 'When the state was recorded.' })),
  providerId: optional(
    string({
      maxLength: 250,
      description: 'The message id that SES assigned.',
      examples: ['0102018e4f7a1c2d-5b6c7d8e-9f00-4a1b-8c2d-3e4f5a6b7c8d-000000'],
    }),
  ),
  reason: optional(
    string({
      description:
        'Why the message was not sent: the error of SES, or its reason to reject an accepted message.',
      examples: ['MessageRejected'],
    }),
  ),
  repeated: optional(
    boolean({
      description:
        'True if the message was sent again, because the response of SES was lost. The recipient may have got it twice.',
    }),
  ),
});
export type MailDelivery = Static<typeof Delivery>;

const header = {
  direction: oneOf(mailDirections),
  state: oneOf(mailStates, {
    description:
      'Incoming: `received`; `held`: from a sender who does not take part in the thread, or whose address failed DMARC; `quarantined`; `report`: a delivery report. Outgoing: `waiting`, `sent`: SES accepted the mail; `bounced`; `complained`: a recipient reported the mail as spam; `failed`: not sent; `unknown`: the answer of SES was lost, so the mail may have been sent.',
  }),
  recordType: optional(
    oneOf(threadTypes, { description: 'The type of the record in whose thread the mail is.' }),
  ),
  recordId: optional(
    string({ description: 'The id of the record, as text.', examples: ['214563398120449'] }),
  ),
  automatic: boolean({ description: 'True if a program wrote the mail, such as an out-of-office reply.' }),
  from: Person,
  to: array(Person, { maxItems: mailLimits.recipients }),
  subject: string({ maxLength: mailLimits.subject, examples: ['The terminal does not print'] }),
  receivedAt: optional(dateTime({ description: 'When SES received the mail.' })),
  sentAt: optional(dateTime({ description: 'When SES accepted the mail.' })),
  commentId: optional(recordId({ description: 'The comment of the ticket with the text of the mail.' })),
  why: optional(
    object(
      {
        code: oneOf(whyCodes, {
          description:
            '`reply_address`, `thread_reference`: a signed address or Message-ID leads to the thread. `other_sender`: the sender does not take part in this thread. `missing_record`: the address or the record no longer exists. `unauthenticated`: the sender’s address is not proven. `sender_limit`, `new_record_limit`, `account_limit`: too many mails of the sender, too many new records by the sender, or too many mails to the account. `unreadable`: the mail is too large.',
        }),
        detail: optional(string({ examples: ['DMARC failed, and the policy of the domain is reject.'] })),
      },
      { description: 'Why the mail is where it is. Only for incoming mail.' },
    ),
  ),
};

const messageId = string({
  maxLength: mailLimits.messageId,
  examples: ['<b5a1c9d2@mail.example.com>'],
});

const fields = {
  ...header,
  cc: array(Person, { maxItems: mailLimits.recipients }),
  text: multilineText({
    maxLength: mailLimits.text,
    description: 'The whole text, at most 100 KB. The raw mail contains the rest.',
    examples: ['The terminal prints again. Thank you!\n\n> Did you change the paper?'],
  }),
  textCut: optional(boolean({ description: 'True if the text was longer.' })),
  visibleText: optional(
    multilineText({
      maxLength: mailLimits.visibleText,
      description: 'The text without quotations and signature. Absent if it is the whole text.',
      examples: ['The terminal prints again. Thank you!'],
    }),
  ),
  messageId,
  inReplyTo: optional(messageId),
  references: array(messageId, { maxItems: mailLimits.references }),
  verdicts: optional(Verdicts),
  attachments: array(Attachment, { maxItems: mailLimits.attachments }),
  leftOut: array(string({ examples: ['The mail has 120 attachments. The record lists the first 100.'] }), {
    maxItems: mailLimits.leftOut,
    description: 'Sentences about parts of the mail that the record does not contain.',
  }),
  providerId: optional(
    string({
      maxLength: 250,
      description: 'The message id that SES assigned.',
      examples: ['0102018e4f7a1c2d-5b6c7d8e-9f00-4a1b-8c2d-3e4f5a6b7c8d-000000'],
    }),
  ),
  deliveries: optional(
    array(Delivery, {
      maxItems: mailLimits.deliveries,
      description: 'The message to each recipient. Only for outgoing mail.',
    }),
  ),
  bounces: array(Bounce, { maxItems: mailLimits.bounces }),
  rawExpiresAt: optional(
    dateTime({ description: 'When the raw mail is deleted. Absent if there is no raw mail.' }),
  ),
};

/** A mail as GET /mails/{mailId} returns it. */
export const Mail = object({ ...recordFields, ...fields });
export type Mail = Static<typeof Mail>;

/**
 * A mail as it is stored. `rawKey` is the key of the raw mail in the bucket of files, and `addressId` the mail address that
 * received the mail.
 */
export interface StoredMail extends Mail {
  rawKey?: string;
  addressId?: number;
}

/** A mail as lists show it. */
export const MailSummary = object({
  ...recordFields,
  ...header,
  to: array(Person, { description: 'The first five recipients.' }),
  fromAddress: string({
    description: 'The address of the sender in lower case, for the filter.',
    examples: ['ada@example.com'],
  }),
  preview: string({
    description: 'The first 200 characters of the visible text.',
    examples: ['The terminal prints again. Thank you!'],
  }),
  attachmentCount: integer({ examples: [0] }),
});
export type MailSummary = Static<typeof MailSummary>;

export const MailParams = object({ mailId: recordId() });

/** The fields of the list of a record's mails. The list is short, so no index of the table applies its filters. */
export const mailOfRecordFields = {
  createdAt: ['sort'],
  direction: ['filter'],
  state: ['filter'],
  fromAddress: ['filter'],
  subject: ['search'],
} satisfies FieldUses;

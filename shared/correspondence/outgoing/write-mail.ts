import { cleanText } from '../../body-capture/clean-text.ts';
import type { StoredDocument } from '../../documents/schema.ts';
import { ApiError, type FieldError, invalid } from '../../errors.ts';
import type { MailAttachment, MailPerson } from '../mails/schema.ts';
import { maxParticipants, type StoredThread, withParticipant } from '../threads/schema.ts';
import { attachedName } from './attached-name.ts';
import type { MailDraft } from './queue-mail.ts';
import { subjectIn } from './references.ts';
import type { MailInputWithDocuments } from './schema.ts';

/**
 * The most bytes of all attachments of a mail. With the 4/3 of Base64, the mail stays below the 25 MB that large mail
 * providers accept (support.google.com/mail/answer/6584). SES accepts 40 MB.
 */
const largestAttachments = 15 * 1024 * 1024;

/** The person and time of a request that sends a mail. */
interface MailAuthor {
  user: string;
  now: Date;
}

/** A request to send a mail, with the records that it needs. */
interface MailRequest {
  body: MailInputWithDocuments;
  thread: StoredThread;
  /** The customer of the record, if it has a valid address. */
  customer: MailPerson | undefined;
  from: MailPerson;
  /** The documents with the ids in the body. */
  documents: readonly StoredDocument[];
  author: MailAuthor;
}

/**
 * Returns the mail of a request. All recipients take part in the thread from now on. Throws `invalid_input` if the record has
 * no customer and the request no recipient, if a text contains a sensitive value, or if the attachments are too large.
 */
export function draftOf({ body, thread, customer, from, documents, author }: MailRequest): MailDraft {
  refuseSensitiveValues({ subject: body.subject, body: body.body });
  const people = peopleOf(thread, customer);
  const named = (addresses: readonly string[] = []): MailPerson[] =>
    addresses.map((address) => people.find((one) => sameAddress(one.address, address)) ?? { address });
  const to = body.to ? named(body.to) : customer ? [customer] : [];
  if (to.length === 0) throw invalid('to', 'must be set, because the record has no valid email address');
  const cc = named(body.cc).filter(({ address }) => !to.some((one) => sameAddress(one.address, address)));
  return {
    thread: withRecipients(thread, [...to, ...cc], customer, author),
    ...{ from, to, cc },
    subject: body.subject ?? subjectIn(thread),
    text: body.body,
    automatic: false,
    attachments: attachmentsOf(documents),
  };
}

const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The people with a known name. */
const peopleOf = ({ participants }: StoredThread, customer: MailPerson | undefined): MailPerson[] => [
  ...(customer ? [customer] : []),
  ...participants.map(({ address, name }) => ({ address, ...(name !== undefined && { name }) })),
];

/** Throws `invalid_input` for texts with the form of a sensitive value. The error does not repeat the text. */
function refuseSensitiveValues(texts: Readonly<Record<string, string | undefined>>): void {
  const details = Object.entries(texts).flatMap(([field, text = '']): FieldError[] =>
    cleanText(text) === text
      ? []
      : [
          {
            field,
            message: 'must not contain a sensitive value, such as a card number or a social security number',
          },
        ],
  );
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

/** Adds the recipients to a thread, except the customer, who always takes part. Throws `invalid_input` if it is full. */
function withRecipients(
  thread: StoredThread,
  recipients: readonly MailPerson[],
  customer: MailPerson | undefined,
  { user, now }: MailAuthor,
): StoredThread {
  const others = recipients.filter(({ address }) => !customer || !sameAddress(address, customer.address));
  const after = others.reduce(
    (so, person) => withParticipant(so, { ...person, since: now.toISOString(), by: user }),
    thread,
  );
  const isIn = ({ address }: MailPerson) =>
    after.participants.some((one) => sameAddress(one.address, address));
  if (!others.every(isIn))
    throw invalid('to', `must not add people to a thread with ${maxParticipants} people`);
  return after;
}

function attachmentsOf(documents: readonly StoredDocument[]): MailAttachment[] {
  const bytes = documents.reduce((sum, { size }) => sum + size, 0);
  if (bytes > largestAttachments)
    throw invalid('documentIds', `must not attach more than ${largestAttachments / 1024 / 1024} MB`);
  return documents.map(({ id, name, contentType, size }) => ({
    fileName: attachedName(name, contentType),
    contentType,
    size,
    documentId: id,
  }));
}

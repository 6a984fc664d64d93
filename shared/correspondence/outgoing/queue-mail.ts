import { cleanText } from '../../body-capture/clean-text.ts';
import type { Effects } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { cutText } from '../../table/cut-text.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import { enqueueAllWrites } from '../../work-queue/enqueue.ts';
import { mailHappened } from '../mails/events.ts';
import type { MailAttachment, MailPerson, StoredMail } from '../mails/schema.ts';
import { mails } from '../mails/store.ts';
import type { StoredThread } from '../threads/schema.ts';
import { newMessageId } from '../threads/thread-token.ts';
import { headerText } from './compose-message.ts';
import { outgoingQueueOf, sendingId } from './keys.ts';
import { threadHeaders } from './references.ts';

/** An outgoing mail before it is stored. */
export interface MailDraft {
  /** The thread with all recipients, as it will be stored. */
  thread: StoredThread;
  from: MailPerson;
  to: readonly MailPerson[];
  cc?: readonly MailPerson[];
  subject: string;
  text: string;
  automatic: boolean;
  attachments?: readonly MailAttachment[];
  commentId?: number;
}

/** The content of a work item in the work queue of outgoing mails. */
export interface MailSending {
  mailId: number;
  /** The recipient. */
  address: string;
}

/** Work items are kept as long as those of messages, in milliseconds. */
const kept = 30 * 86_400_000;
/** In bytes. REDACTED may make a subject longer. */
const longestSubject = 800;
const cutSentence =
  'Parts of the text or the subject that look like sensitive values are replaced by REDACTED.';

/**
 * Returns the mail that is sent, and the writes and events that store and enqueue it. Each recipient gets an own message,
 * because a reply address is valid only for one recipient. Texts with the form of a sensitive value, such as card numbers,
 * are replaced. Throws `mail_unavailable`.
 */
export async function queueMail(
  draft: MailDraft,
  request: Authored & { account: AccountId },
): Promise<Effects & { mail: StoredMail }> {
  const { account, now } = request;
  const mail = await mailFrom(draft, request);
  const expires = new Date(now.getTime() + kept);
  const items = (mail.deliveries ?? []).map(({ address }, n) => ({
    id: sendingId(mail.id, n),
    due: now,
    content: { mailId: mail.id, address },
    expires,
  }));
  return {
    mail,
    writes: [...mails.insert(mail), ...enqueueAllWrites<MailSending>(outgoingQueueOf(account), items, now)],
    events: mailHappened('mail_queued', mail, {}),
  };
}

async function mailFrom(
  { thread, to, cc = [], attachments = [], commentId, ...draft }: MailDraft,
  request: Authored & { account: AccountId },
): Promise<StoredMail> {
  const { from, automatic } = draft;
  const fields = newRecord(request);
  const line = cutText(headerText(draft.subject), longestSubject);
  const [subject, text] = [cleanText(line), cleanText(draft.text)];
  const isCut = subject !== line || text !== draft.text;
  const deliveries = recipientsOf([...to, ...cc]).map(({ address }) => ({
    address,
    state: 'waiting' as const,
  }));
  const [first] = deliveries;
  if (!first) throw new Error('The mail has no recipient.');
  const messageId = await newMessageId(request.account, thread, first.address, fields.id);
  const { references, inReplyTo } = threadHeaders(messageId, thread.messageIds);
  return {
    ...fields,
    ...{ direction: 'outgoing', state: 'waiting', recordType: thread.recordType, recordId: thread.recordId },
    ...{ automatic, from, to: [...to], cc: [...cc], subject, text, messageId },
    ...(inReplyTo !== undefined && { inReplyTo }),
    references: references.slice(1),
    attachments: [...attachments],
    leftOut: isCut ? [cutSentence] : [],
    bounces: [],
    deliveries,
    ...(commentId !== undefined && { commentId }),
  };
}

/** Returns the recipients, each address once. Its case is ignored. */
const recipientsOf = (people: readonly MailPerson[]): MailPerson[] =>
  people.filter(
    ({ address }, n) => people.findIndex((one) => one.address.toLowerCase() === address.toLowerCase()) === n,
  );

import { systemActor } from '../../events/system-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import { cutText, firstCharacters } from '../../table/cut-text.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import { type MailAttachment, mailLimits, type StoredMail } from '../mails/schema.ts';
import type { ThreadOf } from '../threads/schema.ts';
import { unreadMailIn } from './mail-texts.ts';
import type { ParsedMail } from './parse-mail.ts';
import type { ReceivedMail } from './read-notification.ts';
import { visibleText } from './visible-text.ts';

/** Raw mails are deleted after 30 days, by a lifecycle rule of the bucket. */
const rawKeptFor = 30 * 86_400_000;

/** The author of everything that a received mail causes, besides the mail itself and its comment. */
export const receiving = (now: Date): Authored => ({ principal: { actor: systemActor }, now });

/** What the decision adds to the record of a mail. */
interface Decided extends Pick<StoredMail, 'state' | 'why' | 'automatic' | 'addressId'> {
  thread?: ThreadOf;
  attachments: MailAttachment[];
  commentId?: number;
  leftOut?: readonly string[];
}

interface Received {
  account: AccountId;
  id: number;
  received: ReceivedMail;
  parsed: ParsedMail;
}

/** Builds the record of a received mail. */
export function recordOfMail(
  { account, id, received, parsed }: Received,
  decided: Decided,
  now: Date,
): StoredMail {
  const { from, to, cc, subject, text, textCut, messageId, inReplyTo, references } = parsed;
  const { thread, leftOut = [], ...rest } = decided;
  const visible = cutText(visibleText(text), mailLimits.visibleText);
  return bounded({
    ...newRecord({ ...receiving(now), account }, id),
    direction: 'incoming',
    ...rest,
    ...thread,
    from: from[0] ?? { address: received.envelopeSender },
    ...{ to, cc, subject, text, messageId, references },
    ...(textCut && { textCut }),
    ...(visible !== text && { visibleText: visible }),
    ...(inReplyTo[0] !== undefined && { inReplyTo: inReplyTo[0] }),
    verdicts: received.verdicts,
    leftOut: [...parsed.leftOut, ...leftOut],
    receivedAt: received.receivedAt.toISOString(),
    providerId: received.providerId,
    bounces: [],
    rawExpiresAt: new Date(received.receivedAt.getTime() + rawKeptFor).toISOString(),
    rawKey: received.objectKey,
  });
}

/** In bytes. An item has at most 300 KB, and later changes add bounces and ids. */
const largest = 240 * 1024;
const [fewPeople, fewAttachments] = [10, 30];

/** Shortens the lists of a mail whose item would be too large. */
function bounded(mail: StoredMail): StoredMail {
  if (Buffer.byteLength(JSON.stringify(mail)) <= largest) return mail;
  const { visibleText: _, ...rest } = mail;
  const shortened = `Recipients after the first ${fewPeople}, and attachments after the first ${fewAttachments}.`;
  return {
    ...rest,
    to: mail.to.slice(0, fewPeople),
    cc: mail.cc.slice(0, fewPeople),
    attachments: mail.attachments.slice(0, fewAttachments),
    leftOut: [...mail.leftOut, shortened],
  };
}

/** The longest text of a comment, in characters. */
const longestComment = 9_900;

/** What a record contains in place of the text of a mail that has none. */
export const withoutText = ({ leftOut }: Pick<StoredMail, 'leftOut'>): string =>
  `(${unreadMailIn(leftOut) ?? 'The mail has no text.'})`;

/** The text of a mail in a comment: what its author wrote, without quotations. */
export function commentText(mail: Pick<StoredMail, 'visibleText' | 'text' | 'leftOut'>): string {
  const whole = mail.visibleText ?? mail.text;
  const shown = firstCharacters(whole, longestComment);
  if (shown.trim() === '') return withoutText(mail);
  return shown === whole ? shown : `${shown}\n(The rest of the text is in the mail.)`;
}

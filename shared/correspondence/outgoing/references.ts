import type { StoredThread } from '../threads/schema.ts';

/** A Message-ID that can be written into a header: printable ASCII in angle brackets (RFC 5322, section 3.6.4). */
const messageIdSyntax = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,400}@[\x21-\x3b\x3d\x3f-\x7e]{1,255}>$/;

const isMessageId = (text: string): boolean => messageIdSyntax.test(text);

/**
 * Returns the headers that put a mail into its thread. `root` is our signed id of the thread, which begins `References`,
 * because SES replaces the Message-ID of outgoing mails. Invalid ids of other senders are left out.
 */
export function threadHeaders(root: string, messageIds: readonly string[]) {
  const valid = messageIds.filter(isMessageId);
  const inReplyTo = valid.at(-1);
  return { references: [...new Set([root, ...valid])], ...(inReplyTo !== undefined && { inReplyTo }) };
}

/**
 * Returns the Message-ID that SES writes into a mail, from the id in its response (SES Developer Guide, "Raw email":
 * SES overrides the header with its own).
 */
export function sesMessageId(providerId: string): string {
  const { AWS_REGION: region = 'us-east-1' } = process.env;
  return `<${providerId}@${region === 'us-east-1' ? 'email' : region}.amazonses.com>`;
}

/** Returns the id of SES in a Message-ID that SES wrote, with or without angle brackets. Undefined for other ids. */
export const providerIdIn = (messageId: string): string | undefined =>
  /^<?([\w-]{1,200})@(?:email|[a-z]{2}(?:-[a-z]+)+-\d)\.amazonses\.com>?$/.exec(messageId.trim())?.[1];

/** Returns the subject of the next mail in a thread. */
export const subjectIn = ({ subject, messageIds }: Pick<StoredThread, 'subject' | 'messageIds'>): string =>
  messageIds.length > 0 ? replySubject(subject) : subject;

/** Returns the subject of a reply. Other languages’ prefixes stay, because mail clients thread by `Re:` only. */
export const replySubject = (subject: string): string =>
  /^re:/i.test(subject.trim()) ? subject.trim() : `Re: ${subject.trim()}`;

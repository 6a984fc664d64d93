import { cutText, firstCharacters } from '../../table/cut-text.ts';
import type { MailSummary, StoredMail } from './schema.ts';

/** The most bytes of a summary: 5 recipients, the sender, a subject of 998 bytes and a preview of 800 bytes. */
export const largestMailSummary = 6 * 1024;
const [shownRecipients, previewLength, previewBytes] = [5, 200, 800];

/** Returns a mail as lists show it. */
export function summarizeMail(mail: StoredMail): MailSummary {
  const {
    cc,
    text,
    textCut,
    visibleText = text,
    messageId,
    inReplyTo,
    references,
    verdicts,
    attachments,
    leftOut,
    providerId,
    deliveries,
    bounces,
    rawExpiresAt,
    rawKey,
    addressId,
    ...header
  } = mail;
  const oneLine = firstCharacters(
    visibleText
      .slice(0, 4 * previewLength)
      .replace(/\s+/g, ' ')
      .trim(),
    previewLength,
  );
  return {
    ...header,
    to: mail.to.slice(0, shownRecipients),
    fromAddress: mail.from.address.toLowerCase(),
    preview: cutText(oneLine, previewBytes),
    attachmentCount: attachments.length,
  };
}

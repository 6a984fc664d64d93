import MailComposer from 'nodemailer/lib/mail-composer';
import { messageHtml } from './message-html.ts';

/** An address with an optional display name. */
interface NamedAddress {
  address: string;
  name?: string | undefined;
}

/** The parts of a message to one recipient. `to` and `cc` are the headers, not the recipient. */
export interface MessageParts {
  from: NamedAddress;
  to: readonly NamedAddress[];
  cc: readonly NamedAddress[];
  replyTo: string;
  subject: string;
  text: string;
  messageId: string;
  inReplyTo?: string;
  references: readonly string[];
  /** True for mails that no person wrote. Mail servers must not respond to them automatically (RFC 3834). */
  automatic: boolean;
  date: Date;
  attachments?: readonly { fileName: string; contentType: string; content: Buffer }[];
}

/** Exchange does not read `Auto-Submitted` (Microsoft, MS-OXCMAIL, section 2.2.3.2.14). */
const automaticHeaders = { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' };

/**
 * Composes a message as MIME: plain text, simple HTML, and attachments. All line breaks and control characters in header
 * texts become spaces, so that no text adds a header.
 */
export function composeMessage(parts: MessageParts): Promise<Buffer> {
  const { from, to, cc, subject, text, references, automatic, attachments = [] } = parts;
  const { replyTo, messageId, inReplyTo, date } = parts;
  return new MailComposer({
    // Only named fields, because other fields of a record could be options of the composer, such as `bcc`.
    ...{ replyTo, messageId, date },
    ...(inReplyTo !== undefined && { inReplyTo }),
    from: asAddress(from),
    to: to.map(asAddress),
    ...(cc.length > 0 && { cc: cc.map(asAddress) }),
    subject: headerText(subject),
    references: [...references],
    text,
    html: messageHtml(text),
    ...(automatic && { headers: automaticHeaders }),
    attachments: attachments.map(({ fileName, contentType, content }) => ({
      filename: headerText(fileName),
      contentType,
      content,
    })),
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/**
 * Replaces line breaks, other control characters and invisible characters of a text by single spaces. Joiners stay, because
 * they change words of some scripts, and emoji.
 */
export const headerText = (text: string): string =>
  text.replaceAll(/(?:(?![\u200c\u200d])[\p{C}\p{Z}\s])+/gu, ' ').trim();

const asAddress = ({ address, name = '' }: NamedAddress) => ({
  address: headerText(address),
  name: headerText(name),
});

import PostalMime, {
  type Address,
  type Attachment,
  addressParser,
  decodeWords,
  type Email,
} from 'postal-mime';
import { cutText } from '../../table/cut-text.ts';
import { firstAndNewest } from '../mails/first-and-newest.ts';
import { type MailPerson, mailLimits } from '../mails/schema.ts';
import { BoundedParser, MailTooComplex } from './bounded-parser.ts';
import { type ReportedRecipient, readDeliveryStatus, readFeedbackReport } from './delivery-report.ts';
import { lineOf, mailAddressIn, mailText, unreadMail, wellFormed } from './mail-texts.ts';

/**
 * The limits of a parsed mail. A mail above a limit is not rejected: the raw mail stays complete, and `leftOut` says what
 * the result does not contain. bounded-parser.ts has the limits of parts and lines.
 */
export const parserLimits = {
  /** In bytes: 30 MB. */
  raw: 30 * 1024 * 1024,
  /** Levels of parts in parts. */
  nesting: 30,
  /** Of all parts together, in bytes. */
  headers: 256 * 1024,
  /** The largest HTML text that is converted to plain text, in UTF-16 code units. */
  html: 1024 * 1024,
} as const;

export interface ParsedAttachment {
  fileName: string;
  /** The declared type, in lower case. */
  contentType: string;
  content: Uint8Array;
}

export interface ParsedMail {
  /** All senders of all From headers. Normally one. */
  from: MailPerson[];
  to: MailPerson[];
  cc: MailPerson[];
  /** May be empty. */
  subject: string;
  /** May be empty. */
  text: string;
  textCut: boolean;
  /** With angle brackets; empty if the mail has none. */
  messageId: string;
  inReplyTo: string[];
  references: string[];
  attachments: ParsedAttachment[];
  /** Sentences about what the other fields do not contain. */
  leftOut: string[];
  /** Returns the values of a header, by its name in lower case. */
  header(name: string): string[];
  /** What the mail reports, if it is a delivery report (RFC 3464), a receipt (RFC 8098) or a complaint (RFC 5965). */
  report?: { recipients: ReportedRecipient[]; original?: OriginalMail };
}

/** The ids in the returned headers of a reported mail. */
interface OriginalMail {
  messageId: string;
  references: string[];
  replyTo: MailPerson[];
}

/** Parses a raw mail. Never throws: if the structure of a mail is above a limit, only its header is parsed. */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  try {
    return await parsedWhole(raw);
  } catch (error) {
    const nested = `its parts are nested deeper than ${parserLimits.nesting} levels, or its headers are too large`;
    return parsedHeader(raw, error instanceof MailTooComplex ? error.message : nested);
  }
}

/** Parses the header of a mail whose body is not parsed. `reason` is a clause, such as `it is larger than 30 MB`. */
export async function parsedHeader(raw: Uint8Array, reason: string): Promise<ParsedMail> {
  const header = await parsedOrNothing(headerOf(raw));
  return { ...fieldsOf(header), text: '', textCut: false, attachments: [], leftOut: [unreadMail(reason)] };
}

const options = {
  forceRfc822Attachments: true,
  maxNestingDepth: parserLimits.nesting,
  maxHeadersSize: parserLimits.headers,
};

async function parsedWhole(raw: Uint8Array): Promise<ParsedMail> {
  const parser = new BoundedParser(options);
  const email = await parser.parse(raw);
  const fields = fieldsOf(email);
  const { text, textCut, sentences } = await textIn(email, parser.textCut);
  const { attachments, report } = await partsIn(email);
  const kept = attachments.slice(0, mailLimits.attachments);
  const leftOut = [...fields.leftOut, ...sentences];
  if (kept.length < attachments.length)
    leftOut.push(`${attachments.length - kept.length} attachments after the first ${kept.length}.`);
  return {
    ...fields,
    text,
    textCut,
    attachments: kept.map(attachmentOf),
    leftOut,
    ...(report && { report }),
  };
}

/** Returns the header as a mail without a body. A header above the limit is cut after a line. */
function headerOf(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(
    raw.buffer,
    raw.byteOffset,
    Math.min(raw.byteLength, parserLimits.headers),
  ).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.lastIndexOf('\n');
  return raw.subarray(0, Math.max(end, 0));
}

async function parsedOrNothing(raw: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(raw, options);
  } catch {
    return PostalMime.parse('');
  }
}

function fieldsOf(email: Email): Omit<ParsedMail, 'text' | 'textCut' | 'attachments'> {
  const header = (name: string) => email.headers.filter(({ key }) => key === name).map(({ value }) => value);
  const leftOut: string[] = [];
  const within = <T>(values: T[], most: number, name: string): T[] => {
    if (values.length > most) leftOut.push(`${values.length - most} of ${values.length} ${name}.`);
    return values.slice(0, most);
  };
  const { recipients, references: mostReferences } = mailLimits;
  const references = idsIn(header('references'));
  return {
    from: peopleIn(header('from').flatMap((value) => addressParser(value))).slice(0, recipients),
    to: within(peopleIn(email.to), recipients, 'recipients in To'),
    cc: within(peopleIn(email.cc), recipients, 'recipients in Cc'),
    subject: lineOf(email.subject ?? '', mailLimits.subject),
    messageId: idsIn(header('message-id'))[0] ?? '',
    inReplyTo: idsIn(header('in-reply-to')).slice(0, mostReferences),
    references: firstAndNewest(references, mostReferences),
    leftOut,
    header,
  };
}

function peopleIn(addresses: readonly Address[] = []): MailPerson[] {
  return addresses
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ address: written, name }): MailPerson[] => {
      const address = mailAddressIn(written);
      const shown = lineOf(decodeWords(name ?? ''), mailLimits.personName);
      return address ? [{ address, ...(shown && { name: shown }) }] : [];
    });
}

/** Returns the message ids in headers, with their angle brackets. Ignores ids that are too long. */
const idsIn = (headers: readonly string[]): string[] =>
  headers
    .flatMap((value) => [...value.matchAll(/<[^<>\s]+>/g)].map(([id]) => wellFormed(id)))
    .filter((id) => id.length <= mailLimits.messageId && lineOf(id, mailLimits.messageId) === id);

async function textIn(
  email: Email,
  isPartCut: boolean,
): Promise<{ text: string; textCut: boolean; sentences: string[] }> {
  const { html = '' } = email;
  // Some programs add a blank plain text to the HTML.
  const plain = email.text?.trim() ? email.text : undefined;
  const isCut = isPartCut || (plain === undefined && html.length > parserLimits.html);
  const whole = mailText(plain ?? (await textOfHtml(wellFormed(html.slice(0, parserLimits.html)))));
  const text = cutText(whole, mailLimits.text);
  const textCut = isCut || text.length < whole.length;
  const sentences: string[] = [];
  if (textCut) sentences.push('The end of the text.');
  if (html !== '') sentences.push('The formatting of the text.');
  return { text, textCut, sentences };
}

/** Converts HTML to plain text. The parser does this for mails that also contain a plain text, so this adds a blank one. */
async function textOfHtml(html: string): Promise<string> {
  if (html === '') return '';
  const part = (type: string, text: string) =>
    [`Content-Type: ${type}; charset=utf-8`, '', text].join('\r\n');
  const separator = `--${crypto.randomUUID()}`;
  const mail = [
    `Content-Type: multipart/mixed; boundary="${separator.slice(2)}"`,
    '',
    separator,
    part('text/plain', ' '),
    separator,
    part('text/html', html),
    `${separator}--`,
  ].join('\r\n');
  const { text = '' } = await PostalMime.parse(mail, options);
  return text.trim();
}

/** Returns the attachments, and the report that they contain. */
async function partsIn(email: Email): Promise<{ attachments: Attachment[]; report?: ParsedMail['report'] }> {
  const { attachments } = email;
  const partOf = (...types: string[]) => attachments.find(({ mimeType }) => types.includes(mimeType));
  const [status, feedback, receipt] = [
    partOf('message/delivery-status', 'message/global-delivery-status'),
    partOf('message/feedback-report'),
    partOf('message/disposition-notification', 'message/global-disposition-notification'),
  ];
  const evidence = status ?? feedback ?? receipt;
  if (!evidence) return { attachments };
  const text = reportText(evidence);
  const recipients = status ? readDeliveryStatus(text) : feedback ? readFeedbackReport(text) : [];
  const returned = partOf(
    'message/rfc822',
    'text/rfc822-headers',
    'message/global',
    'message/global-headers',
  );
  const original = returned && originalOf(await parsedOrNothing(headerOf(bytesOf(returned))));
  return { attachments, report: { recipients, ...(original && { original }) } };
}

const longestReport = 64 * 1024;
const reportText = (part: Attachment): string =>
  Buffer.from(bytesOf(part).subarray(0, longestReport)).toString('utf8');

function originalOf(email: Email): OriginalMail {
  const { messageId, references, inReplyTo } = fieldsOf(email);
  return {
    messageId,
    references: [...references, ...inReplyTo],
    replyTo: peopleIn(email.replyTo).slice(0, 10),
  };
}

const attachmentOf = (attachment: Attachment): ParsedAttachment => ({
  fileName: lineOf(attachment.filename ?? '', mailLimits.fileName) || 'unnamed',
  contentType: lineOf(attachment.mimeType, 100).toLowerCase() || 'application/octet-stream',
  content: bytesOf(attachment),
});

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string'
    ? Buffer.from(content)
    : content instanceof Uint8Array
      ? content
      : new Uint8Array(content);

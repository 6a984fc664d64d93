import type { Event } from '../../events/envelope.ts';
import { happeningOf } from '../../events/kinds.ts';
import { parseEvent } from '../../events/read-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Happening } from '../../resources/registry.ts';

/**
 * The messages of the queue `incoming`: SES's notifications of received mails, its events of sent mails, and our events of
 * released and moved mails. SNS delivers the messages of SES without an envelope (raw message delivery). Formats:
 * docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html and
 * docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */

/** The results of SES's checks. `GRAY`: not decided. `PROCESSING_FAILED`: the check failed. */
export const verdictValues = ['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED'] as const;
export type Verdict = (typeof verdictValues)[number];

/** The policies of a sender's domain for mails that fail DMARC. */
const dmarcPolicies = ['none', 'quarantine', 'reject'] as const;
type DmarcPolicy = (typeof dmarcPolicies)[number];

export interface Verdicts {
  spf: Verdict;
  dkim: Verdict;
  dmarc: Verdict;
  /** Present only if the mail failed DMARC. */
  dmarcPolicy?: DmarcPolicy;
  spam: Verdict;
  virus: Verdict;
}

/** A mail that SES received and stored in the bucket. */
export interface ReceivedMail {
  /** SES's id of the mail. A notification that is delivered again has the same id. */
  providerId: string;
  /** When SES received the mail. */
  receivedAt: Date;
  /** The envelope sender in lower case; empty for the null return path (`<>`). */
  envelopeSender: string;
  /** The envelope recipients that the receipt rule matched. */
  recipients: readonly string[];
  verdicts: Verdicts;
  /** The key of the raw mail in the bucket. */
  objectKey: string;
}

/** An event about a mail that the service sent: a delivery, a bounce, a complaint. */
type SendingEvent = Readonly<Record<string, unknown>> & { eventType: string };

/** A mail that a user released or moved. */
export interface RuledMailName {
  account: AccountId;
  mailId: number;
}

export type QueuedMail =
  | { type: 'received'; mail: ReceivedMail }
  | { type: 'sending'; event: SendingEvent }
  | { type: 'ruled'; mail: RuledMailName }
  /** A message that needs no action, such as SES's confirmation of a new topic. */
  | { type: 'ignored' };

/** SES sends this text when a topic is added to a configuration set. */
const confirmation = /^Successfully validated SNS topic/;
/** The id of the test mail that SES stores in the bucket, and reports to the topic, when a receipt rule is created. */
const testMail = 'AMAZON_SES_SETUP_NOTIFICATION';

/** Parses the body of a message. Returns undefined if the body has another format. */
export function readNotification(body: string): QueuedMail | undefined {
  if (confirmation.test(body)) return { type: 'ignored' };
  const event = parseEvent(body);
  if (event) return ruledMail(event);
  const message = fieldsOf(parsed(body));
  if (message.notificationType === 'Received') {
    if (fieldsOf(message.mail).messageId === testMail) return { type: 'ignored' };
    const mail = receivedMail(message);
    return mail && { type: 'received', mail };
  }
  const { eventType } = message;
  return typeof eventType === 'string' ? { type: 'sending', event: { ...message, eventType } } : undefined;
}

/** The happenings after which attachments of a mail become documents. */
const rulings: readonly (Happening | undefined)[] = ['mail_released', 'mail_moved'] satisfies Happening[];

/** Reports whether an event says that a user released or moved a mail. */
export const isRuling = (event: Pick<Event, 'kind' | 'data'>): boolean =>
  rulings.includes(happeningOf(event));

function ruledMail({ accountId, kind, data }: Event): QueuedMail | undefined {
  if (!isRuling({ kind, data }) || !('recordId' in data)) return undefined;
  return { type: 'ruled', mail: { account: accountId, mailId: Number(data.recordId) } };
}

function receivedMail(message: Fields): ReceivedMail | undefined {
  const [mail, receipt] = [fieldsOf(message.mail), fieldsOf(message.receipt)];
  const { objectKey } = fieldsOf(receipt.action);
  const { messageId, source } = mail;
  const receivedAt = new Date(String(receipt.timestamp ?? mail.timestamp));
  const recipients = Array.isArray(receipt.recipients) ? receipt.recipients : [];
  if (typeof messageId !== 'string' || messageId === '' || Number.isNaN(receivedAt.getTime()))
    return undefined;
  if (typeof objectKey !== 'string' || !objectKey.endsWith(messageId)) return undefined;
  if (recipients.length === 0 || !recipients.every((one) => typeof one === 'string')) return undefined;
  const policy = dmarcPolicies.find((one) => one === String(receipt.dmarcPolicy ?? '').toLowerCase());
  return {
    providerId: messageId,
    receivedAt,
    envelopeSender: envelopeSender(source),
    recipients,
    verdicts: {
      spf: verdictOf(receipt.spfVerdict),
      dkim: verdictOf(receipt.dkimVerdict),
      dmarc: verdictOf(receipt.dmarcVerdict),
      ...(policy && { dmarcPolicy: policy }),
      spam: verdictOf(receipt.spamVerdict),
      virus: verdictOf(receipt.virusVerdict),
    },
    objectKey,
  };
}

const envelopeSender = (source: unknown): string =>
  String(source ?? '')
    .trim()
    .replace(/^<(.*)>$/, '$1')
    .toLowerCase();

/** An unknown or missing verdict counts as a check that failed. */
const verdictOf = (value: unknown): Verdict =>
  verdictValues.find((one) => one === fieldsOf(value).status) ?? 'PROCESSING_FAILED';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

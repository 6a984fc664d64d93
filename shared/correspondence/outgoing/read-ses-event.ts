import { asAccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import type { MailFeedback } from './record-feedback.ts';

/**
 * The part of an event of SES that is read. Every field may be missing. A rejection has only a reason, such as `Bad content` for
 * a virus. A `Rendering Failure` concerns only mails with templates of SES. Source:
 * docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
interface SesEvent {
  eventType?: unknown;
  mail?: {
    messageId?: unknown;
    tags?: Record<string, unknown> | null;
    destination?: unknown;
    timestamp?: unknown;
  };
  bounce?: { bounceType?: unknown; bouncedRecipients?: unknown; timestamp?: unknown };
  complaint?: { complaintSubType?: unknown; complainedRecipients?: unknown; timestamp?: unknown };
  delivery?: { recipients?: unknown; timestamp?: unknown };
  reject?: { reason?: unknown };
}

/** Reads the JSON of an event of SES. Undefined for other events, and for mails without our tags, such as notifications. */
export function readSesEvent(json: unknown): MailFeedback | undefined {
  const event: SesEvent = typeof json === 'object' && json !== null ? json : {};
  const { tags, messageId, destination, timestamp } = event.mail ?? {};
  const account = asAccountId(tagIn(tags?.account));
  const id = asRecordId(tagIn(tags?.mail));
  if (!account || id === undefined || typeof messageId !== 'string') return undefined;
  const mail = { account, mail: { id, providerId: messageId } };
  const { bounce, complaint, delivery, reject } = event;
  if (event.eventType === 'Bounce' && bounce) {
    const recipients = recipientsIn(bounce.bouncedRecipients);
    const permanent = bounce.bounceType === 'Permanent';
    if (!permanent && !isFailure(bounce.bouncedRecipients)) return undefined;
    return { ...mail, outcome: 'bounced', permanent, recipients, at: timeIn(bounce.timestamp) };
  }
  if (event.eventType === 'Complaint' && complaint) {
    const recipients = recipientsIn(complaint.complainedRecipients);
    const [at, diagnostic] = [timeIn(complaint.timestamp), textIn(complaint.complaintSubType)];
    // A complaint with a subtype (`OnAccountSuppressionList`) is about an earlier mail. SES did not send this one.
    return diagnostic === ''
      ? { ...mail, outcome: 'complained', recipients, at }
      : { ...mail, outcome: 'rejected', recipients: diagnosed(recipients, diagnostic), at };
  }
  if (event.eventType === 'Reject' && reject) {
    const recipients = diagnosed(recipientsIn(destination), `Reject: ${textIn(reject.reason)}`);
    return { ...mail, outcome: 'rejected', recipients, at: timeIn(timestamp) };
  }
  if (event.eventType !== 'Delivery' || !delivery) return undefined;
  return {
    ...mail,
    outcome: 'delivered',
    recipients: recipientsIn(delivery.recipients),
    at: timeIn(delivery.timestamp),
  };
}

const diagnosed = (recipients: MailFeedback['recipients'], diagnostic: string): MailFeedback['recipients'] =>
  recipients.map((one) => ({ ...one, diagnostic }));

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const tagIn = (values: unknown): string => (Array.isArray(values) ? textIn(values[0]) : '');

/** Reads recipients as objects with details, or as addresses. */
const recipientsIn = (recipients: unknown): MailFeedback['recipients'] =>
  (Array.isArray(recipients) ? recipients : []).flatMap((one: unknown) => {
    if (typeof one === 'string') return [{ address: one }];
    const { emailAddress, diagnosticCode } = (one ?? {}) as {
      emailAddress?: unknown;
      diagnosticCode?: unknown;
    };
    if (typeof emailAddress !== 'string') return [];
    return [
      { address: emailAddress, ...(typeof diagnosticCode === 'string' && { diagnostic: diagnosticCode }) },
    ];
  });

/**
 * Reports whether a bounce that is not permanent contains the failure of a delivery report. Otherwise it is an automatic reply of
 * the recipient, such as an out-of-office reply, which SES also reports as a bounce, or the report of a delay. Sources:
 * github.com/mozilla/fxa-auth-server/issues/1943, and the bounce object of the page above, on fields of delivery reports.
 */
const isFailure = (recipients: unknown): boolean =>
  Array.isArray(recipients) &&
  recipients.some((one: unknown) => {
    const { action, status, diagnosticCode } = (one ?? {}) as Record<string, unknown>;
    return action === undefined
      ? status !== undefined || diagnosticCode !== undefined
      : textIn(action).toLowerCase() === 'failed';
  });

/** An invalid time is replaced by the current time, so that the report is not lost. */
function timeIn(timestamp: unknown): Date {
  const at = new Date(textIn(timestamp));
  return Number.isNaN(at.getTime()) ? new Date() : at;
}

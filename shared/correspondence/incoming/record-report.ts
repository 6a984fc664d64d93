import type { AccountId } from '../../id/account-id.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { mails } from '../mails/store.ts';
import { type MailFeedback, recordFeedback } from '../outgoing/record-feedback.ts';
import type { ThreadOf } from '../threads/schema.ts';
import type { ReportedRecipient } from './delivery-report.ts';
import type { OpenedMail } from './mail-facts.ts';

/** The ids of a report that are searched for the mail that it is about. */
const mostIds = 25;

/**
 * Records a received report on the mail that it is about. Returns the thread of this mail; undefined if the report names no
 * mail of the account. Idempotent.
 */
export async function recordReport(
  { parsed, received }: OpenedMail,
  account: AccountId,
  run: Run,
): Promise<ThreadOf | undefined> {
  const { report } = parsed;
  if (!report) return undefined;
  const { original } = report;
  const ids = [
    ...(original ? [original.messageId, ...original.references.toReversed()] : []),
    ...parsed.inReplyTo,
    ...parsed.references.toReversed(),
  ];
  const messageIds = [...new Set(ids.filter((id) => id !== ''))].slice(0, mostIds);
  let found: number | undefined;
  for (const feedback of feedbacksOf(report.recipients))
    found = await recordFeedback(
      { ...feedback, account, mail: { messageIds }, at: received.receivedAt },
      run,
    );
  const mail = found === undefined ? undefined : await mails.find(account, found);
  const { recordType, recordId } = mail ?? {};
  return recordType === undefined || recordId === undefined ? undefined : { recordType, recordId };
}

const kinds = {
  permanent: { outcome: 'bounced', permanent: true },
  transient: { outcome: 'bounced', permanent: false },
  complaint: { outcome: 'complained' },
} as const satisfies Record<ReportedRecipient['kind'], Pick<MailFeedback, 'outcome' | 'permanent'>>;

/** Groups the recipients of a report by their outcome. */
const feedbacksOf = (recipients: readonly ReportedRecipient[]) =>
  (['permanent', 'transient', 'complaint'] as const).flatMap((kind) => {
    const ofKind = recipients.filter((one) => one.kind === kind);
    return ofKind.length === 0 ? [] : [{ ...kinds[kind], recipients: ofKind }];
  });

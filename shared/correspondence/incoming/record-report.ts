import type { AccountId } from '../../id/account-id.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { mails } from '../mails/store.ts';
import { type MailFeedback, recordFeedback } from '../outgoing/record-feedback.ts';
import type { ThreadOf } from '../threads/schema.ts';
import type { ReportedRecipient } from './delivery-report.ts';
import type { OpenedMail } from './mail-facts.ts';

/** The texts of a returned header that are read as tokens. Our token is the reply address, and the first of References. */
const mostProofs = 12;

/**
 * Records a received report on the mail whose header it returns. Returns the thread of this mail; undefined if the report
 * returns no header of a mail of the account. Idempotent. Other ids in the report name other mails of the thread, so they
 * are ignored.
 */
export async function recordReport(
  { parsed, received }: OpenedMail,
  account: AccountId,
  run: Run,
): Promise<ThreadOf | undefined> {
  const { original, recipients = [] } = parsed.report ?? {};
  if (!original || original.messageId === '') return undefined;
  const { messageId, replyTo, references } = original;
  const proofs = [...replyTo.map(({ address }) => address), ...references].slice(0, mostProofs);
  let found: number | undefined;
  for (const feedback of feedbacksOf(recipients))
    found = await recordFeedback(
      { ...feedback, account, mail: { messageId, proofs }, at: received.receivedAt },
      run,
    );
  const mail = found === undefined ? undefined : await mails.find(account, found);
  const { recordType, recordId } = mail ?? {};
  return recordType === undefined || recordId === undefined ? undefined : { recordType, recordId };
}

const kinds = {
  permanent: { outcome: 'bounced', permanent: true },
  complaint: { outcome: 'complained' },
} as const satisfies Record<ReportedRecipient['kind'], Pick<MailFeedback, 'outcome' | 'permanent'>>;

/** Groups the recipients of a report by their outcome. */
const feedbacksOf = (recipients: readonly ReportedRecipient[]) =>
  (['permanent', 'complaint'] as const).flatMap((kind) => {
    const ofKind = recipients.filter((one) => one.kind === kind);
    return ofKind.length === 0 ? [] : [{ ...kinds[kind], recipients: ofKind }];
  });

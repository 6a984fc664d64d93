import { accounts } from '../../accounts/store.ts';
import { ApiError } from '../../errors.ts';
import { tickets } from '../../support/tickets/store.ts';
import { revise } from '../../table/revise.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { mailHappened } from '../mails/events.ts';
import type { StoredMail } from '../mails/schema.ts';
import { mails } from '../mails/store.ts';
import { changeMail, type MailChange } from '../outgoing/change-mail.ts';
import { addDocumentsToTicket } from './add-to-ticket.ts';
import type { ParsedAttachment } from './parse-mail.ts';
import type { RuledMailName } from './read-notification.ts';
import { parseRawMail, RawMailMissing, withRawMail } from './read-raw-mail.ts';
import { receiving } from './record-of-mail.ts';
import { isDocument, type MailFiles, reasons, storeAttachments } from './store-attachments.ts';

/**
 * Adds the attachments of a released or moved mail to its ticket, as documents. The mail then lists them, and why others are
 * no documents. Idempotent: an attachment that is a document stays the same one. If the mail was moved or quarantined in the
 * meantime, does nothing, because a later event concerns the new place.
 */
export async function addDocuments(name: RuledMailName, run: Run): Promise<void> {
  const mail = await mails.find(name.account, name.mailId);
  if (!mail || mail.attachments.every(isDocument)) return;
  const reason = reasonToLeaveOutAll(mail, run.now);
  if (reason !== undefined) return leaveOut(mail, reason, run);
  try {
    await withRawMail(mail.rawKey ?? '', run, async (raw) =>
      storeIn(mail, (await parseRawMail(raw)).attachments, run),
    );
  } catch (error) {
    if (error instanceof RawMailMissing) return leaveOut(mail, reasons.expired, run);
    if (error instanceof ApiError && error.code === 'too_many_files')
      return leaveOut(mail, reasons.fullTicket, run);
    throw error;
  }
}

/** Returns why no attachment can become a document; undefined if the raw mail must be read. */
function reasonToLeaveOutAll(
  { recordType, verdicts, rawKey, rawExpiresAt = '' }: StoredMail,
  now: Date,
): string | undefined {
  if (recordType !== 'ticket') return reasons.noTicket;
  if (verdicts?.virus !== 'PASS') return reasons.virus;
  return rawKey === undefined || rawExpiresAt <= now.toISOString() ? reasons.expired : undefined;
}

const leaveOut = (mail: StoredMail, reason: string, run: Run): Promise<void> =>
  changeIn(mail, run, async ({ attachments }) => ({
    attachments: attachments.map((one) => (isDocument(one) ? one : { ...one, leftOut: reason })),
    documents: [],
  }));

const storeIn = (mail: StoredMail, parsed: readonly ParsedAttachment[], run: Run): Promise<void> =>
  changeIn(mail, run, ({ accountId, id, recordId, receivedAt, createdAt, attachments }) =>
    storeAttachments(
      // The record may list fewer attachments than the mail has.
      parsed.slice(0, attachments.length),
      {
        ...{ account: accountId, ticketId: Number(recordId), mailId: id, listed: attachments, virus: 'PASS' },
        receivedAt: new Date(receivedAt ?? createdAt),
      },
      receiving(run.now),
      run,
    ),
  );

/** Changes the attachments of a mail, and adds their documents to its ticket, if the mail is still in its place. */
async function changeIn(
  { accountId: account, id: mailId, recordType, recordId }: StoredMail,
  run: Run,
  filesOf: (mail: StoredMail) => Promise<MailFiles>,
): Promise<void> {
  await changeMail({ account, mailId, consumer: 'incoming' }, run, async (mail) => {
    const isInPlace = mail.recordType === recordType && mail.recordId === recordId;
    return isInPlace && mail.state === 'received' ? changeOf(mail, await filesOf(mail), run) : undefined;
  });
}

async function changeOf(
  mail: StoredMail,
  { attachments, documents }: MailFiles,
  { now }: Run,
): Promise<MailChange | undefined> {
  const after = revise(mail, { attachments }, receiving(now));
  if (after === mail) return undefined;
  const events = mailHappened('mail_attachments_stored', after, { documents: documents.length });
  if (documents.length === 0) return { after, events };
  const [accountRecord, ticket] = await Promise.all([
    accounts.find(mail.accountId),
    tickets.find(mail.accountId, Number(mail.recordId)),
  ]);
  if (!accountRecord || !ticket) return undefined;
  const added = await addDocumentsToTicket(ticket, documents, { ...receiving(now), accountRecord });
  return { after, writes: added.writes, events: [...events, ...added.events] };
}

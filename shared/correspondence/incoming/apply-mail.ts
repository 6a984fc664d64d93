import type { StoredAccount } from '../../accounts/schema.ts';
import { accounts } from '../../accounts/store.ts';
import { ApiError } from '../../errors.ts';
import { emitMetric } from '../../events/emit-metric.ts';
import type { Effects } from '../../events/envelope.ts';
import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import type { StoredMailAddress } from '../addresses/schema.ts';
import { mailHappened } from '../mails/events.ts';
import type { StoredMail } from '../mails/schema.ts';
import { mails } from '../mails/store.ts';
import { replyAutomatically } from '../outgoing/automatic-reply.ts';
import { newThread, type StoredThread, type ThreadOf, withMessage } from '../threads/schema.ts';
import { threads } from '../threads/store.ts';
import { threadOf, threadWith } from '../threads/thread-record.ts';
import { addToTicket, type RecordEffects } from './add-to-ticket.ts';
import { decideMail, isAuthenticated, type MailDecision } from './decide-mail.ts';
import { type OpenedMail, type ReadMailFacts, readMailFacts } from './mail-facts.ts';
import { countMail } from './mail-limits.ts';
import { idOfOpened, openRecord } from './open-record.ts';
import { quarantineMetric } from './quarantine-metric.ts';
import { commentText, receiving, recordOfMail } from './record-of-mail.ts';
import { recordReport } from './record-report.ts';
import type { MailRoute } from './route-mail.ts';
import { listAttachments, type MailFiles, reasons, storeAttachments } from './store-attachments.ts';

/** The change that a received mail makes in an account. */
interface AppliedMail extends Effects {
  mail: StoredMail;
}

/** The values that the steps of one attempt share. */
interface Attempt {
  opened: OpenedMail;
  accountRecord: StoredAccount;
  read: ReadMailFacts;
  /** The thread of the mail that a report is about. */
  reported?: ThreadOf;
  mailId: number;
  /** The number of earlier attempts. */
  attempts: number;
  /** False if an earlier attempt found that the ticket accepts no more documents. */
  storesFiles: boolean;
  run: Run;
}

/**
 * Applies a received mail to an account: decides what happens with it, and commits its record and its effects in one
 * transaction. If another write comes first, decides again. Does nothing if the mail was applied before.
 */
export async function applyMail(opened: OpenedMail, route: MailRoute, run: Run): Promise<void> {
  const { account } = route;
  let storesFiles = true;
  for (let attempts = 0; ; ) {
    const [found, accountRecord] = await Promise.all([
      mails.findReceived(account, opened.received),
      accounts.find(account),
    ]);
    if ('mail' in found || !accountRecord) return;
    const read = await readMailFacts(opened, route, accountRecord);
    const reported = read.facts.isReport ? await recordReport(opened, account, run) : undefined;
    const attempt: Attempt = {
      opened,
      accountRecord,
      read,
      mailId: found.id,
      ...(reported && { reported }),
      attempts,
      storesFiles,
      run,
    };
    try {
      return await commitMail(account, await appliedMail(attempt), attempt);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'too_many_files' && storesFiles) storesFiles = false;
      else if (!(error instanceof VersionConflict) || Date.now() >= run.deadline) throw error;
      attempts = error instanceof VersionConflict ? Math.max(error.attempts, attempts + 1) : attempts + 1;
    }
  }
}

async function commitMail(
  account: AccountId,
  { mail, writes, events }: AppliedMail,
  { run, attempts }: Attempt,
): Promise<void> {
  await commit({
    writes: [...mails.insert(mail), ...writes],
    events: events.map((draft) => systemEvent(draft, { account, now: run.now, schedule: 'incoming' })),
    deadline: run.deadline,
    attempts,
  });
  emitMetric(quarantineMetric, mail.state === 'quarantined' ? 1 : 0, 'Count', { now: run.now });
}

async function appliedMail(attempt: Attempt): Promise<AppliedMail> {
  const decision = await decided(attempt);
  switch (decision.action) {
    case 'open':
      return openedMail(attempt, decision);
    case 'append':
    case 'hold':
      return mailInThread(attempt, decision);
    default:
      return setAside(attempt, decision);
  }
}

/** Decides about a mail. The counters of the limits are read only if the other facts do not lead to a quarantine. */
async function decided({ opened, accountRecord, read: { facts }, run }: Attempt): Promise<MailDecision> {
  const first = decideMail(facts);
  if (first.action === 'report' || first.action === 'quarantine') return first;
  const { parsed, received } = opened;
  const sender = parsed.from[0]?.address ?? received.envelopeSender;
  const mail = { account: accountRecord.id, sender, name: received.providerId };
  return decideMail({ ...facts, limits: await countMail(mail, first.action, run.now) });
}

/** A report or a quarantined mail, which changes no other record. */
function setAside(attempt: Attempt, decision: MailDecision): AppliedMail {
  const { action, why } = decision;
  const isReport = action === 'report';
  const reason = isReport ? 'The mail is a report.' : 'The mail is quarantined.';
  const mail = recordOf(attempt, {
    thread: isReport ? attempt.reported : threadIn(attempt, decision),
    state: isReport ? 'report' : 'quarantined',
    why,
    attachments: listAttachments(attempt.opened.parsed.attachments, reason).attachments,
  });
  const happening = isReport ? 'mail_received' : 'mail_quarantined';
  return { mail, writes: [], events: mailHappened(happening, mail, { why: why.code }) };
}

/** Returns the thread that a decision names. */
function threadIn({ read }: Attempt, decision: MailDecision): ThreadOf | undefined {
  const found =
    'thread' in decision && decision.thread !== undefined ? read.found[decision.thread] : undefined;
  return found && threadOf(found.of);
}

/** A mail in the thread of a record. In a ticket, it adds a comment. */
async function mailInThread(
  attempt: Attempt,
  { action, why, thread }: MailDecision & { action: 'append' | 'hold' },
): Promise<AppliedMail> {
  const { opened, accountRecord, read } = attempt;
  const found = read.found[thread];
  if (!found) throw new Error('The decision names a thread that was not read.');
  const { of, stored } = found;
  const { parsed } = opened;
  const isHeld = action === 'hold';
  const isRepeated =
    !isHeld && parsed.messageId !== '' && stored?.messageIds.includes(parsed.messageId) === true;
  const files =
    isHeld || isRepeated || of.recordType !== 'ticket'
      ? listAttachments(parsed.attachments, reasonWithoutDocuments(isHeld, isRepeated))
      : await filesOf(attempt, of.record.id);
  const draft = recordOf(attempt, {
    ...{ state: isHeld ? 'held' : 'received', why, attachments: files.attachments, thread: threadOf(of) },
    leftOut: isRepeated ? ['A comment, because the thread contains a mail with the same Message-ID.'] : [],
  });
  const isSilent = isHeld || read.facts.isAutomatic || read.facts.isBulk;
  const effects: RecordEffects =
    of.recordType === 'ticket' && !isRepeated
      ? await addToTicket(
          of.record,
          {
            author: draft.from.address || 'unknown',
            text: commentText(draft),
            visibility: isSilent ? 'internal' : 'public',
            documents: files.documents,
          },
          { ...receiving(opened.received.receivedAt), accountRecord },
        )
      : { writes: [], events: [] };
  const mail = { ...draft, ...(effects.commentId !== undefined && { commentId: effects.commentId }) };
  return {
    mail,
    writes: [...effects.writes, ...(isHeld ? [] : threads.put(stored, threadWith(stored, of, mail)))],
    events: [...effects.events, ...mailHappened('mail_received', mail, { why: why.code })],
  };
}

const reasonWithoutDocuments = (isHeld: boolean, isRepeated: boolean): string => {
  if (isHeld) return 'The mail is held.';
  return isRepeated ? 'The thread contains the same mail.' : reasons.noTicket;
};

/** A mail that opens a ticket or a lead. */
async function openedMail(attempt: Attempt, { why }: MailDecision): Promise<AppliedMail> {
  const { opened, accountRecord, read, attempts } = attempt;
  const { address } = read;
  if (!address) throw new Error('The decision opens a record without a mail address.');
  const { receivedAt } = opened.received;
  const draft = recordOf(attempt, { state: 'received', why, attachments: [] });
  // Two records of one millisecond can have the same id. After several conflicts, another id is used.
  const id = idOfOpened(draft, receivedAt, Math.floor(attempts / 4));
  const files =
    address.purpose === 'tickets'
      ? await filesOf(attempt, id)
      : listAttachments(opened.parsed.attachments, reasons.noTicket);
  const {
    opened: of,
    remarks,
    writes,
    events,
  } = await openRecord(draft, {
    ...{ accountRecord, address, now: receivedAt, id },
    documents: files.documents,
  });
  const mail: StoredMail = {
    ...draft,
    ...threadOf(of),
    attachments: files.attachments,
    leftOut: [...draft.leftOut, ...remarks],
  };
  const thread = withMessage(newThread(accountRecord.id, threadOf(of), mail.subject), mail.messageId);
  const reply = await replyTo(attempt, mail, { thread, address });
  return {
    mail,
    writes: [...writes, ...threads.put(undefined, thread), ...reply.writes],
    events: [...events, ...mailHappened('mail_received', mail, { why: why.code }), ...reply.events],
  };
}

/** Returns the automatic reply of the address; empty if there is none. */
async function replyTo(
  { opened: { received }, accountRecord, run }: Attempt,
  mail: StoredMail,
  { thread, address }: { thread: StoredThread; address: StoredMailAddress },
): Promise<Pick<AppliedMail, 'writes' | 'events'>> {
  const { envelopeSender, verdicts } = received;
  const authenticated = isAuthenticated(verdicts, { sender: mail.from.address, envelopeSender });
  const reply = await replyAutomatically({ accountRecord, mail, thread, address, authenticated }, run);
  return 'unsent' in reply ? { writes: [], events: [] } : reply;
}

const recordOf = (
  { opened, accountRecord, read, mailId, run }: Attempt,
  decided: Omit<Parameters<typeof recordOfMail>[1], 'automatic' | 'addressId'>,
): StoredMail =>
  recordOfMail(
    { account: accountRecord.id, id: mailId, ...opened },
    {
      ...decided,
      automatic: read.facts.isAutomatic || read.facts.isBulk,
      ...(read.address && { addressId: read.address.id }),
    },
    run.now,
  );

function filesOf(
  { opened, accountRecord, mailId, storesFiles, run }: Attempt,
  ticketId: number,
): MailFiles | Promise<MailFiles> {
  const { received, parsed } = opened;
  if (!storesFiles) return listAttachments(parsed.attachments, reasons.fullTicket);
  const { receivedAt, verdicts } = received;
  const place = { account: accountRecord.id, ticketId, mailId, receivedAt, virus: verdicts.virus };
  return storeAttachments(parsed.attachments, place, receiving(run.now), run);
}

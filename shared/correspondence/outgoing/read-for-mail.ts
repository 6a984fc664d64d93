import type { StoredAccount } from '../../accounts/schema.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { Effects } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Permission } from '../../resources/registry.ts';
import type { SignedIn } from '../../security/principal.ts';
import { mailAddresses } from '../addresses/store.ts';
import { mailDomains } from '../domains/store.ts';
import type { StoredMail } from '../mails/schema.ts';
import { newThread } from '../threads/schema.ts';
import { requireServiceMailDomain } from '../threads/service-mail-domain.ts';
import { threads } from '../threads/store.ts';
import { type ThreadRecord, threadOf } from '../threads/thread-record.ts';
import { customerOf } from './customer.ts';
import { type MailDraft, queueMail } from './queue-mail.ts';
import { documentsToAttach } from './read-attachments.ts';
import type { MailInputWithDocuments } from './schema.ts';
import { requireSender, senderFor } from './sender-address.ts';
import { draftOf } from './write-mail.ts';

/** The records that a request to send a mail needs. */
export async function readForMail<R extends ThreadRecord>(
  account: AccountId,
  of: R,
  body: MailInputWithDocuments,
) {
  const place = threadOf(of);
  const [before, addresses, documents] = await Promise.all([
    threads.find(account, place),
    mailAddresses.all(account),
    documentsToAttach(account, place, body.documentIds),
  ]);
  return { of, before, addresses, documents };
}

type ReadForMail = Awaited<ReturnType<typeof readForMail<ThreadRecord>>>;

/** A request that sends a mail. */
interface MailSendingRequest {
  account: AccountId;
  accountRecord: StoredAccount;
  principal: SignedIn;
  now: Date;
  body: MailInputWithDocuments;
}

/**
 * Returns the draft of a requested mail. `readsDocuments` is the permission to read the documents of the record. Throws
 * `mail_unavailable`, `permission_denied` for documents that the caller may not read, and the errors of `draftOf`.
 */
export function draftFor(
  { principal, accountRecord, now, body }: MailSendingRequest,
  { of, before, addresses, documents }: ReadForMail,
  readsDocuments: Permission,
): MailDraft {
  requireServiceMailDomain();
  if (documents.length > 0 && !principal.permissions.has(readsDocuments))
    throw new ApiError('permission_denied');
  const thread = before ?? newThread(accountRecord.id, threadOf(of), subjectOfNew(of, body));
  const author = { user: principal.actor.user, now };
  const from = requireSender(senderFor(thread, addresses, accountRecord));
  return draftOf({ body, thread, customer: customerOf(of), from, documents, author });
}

/** The subject of a new thread. Throws `invalid_input` if the record has no subject of its own. */
function subjectOfNew(of: ThreadRecord, { subject }: MailInputWithDocuments): string {
  const first = subject ?? (of.recordType === 'ticket' ? of.record.subject : undefined);
  if (first !== undefined) return first;
  throw invalid('subject', 'must be set for the first mail of a record');
}

/**
 * Returns the mail with the writes and events that store it, its thread and its work items. Throws `mail_domain_not_verified`.
 */
export async function storedMail(
  draft: MailDraft,
  { before }: ReadForMail,
  request: MailSendingRequest,
): Promise<Effects & { mail: StoredMail }> {
  if (!(await mailDomains.sendFrom(request.account, draft.from.address)))
    throw new ApiError('mail_domain_not_verified');
  const { mail, writes, events } = await queueMail(draft, request);
  return { mail, writes: [...threads.put(before, draft.thread), ...writes], events };
}

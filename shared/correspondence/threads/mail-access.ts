import { requireShown } from '../../endpoints/parent-records.ts';
import { ApiError, notFound } from '../../errors.ts';
import type { Permission } from '../../resources/registry.ts';
import type { Principal } from '../../security/principal.ts';
import { mayReach, reachesEvery, readsSome } from '../../security/reach.ts';
import { parentOfMail } from '../mails/parent-of-mail.ts';
import type { StoredMail } from '../mails/schema.ts';
import { findThreadRecord } from './thread-record.ts';

/** The permissions with one of which a caller may read some mails. */
export const mailReaders = [
  'readMails',
  'readTickets',
  'readLeads',
  'readApplications',
] as const satisfies readonly Permission[];

/** The record types of the mails that a caller without `readMails` may read. */
export const mailRecordTypes = ['ticket', 'lead', 'application'] as const;

/**
 * Throws `not_found` unless the caller may read the mail. With `readMails`, callers read every mail, except those of records
 * that are hidden from them. Otherwise they must reach its record. Only callers with `readInternalComments` read a held mail,
 * and only those with `readMails` a quarantined one.
 */
export async function requireReadableMail(principal: Principal, mail: StoredMail): Promise<void> {
  const { accountId: account, recordType, recordId } = mail;
  const missing = notFound('mail', mail.id);
  if (principal.permissions.has('readMails')) {
    const parent = parentOfMail(mail);
    if (parent) await requireShown({ principal, account }, mailRecordTypes, parent, missing);
    return;
  }
  if (
    isHiddenFromReaders(mail, principal) ||
    recordType === undefined ||
    recordId === undefined ||
    !readsSome(principal, recordType)
  )
    throw missing;
  if (reachesEvery(principal, recordType, 'read')) return;
  const found = await findThreadRecord(account, { recordType, recordId });
  if (!found || !mayReach(principal, recordType, 'read', found.record)) throw missing;
}

/** Reports whether a mail is hidden from a caller who reads its record, but not all mails. */
export const isHiddenFromReaders = (
  { state }: Pick<StoredMail, 'state'>,
  { permissions }: Principal,
): boolean => state === 'quarantined' || (state === 'held' && !permissions.has('readInternalComments'));

/** Returns the key of the raw mail. Throws `raw_mail_missing` if there is none, or if it was deleted after 30 days. */
export function requireRaw({ rawKey, rawExpiresAt = '' }: StoredMail, now: Date): string {
  if (rawKey === undefined || rawExpiresAt <= now.toISOString()) throw new ApiError('raw_mail_missing');
  return rawKey;
}

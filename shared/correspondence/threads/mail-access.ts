import { ApiError, notFound } from '../../errors.ts';
import type { Permission } from '../../resources/registry.ts';
import type { Principal } from '../../security/principal.ts';
import { mayReach, reachesEvery, readsSome } from '../../security/reach.ts';
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
 * Throws `not_found` unless the caller may read the mail. With `readMails`, callers read every mail. Otherwise they must reach
 * its record. Only callers with `readInternalComments` read a held mail, and only those with `readMails` a quarantined one.
 */
export async function requireReadableMail(principal: Principal, mail: StoredMail): Promise<void> {
  if (principal.permissions.has('readMails')) return;
  const { accountId, recordType, recordId, state } = mail;
  const isHidden =
    state === 'quarantined' || (state === 'held' && !principal.permissions.has('readInternalComments'));
  if (isHidden || recordType === undefined || recordId === undefined || !readsSome(principal, recordType))
    throw notFound('mail', mail.id);
  if (reachesEvery(principal, recordType, 'read')) return;
  const found = await findThreadRecord(accountId, { recordType, recordId });
  if (!found || !mayReach(principal, recordType, 'read', found.record)) throw notFound('mail', mail.id);
}

/** Returns the key of the raw mail. Throws `raw_mail_missing` if there is none, or if it was deleted after 30 days. */
export function requireRaw({ rawKey, rawExpiresAt = '' }: StoredMail, now: Date): string {
  if (rawKey === undefined || rawExpiresAt <= now.toISOString()) throw new ApiError('raw_mail_missing');
  return rawKey;
}

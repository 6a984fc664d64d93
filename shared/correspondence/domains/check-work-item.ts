import type { Write } from '../../table/operations.ts';
import { replaceWrites } from '../../work-queue/enqueue.ts';
import type { JobContent } from '../../work-queue/jobs.ts';
import { jobsOf } from '../../work-queue/keys.ts';
import type { StoredMailDomain } from './schema.ts';

/** The content of a work item: registers a mail domain at SES, or checks it. Each check adds the next one. */
export interface MailDomainCheckContent extends JobContent {
  job: 'check_mail_domain';
  id: number;
  /** When the domain was proved. A domain that was proved again has newer checks. */
  provedAt: string;
}

/** The content of a work item: deletes the identity of a deleted mail domain at SES. */
export interface MailIdentityRemovalContent extends JobContent {
  job: 'remove_mail_identity';
  domain: string;
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** How long a work item is kept, in milliseconds. */
const keptFor = 30 * day;

/**
 * The time to the next check, in milliseconds: 5 minutes in the first hour, an hour in the first three days, then a day. SES
 * stops to look for DKIM records after 72 hours (Amazon SES Developer Guide, "Creating a domain identity").
 */
export function checkDelay(provedAt: string, now: Date): number {
  const age = now.getTime() - Date.parse(provedAt);
  if (age < hour) return 5 * minute;
  return age < 3 * day ? hour : day;
}

/** The writes that add the next check. There is at most one for each domain. */
export function mailCheckWrites(
  { accountId, id, provedAt = '' }: StoredMailDomain,
  due: Date,
  now: Date,
): Write[] {
  const content: MailDomainCheckContent = { job: 'check_mail_domain', id, provedAt };
  const expires = new Date(due.getTime() + keptFor);
  return replaceWrites(
    jobsOf(accountId),
    { id: `mail-domain-${id}-${Date.parse(provedAt)}-${due.getTime()}`, due, content, expires },
    now,
  );
}

export function removalWrites({ accountId, id, domain }: StoredMailDomain, now: Date): Write[] {
  const content: MailIdentityRemovalContent = { job: 'remove_mail_identity', domain };
  const expires = new Date(now.getTime() + keptFor);
  return replaceWrites(
    jobsOf(accountId),
    { id: `mail-identity-${id}-${now.getTime()}`, due: now, content, expires },
    now,
  );
}

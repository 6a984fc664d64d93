import type { Write } from '../table/operations.ts';
import { enqueueWrites } from '../work-queue/enqueue.ts';
import type { JobContent } from '../work-queue/jobs.ts';
import { jobsOf } from '../work-queue/keys.ts';
import type { StoredVanityDomain } from './schema.ts';

/** The content of a work item: the check of an active domain. Each check adds the work item of the next check. */
export interface DomainCheckContent extends JobContent {
  job: 'check_domain';
  id: number;
  /** When the domain was activated. A domain that was activated again has newer checks. */
  activatedAt: string;
}

/** The time between two checks, and after a failed check, in milliseconds. */
export const [checkInterval, retryInterval] = [24 * 3_600_000, 6 * 3_600_000];
/** Without a successful check in this time, a domain is deactivated, in milliseconds. */
export const proofLifetime = 72 * 3_600_000;
/** How long a work item is kept, in milliseconds. */
const keptFor = 30 * 86_400_000;

/** The writes that add the next check of an active domain. */
export function checkWrites(
  { accountId: account, id, activatedAt = '' }: StoredVanityDomain,
  now: Date,
  delay = checkInterval,
): Write[] {
  const due = new Date(now.getTime() + delay);
  const content: DomainCheckContent = { job: 'check_domain', id, activatedAt };
  const expires = new Date(due.getTime() + keptFor);
  return enqueueWrites(jobsOf(account), { id: `domain-${id}-${due.getTime()}`, due, content, expires }, now);
}

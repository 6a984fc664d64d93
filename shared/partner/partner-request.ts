import type { AccountId } from '../id/account-id.ts';
import type { Write } from '../table/operations.ts';
import { enqueueWrites } from '../work-queue/enqueue.ts';
import { partnerRequests } from './keys.ts';

/** The content of a work item: a request to the partner. */
export type PartnerRequestContent =
  | { request: 'test' }
  /** `submission` counts the submissions of the application. */
  | { request: 'application'; applicationId: string; submission: number }
  | { request: 'comment'; ticketId: number; commentId: number };

/** How long the requests and their attempts are kept, in milliseconds. */
const keptFor = 30 * 86_400_000;

/** The writes that queue a request to the partner. They fail with a conflict if the id already exists. */
export const requestWrites = (
  account: AccountId,
  id: string,
  content: PartnerRequestContent,
  now: Date,
): Write[] =>
  enqueueWrites(
    partnerRequests(account),
    { id, due: now, content, expires: new Date(now.getTime() + keptFor) },
    now,
  );

import type { AccountId } from '../id/account-id.ts';
import type { Write } from '../table/operations.ts';
import { enqueueWrites, replaceWrites } from '../work-queue/enqueue.ts';
import { partnerRequests } from './keys.ts';

/** The content of a work item: a request to the partner. */
export type PartnerRequestContent =
  | { request: 'test' }
  /** `submission` counts the submissions of the application. */
  | { request: 'application'; applicationId: string; submission: number }
  /** With `repeats`, the request is sent again whenever the partner has been silent for a day. */
  | { request: 'sync'; applicationId: string; repeats?: true }
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

/** After this time without an event about an application, its status is read from the partner, in milliseconds. */
export const silence = 24 * 3_600_000;
/** How long the status of an application is read, in milliseconds. */
const syncedFor = 365 * 86_400_000;

/** The writes that read the status of an application whenever the partner has been silent for a day. */
export const repeatedSyncWrites = (account: AccountId, applicationId: string, now: Date): Write[] =>
  replaceWrites<PartnerRequestContent>(
    partnerRequests(account),
    {
      id: `sync-${applicationId}`,
      due: new Date(now.getTime() + silence),
      content: { request: 'sync', applicationId, repeats: true },
      expires: new Date(now.getTime() + syncedFor),
    },
    now,
  );

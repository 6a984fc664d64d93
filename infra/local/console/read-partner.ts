import type { AccountId } from '../../../shared/id/account-id.ts';
import { partnerEvents, partnerRequests } from '../../../shared/partner/keys.ts';
import type { PartnerEventContent } from '../../../shared/partner/known-events.ts';
import type { PartnerRequestContent } from '../../../shared/partner/partner-request.ts';
import { showConnection } from '../../../shared/partner/show-connection.ts';
import { connections } from '../../../shared/partner/store.ts';
import type { WorkQueue } from '../../../shared/work-queue/keys.ts';
import { findWorkItem, waitingOf, workItemsOf } from '../../../shared/work-queue/list-work-items.ts';
import type { WorkItem } from '../../../shared/work-queue/work-item.ts';

/** The number of exchanges that are read in each direction, and the number of the newest that are listed. */
const [mostRead, mostListed] = [1000, 50];

const directions = new Map([
  ['requests', partnerRequests],
  ['events', partnerEvents],
]);

type Exchange<C> = Omit<WorkItem<C>, 'revision' | 'expiresAt'>;

/** Reads the connection to the account's partner with its health, and the newest exchanges in both directions. */
export async function readPartner(account: AccountId, now: Date) {
  const [found, waiting, requests, events] = await Promise.all([
    connections.findWithHealth(account),
    waitingOf(partnerRequests(account)),
    newest<PartnerRequestContent>(partnerRequests(account), now),
    newest<PartnerEventContent>(partnerEvents(account), now),
  ]);
  return { ...(found && { connection: showConnection(found, now, waiting) }), requests, events };
}

/** Reads one exchange: `requests` are sent to the partner, and `events` are received. */
export async function readExchange(
  account: AccountId,
  { direction, id }: { direction: string; id: string },
  now: Date,
): Promise<Exchange<unknown> | undefined> {
  const workQueue = directions.get(direction)?.(account);
  const found = workQueue && (await findWorkItem(workQueue, id, now));
  return found && shown(found);
}

/** Ids of exchanges do not sort by time. */
async function newest<C>(workQueue: WorkQueue, now: Date): Promise<Exchange<C>[]> {
  const { items } = await workItemsOf<C>(workQueue, now).newest({ limit: mostRead });
  return items
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt))
    .slice(0, mostListed)
    .map(shown);
}

const shown = <C>({ revision: _, expiresAt: __, ...exchange }: WorkItem<C>): Exchange<C> => exchange;

import type { UnverifiedRequest } from '../endpoints/contract.ts';
import { ApiError, type FieldError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { authenticateSender, notVerified } from '../messaging/webhooks/authenticate-sender.ts';
import { enqueueUnlessKnownWrites } from '../work-queue/enqueue.ts';
import { findWorkItem } from '../work-queue/list-work-items.ts';
import type { PartnerEvent } from './event-schema.ts';
import { partnerEvents } from './keys.ts';
import { definedFieldsOf, isKnownType, type PartnerEventContent, requiredFields } from './known-events.ts';
import { connections } from './store.ts';

/** Returns the account and the id of a signed event. Throws `not_authenticated` and `account_closed`. */
export async function authenticateEvent(
  sent: UnverifiedRequest,
): Promise<{ account: AccountId; id: string }> {
  const { account, messageId: id } = await authenticateSender(sent, (of) => connections.find(of));
  // Ids that begin with `mo_` are ours. So the partner’s requests cannot be sent back as events.
  if (id.startsWith('mo_')) throw notVerified();
  return { account, id };
}

/** Throws `invalid_input` if a required field of a known type is missing. */
export function checkPartnerEvent({ type, data }: PartnerEvent): void {
  if (!isKnownType(type)) return;
  const details = requiredFields[type]
    .filter((field) => data[field] === undefined)
    .map((field): FieldError => ({ field: `data.${field}`, message: `is required for ${type}` }));
  if (data.status === 'boarded' && !data.mids?.length)
    details.push({ field: 'data.mids', message: 'is required for the status boarded' });
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

/** How long the ids of events are kept to detect duplicates, in milliseconds. */
const keptFor = 7 * 86_400_000;

/** Reports whether an event with this id was accepted in the last seven days. */
export const isDuplicate = async (account: AccountId, id: string, now: Date): Promise<boolean> =>
  (await findWorkItem(partnerEvents(account), workItemIdOf(id), now)) !== undefined;

/** The writes that store an event as a work item. The work item also marks the id as known. */
export const storeEvent = (account: AccountId, id: string, { type, data }: PartnerEvent, now: Date) => {
  const content: PartnerEventContent = { type, ...(isKnownType(type) && { data: definedFieldsOf(data) }) };
  const workItem = { id: workItemIdOf(id), due: now, content, expires: new Date(now.getTime() + keptFor) };
  return enqueueUnlessKnownWrites(partnerEvents(account), workItem, now);
};

/** Ids of work items contain no `#`. */
const workItemIdOf = (id: string): string => encodeURIComponent(id);

import { type AccountId, asAccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import { asSeconds } from '../table/item.ts';
import { putIfAbsent, type Write } from '../table/operations.ts';
import { triggerKey } from './keys.ts';
import { isTriggerQueue, type TriggerQueue } from './queues.ts';

/** Triggers a run of a work queue. Lost and repeated messages are harmless, because the table stores the work. */
export interface TriggerMessage {
  account: AccountId;
  /** The name of the work queue. Do not rename this field: messages in flight contain it. */
  backlog: string;
  /** The id of the trigger item from which the relay sent this message. Absent if the message was sent directly. */
  id?: number;
}

/** A trigger message and the SQS queue to which it is sent. */
interface AddressedTrigger {
  queue: TriggerQueue;
  trigger: TriggerMessage;
}

/** How long a trigger item is kept, in milliseconds: 24 hours, like a record in DynamoDB Streams. */
const kept = 86_400_000;

/** Returns the write of a trigger item. After the commit, the relay sends the item's message. */
export function triggerItemWrite(
  queue: TriggerQueue,
  { account, backlog }: TriggerMessage,
  now: Date,
): Write {
  const id = mintId(now);
  const expiresAtSeconds = asSeconds(new Date(now.getTime() + kept));
  const item = { ...triggerKey(account, id), accountId: account, id, queue, backlog, expiresAtSeconds };
  return putIfAbsent({ ...item, type: 'wake' });
}

/** Returns the trigger message in an item; undefined if the item is invalid or its key does not match its account. */
export function triggerInItem(item: Record<string, unknown>): AddressedTrigger | undefined {
  const { type, accountId, id, backlog } = item;
  const [account, queue] = [asAccountId(String(accountId)), String(item.queue)];
  if (type !== 'wake' || !account || !isTriggerQueue(queue) || typeof backlog !== 'string') return undefined;
  const { pk, sk } = triggerKey(account, Number(id));
  return item.pk === pk && item.sk === sk
    ? { queue, trigger: { account, backlog, id: Number(id) } }
    : undefined;
}

export const triggerBody = (trigger: TriggerMessage): string => JSON.stringify({ wake: trigger });

/** Parses the body of a queue message; undefined if the body is not a trigger message. */
export function readTrigger(body: string): TriggerMessage | undefined {
  try {
    const { wake } = (JSON.parse(body) ?? {}) as { wake?: Partial<Record<keyof TriggerMessage, unknown>> };
    const account = typeof wake?.account === 'string' ? asAccountId(wake.account) : undefined;
    if (!account || typeof wake?.backlog !== 'string') return undefined;
    return {
      account,
      backlog: wake.backlog,
      ...(Number.isSafeInteger(wake.id) && { id: Number(wake.id) }),
    };
  } catch {
    return undefined;
  }
}

import { type AccountId, asAccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import { asSeconds } from '../table/item.ts';
import { putIfAbsent, type Write } from '../table/operations.ts';
import { triggerKey } from './keys.ts';
import { isTriggerQueue, type TriggerQueue } from './queues.ts';

/** Triggers a run of a work queue. Lost and repeated messages are harmless, because the table stores the work. */
export interface TriggerMessage {
  account: AccountId;
  /** The name of the work queue. */
  workQueue: string;
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
  { account, workQueue }: TriggerMessage,
  now: Date,
): Write {
  const id = mintId(now);
  const expiresAtSeconds = asSeconds(new Date(now.getTime() + kept));
  const item = { ...triggerKey(account, id), accountId: account, id, queue, workQueue, expiresAtSeconds };
  return putIfAbsent({ ...item, type: 'trigger' });
}

/** Returns the trigger message in an item; undefined if the item is invalid or its key does not match its account. */
export function triggerInItem(item: Record<string, unknown>): AddressedTrigger | undefined {
  const { type, accountId, id, workQueue } = item;
  const [account, queue] = [asAccountId(String(accountId)), String(item.queue)];
  if (type !== 'trigger' || !account || !isTriggerQueue(queue) || typeof workQueue !== 'string')
    return undefined;
  const { pk, sk } = triggerKey(account, Number(id));
  return item.pk === pk && item.sk === sk
    ? { queue, trigger: { account, workQueue, id: Number(id) } }
    : undefined;
}

export const triggerBody = (trigger: TriggerMessage): string => JSON.stringify({ trigger });

/** Parses the body of a queue message; undefined if the body is not a trigger message. */
export function readTrigger(body: string): TriggerMessage | undefined {
  try {
    const { trigger } = (JSON.parse(body) ?? {}) as {
      trigger?: Partial<Record<keyof TriggerMessage, unknown>>;
    };
    const account = typeof trigger?.account === 'string' ? asAccountId(trigger.account) : undefined;
    if (!account || typeof trigger?.workQueue !== 'string') return undefined;
    return {
      account,
      workQueue: trigger.workQueue,
      ...(Number.isSafeInteger(trigger.id) && { id: Number(trigger.id) }),
    };
  } catch {
    return undefined;
  }
}

import { type AccountId, asAccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import { asSeconds } from '../table/item.ts';
import { putIfAbsent, type Write } from '../table/operations.ts';
import { triggerKey } from './keys.ts';
import { isTriggerQueue, type TriggerQueue } from './queues.ts';

/** Says that a work queue may have something due. The work queue knows what; a trigger message that is lost or repeated changes nothing. */
export interface TriggerMessage {
  account: AccountId;
  /** The name of the work queue within its account. */
  backlog: string;
  /** Of one that was written to the table: the id of its item. */
  id?: number;
}

/** A trigger message with the queue that it goes to. */
interface AddressedTrigger {
  queue: TriggerQueue;
  trigger: TriggerMessage;
}

/** For so many milliseconds a trigger message's item stays: no longer than the stream keeps it. */
const kept = 86_400_000;

/** The write that wakes a work queue once its transaction is committed: an item that the relay forwards. */
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

/** The trigger message that an item of the table is, or undefined: it counts only under the key of the account that it names. */
export function triggerInItem(item: Record<string, unknown>): AddressedTrigger | undefined {
  const { type, accountId, id, backlog } = item;
  const [account, queue] = [asAccountId(String(accountId)), String(item.queue)];
  if (type !== 'wake' || !account || !isTriggerQueue(queue) || typeof backlog !== 'string') return undefined;
  const { pk, sk } = triggerKey(account, Number(id));
  return item.pk === pk && item.sk === sk
    ? { queue, trigger: { account, backlog, id: Number(id) } }
    : undefined;
}

/** A trigger message as the body of a message. */
export const triggerBody = (trigger: TriggerMessage): string => JSON.stringify({ wake: trigger });

/** The trigger message in a message, or undefined where the text is none. */
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

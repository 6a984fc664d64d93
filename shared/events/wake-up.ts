import { type AccountId, asAccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import { asSeconds } from '../table/item.ts';
import { putIfAbsent, type Write } from '../table/operations.ts';
import { wakeKey } from './keys.ts';
import { isWakeQueue, type WakeQueue } from './queues.ts';

/** Says that a backlog may have something due. The backlog knows what; a wake-up that is lost or repeated changes nothing. */
export interface WakeUp {
  account: AccountId;
  /** The name of the backlog within its account. */
  backlog: string;
  /** Of one that was written to the table: the id of its item. */
  id?: number;
}

/** A wake-up with the queue that it goes to. */
interface AddressedWakeUp {
  queue: WakeQueue;
  wakeUp: WakeUp;
}

/** For so many milliseconds a wake-up's item stays: no longer than the stream keeps it. */
const kept = 86_400_000;

/** The write that wakes a backlog once its transaction is committed: an item that the relay forwards. */
export function wakeUpWritten(queue: WakeQueue, { account, backlog }: WakeUp, now: Date): Write {
  const id = mintId(now);
  const expiresAtSeconds = asSeconds(new Date(now.getTime() + kept));
  const item = { ...wakeKey(account, id), accountId: account, id, queue, backlog, expiresAtSeconds };
  return putIfAbsent({ ...item, type: 'wake' });
}

/** The wake-up that an item of the table is, or undefined: it counts only under the key of the account that it names. */
export function wakeUpInItem(item: Record<string, unknown>): AddressedWakeUp | undefined {
  const { type, accountId, id, backlog } = item;
  const [account, queue] = [asAccountId(String(accountId)), String(item.queue)];
  if (type !== 'wake' || !account || !isWakeQueue(queue) || typeof backlog !== 'string') return undefined;
  const { pk, sk } = wakeKey(account, Number(id));
  return item.pk === pk && item.sk === sk
    ? { queue, wakeUp: { account, backlog, id: Number(id) } }
    : undefined;
}

/** A wake-up as the body of a message. */
export const wakeUpBody = (wakeUp: WakeUp): string => JSON.stringify({ wake: wakeUp });

/** The wake-up in a message, or undefined where the text is none. */
export function readWakeUp(body: string): WakeUp | undefined {
  try {
    const { wake } = (JSON.parse(body) ?? {}) as { wake?: Partial<Record<keyof WakeUp, unknown>> };
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

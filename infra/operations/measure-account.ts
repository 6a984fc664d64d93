import { messageChannels } from '../../shared/channels/channels.ts';
import { exportedRecords } from '../../shared/closing/exported-kinds.ts';
import type { StoredDocument } from '../../shared/documents/schema.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { isExpired, recordOf } from '../../shared/table/item.ts';
import { readTenantPartition } from '../../shared/table/keys.ts';
import { readPointerKey } from '../../shared/work-queue/keys.ts';
import { scanTable } from './scan-table.ts';
import { getOrAdd } from './survey-table.ts';

interface Measured {
  count: number;
  bytes: number;
}

export interface AccountStats {
  /** Records by kind, as in an export. `derived` counts all other items, such as summaries and index rows. */
  kinds: Record<string, Measured>;
  /** All items of the account. `bytes` is the items' size as JSON. Copies in the table's indexes are not counted. */
  items: Measured;
  /** The uploaded files of documents. */
  files: Measured;
  firstEventAt?: string;
  lastEventAt?: string;
  /** The number of open work items in each work queue. `webhooks` is the sum for all webhooks. */
  openWork: Record<string, number>;
}

/** The counted work queues: the first part of the name, the name of the count, and that of a work item. */
export const countedQueues = [
  { queue: 'WEBHOOK', count: 'webhooks', words: 'webhook deliveries' },
  ...messageChannels.map(({ queue, messages: { stats, words } }) => ({
    queue,
    count: stats,
    words: `${words}s`,
  })),
  { queue: 'OUTGOINGMAIL', count: 'customerMails', words: 'mails to customers' },
  { queue: 'JOBS', count: 'jobs', words: 'jobs' },
  { queue: 'RESIDUALS', count: 'residualJobs', words: 'jobs of residuals' },
  { queue: 'SEALING', count: 'seals', words: 'seals' },
];

/** Reads the whole table once. Expired items are not counted. */
export async function measureAccount(account: AccountId): Promise<AccountStats> {
  const kinds = new Map<string, Measured>();
  const nothing = (): Measured => ({ count: 0, bytes: 0 });
  const [items, files] = [nothing(), nothing()];
  const openWork = Object.fromEntries(countedQueues.map(({ count }) => [count, 0]));
  let firstEventAt: string | undefined;
  let lastEventAt: string | undefined;
  for await (const page of scanTable()) {
    const now = new Date();
    for (const item of page) {
      const place = readTenantPartition(item.pk);
      if (place?.account !== account || isExpired(item, now)) continue;
      const bytes = Buffer.byteLength(JSON.stringify(item));
      add(items, 1, bytes);
      const records = exportedRecords(item);
      const { kind = 'derived' } = records[0] ?? {};
      add(getOrAdd(kinds, kind, nothing), Math.max(records.length, 1), bytes);
      if (kind === 'document') {
        const { uploadedDate, size } = recordOf<StoredDocument>(item);
        if (uploadedDate !== undefined) add(files, 1, size);
      }
      if (kind === 'event') {
        const at = String(item.occurredAt);
        if (firstEventAt === undefined || at < firstEventAt) firstEventAt = at;
        if (lastEventAt === undefined || at > lastEventAt) lastEventAt = at;
      }
      const [, workQueue] = place.parts;
      if (item.type === 'work-item-pointer' && !readPointerKey(item.sk)?.once)
        for (const { queue, count } of countedQueues)
          if (workQueue === queue) openWork[count] = (openWork[count] ?? 0) + 1;
    }
  }
  const sorted = [...kinds].sort(([one], [other]) => one.localeCompare(other));
  return { kinds: Object.fromEntries(sorted), items, files, firstEventAt, lastEventAt, openWork };
}

function add(to: Measured, count: number, bytes: number): void {
  to.count += count;
  to.bytes += bytes;
}

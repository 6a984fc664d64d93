import type { AccountId } from '../../shared/id/account-id.ts';
import type { Item } from '../../shared/table/item.ts';

const firstId = 4_000_000_000_000_000;
const createdAt = '2026-01-01T00:00:00.000Z';

/** The leads that changed in the last minute. */
const changed = 20;

/** One of so many leads is assigned to the owner. */
const ownedOneOf = 100;

/**
 * Writes leads with their index items directly to the table. Every second lead has the company `Common Goods`, and three
 * leads have the last name `Rare`. Four of five have the stage `contacted`. One of a hundred is assigned to the owner, and the
 * others have no assignee. Twenty changed just now.
 */
export async function loadLeads(account: AccountId, amount: number, owner: number): Promise<void> {
  // Imported only now, because shared/table/client.ts reads the environment when it is loaded.
  const [{ countLeads, indexedLead }, { putAll }, { totalsKey }, { eventKey }, { mintId }] =
    await Promise.all([
      import('../harness/indexed-lead.ts'),
      import('../../shared/table/batch-write.ts'),
      import('../../shared/table/keys.ts'),
      import('../../shared/events/keys.ts'),
      import('../../shared/id/mint.ts'),
    ]);
  const itemsOf = (n: number): Item[] => {
    const isRare = n % Math.floor(amount / 3) === 1;
    const isOwned = n % ownedOneOf === 0;
    return indexedLead(account, firstId + n, {
      ...(isOwned && { assignedTo: String(owner) }),
      ...{ createdAt, updatedAt: n < changed ? new Date().toISOString() : createdAt },
      ...{ firstName: 'Ada', lastName: isRare ? 'Rare' : 'Byron' },
      company: n % 2 > 0 ? 'Common Goods' : 'Harbor Street Coffee',
      ...(n % 5 > 0 && { processStage: 'contacted' }),
      ...(isRare && { email: 'rare@example.com', company: 'Rare & Sons' }),
    });
  };
  const write = async (items: readonly Item[]) => {
    const unwritten = await putAll(items);
    if (unwritten.length > 0) throw new Error(`The engine did not write ${unwritten.length} items.`);
  };
  let next = 0;
  const writer = async () => {
    for (let from = next; from < amount; from = next) {
      next = from + 50;
      await write(Array.from({ length: Math.min(50, amount - from) }, (_, n) => from + n).flatMap(itemsOf));
    }
  };
  await Promise.all(Array.from({ length: 4 }, writer));
  await write([
    { ...totalsKey(account, 0), LEAD: amount },
    ...countLeads(
      account,
      Array.from({ length: amount }, (_, n) => (n % ownedOneOf === 0 ? { assignedTo: String(owner) } : {})),
    ),
  ]);
  const now = new Date();
  await write(
    Array.from({ length: changed }, (_, n): Item => {
      const id = mintId(now);
      return {
        ...eventKey(account, id),
        ...{ type: 'event', id, version: 1, accountId: account, occurredAt: now.toISOString(), data: {} },
        ...{ kind: 'lead_updated', subject: { type: 'lead', id: firstId + n, version: 1 } },
      };
    }),
  );
}

import type { ClockEntry } from '../../sla/clock.ts';
import { recordOf } from '../../table/item.ts';
import { childKey, childPartition } from '../../table/keys.ts';
import { putIfAbsent, type Write } from '../../table/operations.ts';
import { queryItems } from '../../table/read.ts';
import type { StoredTicket } from './stored-ticket.ts';

type EntryOwner = Pick<StoredTicket, 'id' | 'accountId'>;

const under = ({ id, accountId }: EntryOwner) =>
  ({ account: accountId, parent: 'TICKET', parentId: id, kind: 'CLOCK' }) as const;

/** The ledger of a ticket's clock: one item per entry, written in the transaction that changes the ticket. */
export const clockEntries = {
  insert: (owner: EntryOwner, entries: readonly ClockEntry[]): Write[] =>
    entries.map((entry) =>
      putIfAbsent({ ...childKey(under(owner), entry.n), type: 'clock-entry', ...entry }),
    ),

  async of(owner: EntryOwner): Promise<ClockEntry[]> {
    const items = await queryItems({ partition: childPartition(under(owner)) });
    return items.map((item) => recordOf<ClockEntry>(item));
  },
};

import type { AccountId } from '../../id/account-id.ts';
import { recordOf, withFields } from '../../table/item.ts';
import { type ChildKind, childKey, childPartition } from '../../table/keys.ts';
import { putIfAbsent, type Write } from '../../table/operations.ts';
import type { Bounds, QueryResult } from '../../table/read.ts';
import { queryMerged } from '../../table/read-merged.ts';
import type { StoredTicketComment, Visibility } from './schema.ts';

/** Public and internal ones lie apart, so that whoever may read the former alone reads nothing else. */
const kinds: Readonly<Record<Visibility, ChildKind>> = { public: 'COMMENT', internal: 'INTERNALCOMMENT' };

const under = (account: AccountId, ticketId: number, visibility: Visibility) =>
  ({ account, parent: 'TICKET', parentId: ticketId, kind: kinds[visibility] }) as const;

/** The comments on tickets. How many there are says the ticket, which changes with each of them. */
export const ticketComments = {
  /** Goes with the change of the ticket, which fails where that is gone. */
  insert(comment: StoredTicketComment): Write {
    const key = childKey(under(comment.accountId, comment.ticketId, comment.visibility), comment.id);
    return putIfAbsent(withFields({ ...key, type: 'ticket-comment' }, comment));
  },

  /** The newest comments on a ticket that these may see, as far as the bounds let it read. */
  async newest(
    account: AccountId,
    ticketId: number,
    seen: readonly Visibility[],
    bounds: Bounds,
  ): Promise<QueryResult<StoredTicketComment>> {
    const partitions = seen.map((visibility) => childPartition(under(account, ticketId, visibility)));
    const { items, cut } = await queryMerged({ partitions, newestFirst: true }, bounds);
    return { items: items.map((item) => recordOf<StoredTicketComment>(item)), cut };
  },
};

import type { AccountId } from '../../id/account-id.ts';
import { recordOf, withFields } from '../../table/item.ts';
import { type ChildKind, childKey, childPartition } from '../../table/keys.ts';
import { queryList } from '../../table/list-query.ts';
import { deleteItem, putIfAbsent, type Write } from '../../table/operations.ts';
import { type Bounds, getItem, type QueryResult } from '../../table/read.ts';
import { queryMerged } from '../../table/read-merged.ts';
import type { StoredTicketComment, Visibility } from './schema.ts';

/** Separate partitions, so that a list of public comments does not read internal comments. */
const kinds: Readonly<Record<Visibility, ChildKind>> = { public: 'COMMENT', internal: 'INTERNALCOMMENT' };

const under = (account: AccountId, ticketId: number, visibility: Visibility) =>
  ({ account, parent: 'TICKET', parentId: ticketId, kind: kinds[visibility] }) as const;

type CommentPlace = Pick<StoredTicketComment, 'accountId' | 'ticketId' | 'id' | 'visibility'>;

/** The comments on tickets. Each ticket stores the number of its comments. */
export const ticketComments = {
  /** Returns a write for the transaction that changes the ticket. That transaction fails if the ticket was deleted. */
  insert(comment: StoredTicketComment): Write {
    const key = childKey(under(comment.accountId, comment.ticketId, comment.visibility), comment.id);
    return putIfAbsent(withFields({ ...key, type: 'ticket-comment' }, comment));
  },

  /** Removes a comment of a mail that is moved or becomes public. The same transaction changes the ticket. */
  remove({ accountId, ticketId, id, visibility }: CommentPlace): Write {
    return deleteItem(childKey(under(accountId, ticketId, visibility), id));
  },

  async findPublic(
    account: AccountId,
    ticketId: number,
    id: number,
  ): Promise<StoredTicketComment | undefined> {
    const item = await getItem(childKey(under(account, ticketId, 'public'), id));
    return item && recordOf<StoredTicketComment>(item);
  },

  async newest(
    account: AccountId,
    ticketId: number,
    shown: readonly Visibility[],
    bounds: Bounds,
  ): Promise<QueryResult<StoredTicketComment>> {
    const partitions = shown.map((visibility) => childPartition(under(account, ticketId, visibility)));
    return queryList(queryMerged, { partitions }, bounds, recordOf<StoredTicketComment>);
  },
};

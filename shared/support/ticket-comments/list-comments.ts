import { inParallel } from '../../table/in-parallel.ts';
import { type ListSource, readOnce } from '../../table/list-source.ts';
import { idOfTicket, reachedTicket, type TicketReader } from '../tickets/read-ticket.ts';
import { tickets } from '../tickets/store.ts';
import { type StoredTicketComment, type Visibility, visibilities } from './schema.ts';
import { ticketComments } from './store.ts';

/**
 * Returns two list sources for the comments on a ticket: all comments, and only the public comments. To get the number
 * of comments, the ticket is read once, in parallel with the comments. Throws `not_found`.
 */
export function commentsOn(input: TicketReader, reference: string) {
  const { account } = input;
  const id = readOnce(() => idOfTicket(account, reference));
  const ticket = readOnce(async () =>
    reachedTicket(input, reference, tickets.getSummary(account, await id())),
  );
  const source = (
    shown: readonly Visibility[],
    total: () => Promise<number>,
  ): ListSource<StoredTicketComment> => ({
    newest: async (bounds) => {
      const comments = ticketComments.newest(account, await id(), shown, bounds);
      const [, found] = await inParallel([ticket(), comments]);
      return found;
    },
    total,
    show: async (page) => page,
  });
  return {
    full: source(visibilities, async () => (await ticket()).commentCount),
    restricted: source(['public'], async () => {
      const { commentCount, internalNoteCount } = await ticket();
      return commentCount - internalNoteCount;
    }),
  };
}

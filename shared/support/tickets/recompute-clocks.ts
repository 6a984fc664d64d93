import { accountPolicy } from '../../accounts/policy-of.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import { accounts } from '../../accounts/store.ts';
import type { EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { openStatuses } from '../../sla/schema.ts';
import { backoff } from '../../table/backoff.ts';
import type { Write } from '../../table/operations.ts';
import { countOf, listOfIndex } from '../../table/secondary-indexes.ts';
import { VersionConflict } from '../../table/transact.ts';
import { changeTicket } from './change-ticket.ts';
import { ticketEvents } from './events.ts';
import { policyFor } from './read-ticket.ts';
import { tickets } from './store.ts';

/** Returns the number of open tickets of an account, or of the user `within`. */
export const countOpenTickets = (account: AccountId, within?: string): Promise<number> =>
  countOf(
    tickets,
    account,
    openStatuses.map((of) => (within === undefined ? { of } : { of, within: [within] })),
  );

const pageSize = 100;

/** Commits the change of one ticket. Throws `VersionConflict` if the ticket has changed. */
type CommitTicket = (writes: Write[], events: EventDraft[]) => Promise<void>;

interface Recomputed {
  recomputed: number;
  /** The number of open tickets that already had the current policy. */
  current: number;
}

/**
 * Applies the current SLA policy of an account to its open tickets, one ticket at a time. Targets that are breached or
 * met do not change. Tickets that become open during the call may be missed: call the function again until it
 * recomputes none. `actor` is the author of the changes.
 */
export async function recomputeClocks(
  account: AccountId,
  { actor, commit }: { actor: string; commit: CommitTicket },
  advance: () => void = () => {},
): Promise<Recomputed> {
  const result = { recomputed: 0, current: 0 };
  const record = await accounts.get(account);
  for (const status of openStatuses) {
    const list = listOfIndex<{ id: number }>(tickets, account, 'state', [[status]], async () => 0);
    for (let before: string | undefined = ''; before !== undefined; ) {
      const { items, next } = await list.newest({ limit: pageSize, before });
      for (const { id } of items) {
        const outcome = await recomputeOne(record, id, { actor, commit });
        if (outcome) result[outcome] += 1;
        advance();
      }
      before = next;
    }
  }
  return result;
}

/** Returns undefined if the ticket is no longer open. */
async function recomputeOne(
  account: StoredAccount,
  id: number,
  { actor, commit }: { actor: string; commit: CommitTicket },
): Promise<keyof Recomputed | undefined> {
  const currentPolicy = accountPolicy(account);
  for (let attempts = 1; ; attempts += 1) {
    const ticket = await tickets.find(account.id, id);
    if (!ticket || !openStatuses.includes(ticket.status)) return undefined;
    // A larger number means that the policy changed after the account was read.
    if (ticket.clock.policy >= currentPolicy.number) return 'current';
    const policy = await policyFor(ticket, account);
    const change = changeTicket(
      ticket,
      { recompute: true },
      { now: new Date(), actor, policy, currentPolicy },
    );
    try {
      await commit(tickets.change(change), ticketEvents(change));
      return 'recomputed';
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      await backoff(attempts);
    }
  }
}

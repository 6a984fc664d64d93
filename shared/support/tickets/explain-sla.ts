import type { StoredAccount } from '../../accounts/schema.ts';
import { uniqueIdOf } from '../../id/unique-id.ts';
import type { ClockEntry } from '../../sla/clock.ts';
import { intervalsOf } from '../../sla/explain-clock.ts';
import { foldClock, type Policies, requirePolicy } from '../../sla/fold-clock.ts';
import type { Policy } from '../../sla/policy.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { clockEntries } from './clock-entries.ts';
import { idOfTicket, policyByNumber, reachedTicket, type TicketReader } from './read-ticket.ts';
import type { TicketSla } from './sla-schema.ts';
import { tickets } from './store.ts';

/** Returns the ledger of a ticket, referenced by id, uniqueId or ticketNumber. Throws `not_found`. */
export async function readLedger(input: TicketReader, reference: string) {
  const { account: accountId } = input;
  const id = await idOfTicket(accountId, reference);
  // The ticket is read only to throw `not_found`, because the ledger of a deleted ticket remains until cleanup.
  const [, entries] = await inParallel([
    reachedTicket(input, reference, tickets.get(accountId, id)),
    clockEntries.of({ id, accountId }),
  ]);
  return { ticketId: id, entries };
}

export async function explainSla(
  { ticketId, entries }: Awaited<ReturnType<typeof readLedger>>,
  account: StoredAccount,
  now: Date,
): Promise<TicketSla> {
  const policies = await policiesOf(entries, account);
  const until = now.toISOString();
  return {
    ticketId,
    uniqueId: uniqueIdOf('tkt', ticketId),
    until,
    policy: requirePolicy(policies, foldClock(entries, policies).policy),
    entries: [...entries],
    ...intervalsOf(entries, policies, until),
  };
}

/** Returns the policies of a ledger. Former policies are read in parallel. */
async function policiesOf(entries: readonly ClockEntry[], account: StoredAccount): Promise<Policies> {
  const numbers = new Set(entries.map(({ policy }) => policy).filter((number) => number !== undefined));
  const found = await Promise.all([...numbers].map((number) => policyByNumber(account, number)));
  return new Map(
    found.filter((policy): policy is Policy => policy !== undefined).map((policy) => [policy.number, policy]),
  );
}

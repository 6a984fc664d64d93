import { policyOf } from '../../accounts/policy-of.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import { slaPolicies } from '../../accounts/sla-policies.ts';
import { accounts } from '../../accounts/store.ts';
import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asUniqueRecordId } from '../../id/unique-id.ts';
import type { Policy } from '../../sla/policy.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';
import { idsOfTicketNumbers, readTicketNumber } from './ticket-number.ts';

/**
 * The ids of the tickets that these texts name, in their order: by id, uniqueId or ticketNumber. Undefined where a text
 * names none; a number is looked up, the others are not.
 */
export async function idsOfTickets(
  account: AccountId,
  references: readonly string[],
): Promise<(number | undefined)[]> {
  const numbers = references.map(readTicketNumber);
  const wanted = numbers.filter((number) => number !== undefined);
  const ids = wanted.length > 0 ? await idsOfTicketNumbers(account, wanted) : new Map<string, number>();
  return references.map((reference, index) => {
    const number = numbers[index];
    return number === undefined ? asUniqueRecordId('tkt', reference) : ids.get(number);
  });
}

/** The id that the name of a ticket in a path stands for. Throws `not_found` where it stands for none. */
export async function idOfTicket(account: AccountId, reference: string): Promise<number> {
  const [id] = await idsOfTickets(account, [reference]);
  if (id === undefined) throw new ApiError('not_found');
  return id;
}

/** The ticket that a path names by id, uniqueId or ticketNumber. Throws `not_found`. */
export const readTicket = async (account: AccountId, reference: string): Promise<StoredTicket> =>
  tickets.get(account, await idOfTicket(account, reference));

/** Nothing changes a policy that is no longer in force, so an instance reads each once. */
const known = new Map<string, Policy>();
const mostKnown = 1000;

/** What was promised of a ticket: at most one read, where that is older than what the account promises now. */
export async function policyFor(
  { id, clock }: Pick<StoredTicket, 'id' | 'clock'>,
  account: StoredAccount,
): Promise<Policy> {
  const policy = await policyNumbered(account, clock.policy);
  if (!policy) throw new Error(`The policy ${clock.policy} of the ticket ${id} is not there.`);
  return policy;
}

/**
 * A policy of an account by its number, be it in force or not; undefined where there is none. One that is newer than the
 * account as the request read it has come into force since then: another request gave it to the ticket.
 */
export async function policyNumbered(account: StoredAccount, number: number): Promise<Policy | undefined> {
  const present = policyOf(account);
  if (number === present.number) return present;
  const name = `${account.id} ${number}`;
  const policy =
    known.get(name) ??
    (await slaPolicies.find(account.id, number)) ??
    (number > present.number ? await policySince(account, number) : undefined);
  if (!policy) return undefined;
  if (known.size >= mostKnown) known.clear();
  known.set(name, policy);
  return policy;
}

/** The same by the account as it is now, which may have changed once more while that was read. */
async function policySince({ id }: StoredAccount, number: number): Promise<Policy | undefined> {
  const present = policyOf(await accounts.get(id));
  return present.number === number ? present : slaPolicies.find(id, number);
}

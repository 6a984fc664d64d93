import { accountPolicy } from '../../accounts/policy-of.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import { slaPolicies } from '../../accounts/sla-policies.ts';
import { accounts } from '../../accounts/store.ts';
import type { RequestInput } from '../../endpoints/endpoint.ts';
import { reached } from '../../endpoints/reached.ts';
import { ApiError, notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asUniqueRecordId } from '../../id/unique-id.ts';
import type { Policy } from '../../sla/policy.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';
import { idsOfTicketNumbers, parseTicketNumber } from './ticket-number.ts';

/** Converts ticket references to ids; undefined for an invalid or unknown reference. Only ticketNumbers need a read. */
export async function idsOfTickets(
  account: AccountId,
  references: readonly string[],
): Promise<(number | undefined)[]> {
  const numbers = references.map(parseTicketNumber);
  const wanted = numbers.filter((number) => number !== undefined);
  const ids = wanted.length > 0 ? await idsOfTicketNumbers(account, wanted) : new Map<string, number>();
  return references.map((reference, index) => {
    const number = numbers[index];
    return number === undefined ? asUniqueRecordId('tkt', reference) : ids.get(number);
  });
}

/** No ticket has this id, because the ids of records contain their time. */
const unusedId = 1;

/**
 * Returns the id of a ticket reference. Throws `not_found` for an invalid reference. For an unknown number, returns an unused
 * id, so that it takes as many reads as the number of a ticket that the caller does not reach.
 */
export async function idOfTicket(account: AccountId, reference: string): Promise<number> {
  const [id] = await idsOfTickets(account, [reference]);
  if (id !== undefined) return id;
  if (parseTicketNumber(reference) !== undefined) return unusedId;
  throw notFound('ticket', reference);
}

/** The part of a request that reads one ticket. */
export type TicketReader = Pick<RequestInput, 'account' | 'requireReach'>;

/**
 * Returns the ticket that `reading` returns, if the caller reaches it. A hidden ticket has the same error as a reference to
 * no ticket, which contains a ticketNumber as it was sent, but the id of a uniqueId.
 */
export async function reachedTicket<R extends { id: number }>(
  input: TicketReader,
  reference: string,
  reading: Promise<R>,
): Promise<R> {
  try {
    return await reached(input, 'ticket', reading);
  } catch (error) {
    const isNumber = parseTicketNumber(reference) !== undefined;
    throw isNumber && error instanceof ApiError && error.code === 'not_found'
      ? notFound('ticket', reference)
      : error;
  }
}

/** Returns a ticket of a request. Throws `not_found`, and `permission_denied` if the caller may not change the ticket. */
export async function readTicket(input: TicketReader, reference: string): Promise<StoredTicket> {
  const id = await idOfTicket(input.account, reference);
  return reachedTicket(input, reference, tickets.get(input.account, id));
}

/** Former policies never change, so each function instance caches them. */
const known = new Map<string, Policy>();
const maxCached = 1000;

/** Returns the policy of a ticket. Reads the table only for a former policy of the account. */
export async function policyFor(
  { id, clock }: Pick<StoredTicket, 'id' | 'clock'>,
  account: StoredAccount,
): Promise<Policy> {
  const policy = await policyByNumber(account, clock.policy);
  if (!policy) throw new Error(`Policy ${clock.policy} of ticket ${id} was not found.`);
  return policy;
}

/**
 * Returns a policy by its number, or undefined. If `number` is greater than the policy number in `account`,
 * the policy has changed since `account` was read. The account is then read again.
 */
export async function policyByNumber(account: StoredAccount, number: number): Promise<Policy | undefined> {
  const present = accountPolicy(account);
  if (number === present.number) return present;
  const name = `${account.id} ${number}`;
  const policy =
    known.get(name) ??
    (await slaPolicies.find(account.id, number)) ??
    (number > present.number ? await reloadPolicy(account, number) : undefined);
  if (!policy) return undefined;
  if (known.size >= maxCached) known.clear();
  known.set(name, policy);
  return policy;
}

/** Reads the account again. If its policy has changed again, reads the requested policy from the former policies. */
async function reloadPolicy({ id }: StoredAccount, number: number): Promise<Policy | undefined> {
  const present = accountPolicy(await accounts.get(id));
  return present.number === number ? present : slaPolicies.find(id, number);
}

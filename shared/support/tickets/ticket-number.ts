import type { AccountId } from '../../id/account-id.ts';
import { increment } from '../../table/counters.ts';
import { deleteItem, putIfAbsent, type Write } from '../../table/operations.ts';
import { getItem, getItems } from '../../table/read.ts';
import { ticketNumberKey, ticketNumbersKey } from './keys.ts';

/** The spelling of the so-manieth ticket of an account: `TKT-000123`. */
export const ticketNumberOf = (count: number): string => `TKT-${String(count).padStart(6, '0')}`;

/** The ticket number that a text spells, in either case; undefined where it spells none. */
export function readTicketNumber(text: string): string | undefined {
  const [, digits] = /^tkt-(\d{6,15})$/i.exec(text) ?? [];
  return digits === undefined ? undefined : ticketNumberOf(Number(digits));
}

/**
 * Takes the next ticket number of an account: one atomic addition on an item that no transaction touches. Each call uses
 * one up, so call it once for each ticket.
 */
export const takeTicketNumber = async (account: AccountId): Promise<string> =>
  ticketNumberOf(await increment(ticketNumbersKey(account)));

/** The number that the next ticket of an account would take. */
export const nextTicketNumber = async (account: AccountId): Promise<string> =>
  ticketNumberOf(Number((await getItem(ticketNumbersKey(account)))?.count ?? 0) + 1);

/** The ids of the tickets that have these numbers; a number that none has is left out. */
export async function idsOfTicketNumbers(
  account: AccountId,
  numbers: readonly string[],
): Promise<Map<string, number>> {
  const items = await getItems(numbers.map((number) => ticketNumberKey(account, number)));
  return new Map(
    numbers.flatMap((number, index) => {
      const id = items[index]?.ticketId;
      return typeof id === 'number' ? [[number, id] as const] : [];
    }),
  );
}

interface Numbered {
  id: number;
  accountId: AccountId;
  ticketNumber: string;
}

/** The item by which a ticket's number leads to it; it lives as long as the ticket. */
export const putTicketNumber = ({ id, accountId, ticketNumber }: Numbered): Write =>
  putIfAbsent({ ...ticketNumberKey(accountId, ticketNumber), type: 'ticket-number', ticketId: id });

export const deleteTicketNumber = ({ accountId, ticketNumber }: Numbered): Write =>
  deleteItem(ticketNumberKey(accountId, ticketNumber));

import type { AccountId } from '../../id/account-id.ts';
import type { CountSlot } from '../../rotations/slots.ts';
import { increment } from '../../table/counters.ts';
import { deleteItem, putIfAbsent, type Write } from '../../table/operations.ts';
import { getItems } from '../../table/read.ts';
import { ticketNumberKey, ticketNumbersKey } from './keys.ts';
import type { StoredTicket } from './stored-ticket.ts';

export const ticketNumberOf = (count: number): string => `TKT-${String(count).padStart(6, '0')}`;

/** Parses a ticket number, case-insensitively. Returns undefined if the text is not a ticket number. */
export function parseTicketNumber(text: string): string | undefined {
  const [, digits] = /^tkt-(\d{6,15})$/i.exec(text) ?? [];
  return digits === undefined ? undefined : ticketNumberOf(Number(digits));
}

/** Takes the next ticket number by an atomic increment outside of transactions. Call this only once per ticket. */
export const takeTicketNumber = async (
  account: AccountId,
  countSlot: CountSlot = increment,
): Promise<string> => ticketNumberOf(await countSlot(ticketNumbersKey(account)));

/** Returns the ticket ids by ticket number. Unknown numbers are omitted. */
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

type Numbered = Pick<StoredTicket, 'id' | 'accountId' | 'ticketNumber'>;

/** Maps the ticket's number to the ticket until the ticket is deleted. */
export const putTicketNumber = ({ id, accountId, ticketNumber }: Numbered): Write =>
  putIfAbsent({ ...ticketNumberKey(accountId, ticketNumber), type: 'ticket-number', ticketId: id });

export const deleteTicketNumber = ({ accountId, ticketNumber }: Numbered): Write =>
  deleteItem(ticketNumberKey(accountId, ticketNumber));

import { cutText } from '../../table/cut-text.ts';
import type { StoredTicket, TicketSummary } from './stored-ticket.ts';

/** 8 KB of JSON, so that 100 summaries fit into a page of a list, and a request can read 10,000 summaries. */
export const largestSummary = 8 * 1024;

const shownDescription = 200;

/**
 * Returns the fields that lists show, filter and search. Each text is cut to a number of bytes in JSON. Tags
 * that do not fit into the remaining bytes are omitted. If all texts are ASCII, only the description is cut
 * and all tags fit.
 */
export function summarizeTicket(ticket: StoredTicket): TicketSummary {
  const { customFields, metaData, assignment, tags, ...rest } = ticket;
  const brief = {
    ...rest,
    subject: cutText(ticket.subject, 800),
    description: cutText(firstCharacters(ticket.description), 600),
    requesterId: cutText(ticket.requesterId, 254),
    requesterName: cutText(ticket.requesterName, 401),
    requesterEmail: cutText(ticket.requesterEmail, 254),
    ...(ticket.requesterPhone !== undefined && { requesterPhone: cutText(ticket.requesterPhone, 128) }),
    ...(ticket.merchantName !== undefined && { merchantName: cutText(ticket.merchantName, 400) }),
  };
  return { ...brief, tags: fitting(tags, largestSummary - bytesOf({ ...brief, tags: [] })) };
}

const firstCharacters = (text: string): string =>
  [...text.slice(0, 2 * shownDescription)].slice(0, shownDescription).join('');

function fitting(tags: readonly string[], bytes: number): string[] {
  let left = bytes;
  const tooMany = tags.findIndex((tag) => {
    left -= bytesOf(tag) + 1;
    return left < 0;
  });
  return tooMany < 0 ? [...tags] : tags.slice(0, tooMany);
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

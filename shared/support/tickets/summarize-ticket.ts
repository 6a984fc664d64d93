import { cutText } from '../../table/cut-text.ts';
import type { StoredTicket, TicketSummary } from './stored-ticket.ts';

/** In bytes of JSON: a hundred fit a page, and ten thousand a window, whatever anybody typed. */
export const largestSummary = 8 * 1024;

/** So many characters of a description are shown in a list. */
const shownDescription = 200;

/**
 * What lists show of a ticket, and are filtered and searched by. Texts are cut by what they take as JSON, and tags get
 * what the rest leaves. In plain letters that cuts nothing but the description; of other scripts the last may be missing.
 */
export function summaryOf(ticket: StoredTicket): TicketSummary {
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

/** The first tags that take at most so many bytes. */
function fitting(tags: readonly string[], bytes: number): string[] {
  let left = bytes;
  const tooMany = tags.findIndex((tag) => {
    left -= bytesOf(tag) + 1;
    return left < 0;
  });
  return tooMany < 0 ? [...tags] : tags.slice(0, tooMany);
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

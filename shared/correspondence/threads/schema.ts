import type { AccountId } from '../../id/account-id.ts';
import { firstAndNewest } from '../mails/first-and-newest.ts';
import type { ThreadType } from '../mails/schema.ts';

/** The record to which a thread belongs. `recordId` is the id as text. */
export interface ThreadOf {
  recordType: ThreadType;
  recordId: string;
}

/** A person who was admitted to a thread, in addition to the customer of the record. */
interface ThreadParticipant {
  /** In lower case. */
  address: string;
  name?: string;
  since: string;
  /** The member or the API key that admitted the person. */
  by: string;
}

/** A thread has at most this many participants besides the customer. */
export const maxParticipants = 50;
/**
 * A longer thread keeps its first Message-ID and the newest ones, for `References`. SES documents no limit, but mail servers
 * reject long headers: sendmail those above 32 KB (MaxHeadersLength). A Message-ID has at most 250 characters.
 */
export const mostMessageIds = 100;

/** The thread of a ticket, lead or application. It exists from the first mail on. */
export interface StoredThread extends ThreadOf {
  accountId: AccountId;
  version: number;
  subject: string;
  participants: ThreadParticipant[];
  /** All Message-IDs, oldest first; in a thread with more than 100, the first one and the newest ones. */
  messageIds: string[];
}

/** Returns a thread without mails. */
export const newThread = (
  accountId: AccountId,
  { recordType, recordId }: ThreadOf,
  subject: string,
): StoredThread => ({
  ...{ accountId, recordType, recordId, version: 0, subject },
  participants: [],
  messageIds: [],
});

/** Adds a mail to a thread, if it has a Message-ID. */
export function withMessage(thread: StoredThread, messageId: string): StoredThread {
  if (messageId === '') return thread;
  const ids = [...thread.messageIds.filter((id) => id !== messageId), messageId];
  return { ...thread, messageIds: firstAndNewest(ids, mostMessageIds) };
}

/** Removes a mail that was moved to another thread. */
export const withoutMessage = (thread: StoredThread, messageId: string): StoredThread => ({
  ...thread,
  messageIds: thread.messageIds.filter((id) => id !== messageId),
});

/** Admits a person to a thread. Returns the same thread if it is full or the person is admitted. */
export function withParticipant(thread: StoredThread, participant: ThreadParticipant): StoredThread {
  const address = participant.address.toLowerCase();
  const { participants } = thread;
  if (participants.length >= maxParticipants || participants.some((one) => one.address === address))
    return thread;
  return { ...thread, participants: [...participants, { ...participant, address }] };
}

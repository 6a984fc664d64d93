import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import type { StoredApplication } from '../../sales/applications/record/stored-application.ts';
import { applications } from '../../sales/applications/store.ts';
import type { Lead } from '../../sales/leads/schema.ts';
import { leads } from '../../sales/leads/store.ts';
import { tickets } from '../../support/tickets/store.ts';
import type { StoredTicket } from '../../support/tickets/stored-ticket.ts';
import type { StoredMail } from '../mails/schema.ts';
import { newThread, type StoredThread, type ThreadOf, withMessage } from './schema.ts';

/** A record with a thread. */
export type ThreadRecord =
  | { recordType: 'ticket'; record: StoredTicket }
  | { recordType: 'lead'; record: Lead }
  | { recordType: 'application'; record: StoredApplication };

/** Returns the record of a thread; undefined if it does not exist. */
export async function findThreadRecord(
  account: AccountId,
  { recordType, recordId }: ThreadOf,
): Promise<ThreadRecord | undefined> {
  if (recordType === 'application') {
    const application = await applications.findByReference(account, recordId);
    return application && { recordType, record: application };
  }
  const id = asRecordId(recordId);
  if (id === undefined) return undefined;
  if (recordType === 'ticket') {
    const ticket = await tickets.find(account, id);
    return ticket && { recordType, record: ticket };
  }
  const lead = await leads.find(account, id);
  return lead && { recordType, record: lead };
}

export const threadOf = ({ recordType, record }: ThreadRecord): ThreadOf => ({
  recordType,
  recordId: String(record.id),
});

/** Returns the thread of a record with a mail. A new thread has the subject of the ticket, or else of the mail. */
export function threadWith(
  thread: StoredThread | undefined,
  of: ThreadRecord,
  { accountId, subject, messageId }: Pick<StoredMail, 'accountId' | 'subject' | 'messageId'>,
): StoredThread {
  const before =
    thread ?? newThread(accountId, threadOf(of), of.recordType === 'ticket' ? of.record.subject : subject);
  return withMessage(before, messageId);
}

/** Returns the address of the customer: of the requester, of the lead, or of the business. Undefined if none is known. */
export function customerAddress(of: ThreadRecord): string | undefined {
  const address = addressIn(of)?.trim().toLowerCase();
  return address === '' ? undefined : address;
}

function addressIn(of: ThreadRecord): string | undefined {
  if (of.recordType === 'ticket') return of.record.requesterEmail;
  return of.recordType === 'lead' ? of.record.email : of.record.basics?.dbaEmail;
}

/** Reports whether an address belongs to the customer of the record, or to a person who was admitted to the thread. */
export function takesPart(of: ThreadRecord, thread: StoredThread | undefined, address: string): boolean {
  const sender = address.trim().toLowerCase();
  if (sender === '') return false;
  return sender === customerAddress(of) || (thread?.participants ?? []).some((one) => one.address === sender);
}

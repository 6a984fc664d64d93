import { asEmailAddress, emailAddress } from '../../formats.ts';
import type { MailPerson } from '../mails/schema.ts';
import { customerAddress, type ThreadRecord } from '../threads/thread-record.ts';

/** Returns the customer of a record, as the recipient of mails. Undefined if the record has no valid email address. */
export function customerOf(of: ThreadRecord): MailPerson | undefined {
  const address = asEmailAddress(customerAddress(of) ?? '');
  if (!emailAddress.test(address)) return undefined;
  const name = nameIn(of)?.trim();
  return { address, ...(name && { name: name.slice(0, 100) }) };
}

function nameIn(of: ThreadRecord): string | undefined {
  if (of.recordType === 'ticket') return of.record.requesterName;
  if (of.recordType === 'application') return of.record.basics?.dbaContact;
  return `${of.record.firstName} ${of.record.lastName}`;
}

import type { Subject } from '../../events/envelope.ts';
import { asRecordId } from '../../id/mint.ts';
import type { StoredMail } from './schema.ts';

/** Returns the record in whose thread a mail is. Its readers may read the mail and its events. */
export function parentOfMail({
  recordType: type,
  recordId,
}: Pick<StoredMail, 'recordType' | 'recordId'>): Subject['parent'] {
  if (type === undefined || recordId === undefined) return undefined;
  return { type, id: type === 'application' ? recordId : (asRecordId(recordId) ?? 0) };
}

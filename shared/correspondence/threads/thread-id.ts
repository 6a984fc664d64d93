import { createHash } from 'node:crypto';
import { crockford, crockfordNumber } from '../../id/crockford.ts';
import { asRecordId } from '../../id/mint.ts';
import type { ThreadOf } from './schema.ts';

/** The start of the ids of applications that the service generated. The rest is a number in Crockford's base 32. */
const generatedPrefix = 'app_';

/**
 * Returns the number in the id of a record: the id of a ticket or lead, or the number of a generated application id. Undefined
 * for an application id that a client chose.
 */
export function threadNumber({ recordType, recordId }: ThreadOf): number | undefined {
  if (recordType !== 'application') return asRecordId(recordId);
  const number = recordId.startsWith(generatedPrefix)
    ? crockfordNumber(recordId.slice(generatedPrefix.length))
    : undefined;
  return number !== undefined && idWith('application', number) === recordId ? number : undefined;
}

/** Returns the id of a record with a number; the reverse of `threadNumber`. */
export const idWith = (recordType: ThreadOf['recordType'], number: number): string =>
  recordType === 'application' ? `${generatedPrefix}${crockford(number)}` : String(number);

/** The bytes of the digest of an id that has no number. */
export const digestLength = 8;

/** Returns the digest of an application id that a client chose; undefined for an id with a number. */
export const digestedId = (of: ThreadOf): string | undefined =>
  threadNumber(of) === undefined
    ? createHash('sha256').update(of.recordId).digest().subarray(0, digestLength).toString('hex')
    : undefined;

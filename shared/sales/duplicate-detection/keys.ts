import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

/** The partition of the rows of all records that have the same value. `blind` is the keyed hash of the value. */
export const duplicatePartition = (account: AccountId, kind: string, blind: string): string =>
  tenantPartition(account, 'COLLISION', kind, blind);

/** The key of the index row for one field of a record. */
export const duplicateKey = (
  account: AccountId,
  kind: string,
  blind: string,
  { type, id, field }: { type: string; id: number | string; field: string },
): Key => ({ pk: duplicatePartition(account, kind, blind), sk: [type, id, field].join('#') });

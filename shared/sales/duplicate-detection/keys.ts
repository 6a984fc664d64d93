import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';

/** The records of an account that hold one value of a kind; `blind` is its keyed hash. */
export const duplicatePartition = (account: AccountId, kind: string, blind: string): string =>
  tenantPartition(account, 'COLLISION', kind, blind);

/** Marks that a field of a record holds the value of the partition. */
export const duplicateKey = (
  account: AccountId,
  kind: string,
  blind: string,
  { type, id, field }: { type: string; id: number | string; field: string },
): Key => ({ pk: duplicatePartition(account, kind, blind), sk: [type, id, field].join('#') });

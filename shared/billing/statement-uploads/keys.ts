import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

/** The partition of an uploaded statement and of the results of its rows. */
export const uploadPartition = (account: AccountId, id: number): string =>
  tenantPartition(account, 'BANKSTATEMENT', digits(id));

export const uploadKey = (account: AccountId, id: number): Key => ({
  pk: uploadPartition(account, id),
  sk: 'UPLOAD',
});

/** Lists return the largest sort key first. The keys descend, so that a list has the order of the file. */
const rowPosition = (place: number): string => `ROW#${digits(Number.MAX_SAFE_INTEGER - place)}`;

/** The result of the row at a place, from 0. */
export const rowKey = (account: AccountId, id: number, place: number): Key => ({
  pk: uploadPartition(account, id),
  sk: rowPosition(place),
});

export const rowRange = { from: 'ROW#', to: 'ROW#~' } as const;

/** The sort keys of the rows from one place to before another. */
export const rowRangeOf = (from: number, to: number): { from: string; to: string } => ({
  from: rowPosition(to - 1),
  to: rowPosition(from),
});

import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

/** A reading of a file. A file that was not read completely is read again, with another format or after a failure. */
interface FileReadingKey {
  accountId: AccountId;
  id: number;
  /** The number of the reading. */
  readings: number;
}

/** The partition of the rows of a reading. */
export const rowsPartition = ({ accountId, id, readings }: FileReadingKey): string =>
  tenantPartition(accountId, 'RESIDUALROWS', digits(id), String(readings));

/** The sort key of the chunk whose first row has a place. */
export const chunkPosition = (place: number): string => `ROWS#${digits(place)}`;

/** The key of the chunk whose first row has a place. */
export const chunkKey = (file: FileReadingKey, place: number): Key => ({
  pk: rowsPartition(file),
  sk: chunkPosition(place),
});

/** The key of the item that counts the attempts of a reading. */
export const triesKey = (file: FileReadingKey): Key => ({ pk: rowsPartition(file), sk: 'TRIES' });

/** The sort keys of the chunks from the one that starts at a place. */
export const chunksFrom = (place: number): { from: string; to: string } => ({
  from: chunkPosition(place),
  to: 'ROWS#~',
});

/** The partition of the latest file of each processor for a month. */
export const monthPartition = (account: AccountId, month: string): string =>
  tenantPartition(account, 'RESIDUALMONTH', month);

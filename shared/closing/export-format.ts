import type { AccountId } from '../id/account-id.ts';
import { printable } from '../printable.ts';
import { type Item, isExpired } from '../table/item.ts';
import { readTenantPartition } from '../table/keys.ts';
import { type ExportedRecord, exportedRecords } from './exported-kinds.ts';

export interface ExportHeader {
  kind: 'export';
  format: 'merchant-ops/account';
  version: 1;
  account: string;
  at: string;
  revealed: boolean;
}

export interface ExportEnd {
  kind: 'end';
  counts: Readonly<Record<string, number>>;
  /** The SHA-256, in hex, of all earlier lines with their line feeds. */
  sha256: string;
}

export const exportHeader = (account: AccountId, at: Date, revealed: boolean): ExportHeader => ({
  kind: 'export',
  format: 'merchant-ops/account',
  version: 1,
  account,
  at: at.toISOString(),
  revealed,
});

/** Returns a line of an export. It is printable, because an export may be printed on a terminal. */
export const exportLine = (value: ExportHeader | ExportedRecord): string =>
  `${printable(JSON.stringify(value))}\n`;

/** Returns the exported records of an account among the items of a page of the table. */
export const recordsOfAccount = (account: AccountId, items: readonly Item[], now: Date): ExportedRecord[] =>
  items
    .filter((item) => readTenantPartition(item.pk)?.account === account && !isExpired(item, now))
    .flatMap(exportedRecords);

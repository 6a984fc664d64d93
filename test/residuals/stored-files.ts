import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { sumMicros } from '../../shared/residuals/amounts/micros.ts';
import type { ResidualRow } from '../../shared/residuals/files/residual-row.ts';
import { residualFiles, residualRows, type StoredResidualFile } from '../../shared/residuals/files/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';

/** Units of the currency, in millionths. */
export const units = (amount: number): number => Math.round(amount * 1_000_000);

/** A row without its place, which is that in the list. */
export type RowOf = Omit<ResidualRow, 'place'>;

interface FileOf {
  account: AccountId;
  processor?: string;
  month?: string;
  rows: readonly RowOf[];
}

/** Stores a file as if it had been read. Returns its id. It is the latest of its processor and month. */
export async function storedFile({
  account,
  processor = 'Northwind',
  month = '2026-10',
  rows,
}: FileOf): Promise<number> {
  const authored = { account, ...authoredBy('ada@example.com', clock.now()) };
  const before = await residualFiles.findLatest(account, { month, processor });
  const fileVersion = (before?.fileVersion ?? 0) + 1;
  const placed = rows.map((row, n): ResidualRow => ({ place: n + 2, ...row }));
  const file: StoredResidualFile = {
    ...newRecord(authored, mintId(clock.now())),
    ...{
      processor,
      month,
      fileName: `${processor}-${month}-${fileVersion}.csv`,
      size: 10,
      sha256: 'f'.repeat(64),
    },
    ...{ state: 'read' as const, formatId: 1, formatVersion: 1, fileVersion, rows: rows.length },
    readings: 1,
    total: sumMicros(rows.map(({ net }) => net)),
  };
  for (let from = 0; from < placed.length; from += 500)
    await residualRows.put([residualRows.chunk(file, placed.slice(from, from + 500))]);
  const { id, sha256, formatId = 1, formatVersion = 1 } = file;
  const latest = { month, processor, fileId: id, fileVersion, sha256, formatId, formatVersion };
  await transact(
    [...residualFiles.insert(file), ...residualFiles.replaceLatest(account, before, latest)],
    Date.now() + 20_000,
  );
  return id;
}

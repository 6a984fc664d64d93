import { listedAccount } from '../../shared/accounts/directory.ts';
import type { StoredAccount } from '../../shared/accounts/schema.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { isTombstone, recordOf } from '../../shared/table/item.ts';
import { scanTable } from './scan-table.ts';

/** Puts every account of the table into the directory; how many there are. */
export async function buildDirectory(): Promise<number> {
  let accounts = 0;
  for await (const items of scanTable('Items read', ['account'])) {
    const found = items.filter((item) => !isTombstone(item)).map((item) => recordOf<StoredAccount>(item).id);
    const left = await putAll(found.map(listedAccount));
    if (left.length > 0) throw new Error(`${left.length} accounts could not be written: run it again.`);
    accounts += found.length;
  }
  return accounts;
}

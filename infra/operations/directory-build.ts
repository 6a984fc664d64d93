import '../quiet-sdk.ts';
import { listedAccount } from '../../shared/accounts/directory.ts';
import type { StoredAccount } from '../../shared/accounts/schema.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { isTombstone, recordOf } from '../../shared/table/item.ts';
import { command, print } from './command.ts';
import { scanTable } from './scan-table.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

await command(
  {
    name: 'directory:build',
    summary: `Writes the directory of accounts, which events:replay reads. Run this command once if the table is
older than the directory. The command can run while the service runs, and can be repeated.`,
    options: { json: { type: 'flag', help: 'prints the number of accounts as JSON' }, ...serviceOption },
    notes: [serviceNote, 'The command reads the whole table once.'],
  },
  async ({ json, stage }) => {
    await useTableOf(stage);
    const accounts = await buildDirectory();
    print({ accounts }, json ? undefined : [`${accounts} accounts.`]);
  },
);

/** Adds every account of the table to the directory. Returns the number of accounts. */
async function buildDirectory(): Promise<number> {
  let accounts = 0;
  for await (const items of scanTable('Items read', ['account'])) {
    const found = items.filter((item) => !isTombstone(item)).map((item) => recordOf<StoredAccount>(item).id);
    const left = await putAll(found.map(listedAccount));
    if (left.length > 0)
      throw new Error(`${left.length} accounts could not be written. Run the command again.`);
    accounts += found.length;
  }
  return accounts;
}

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { listedAccount } from '../../shared/accounts/directory.ts';
import type { StoredAccount } from '../../shared/accounts/schema.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { table, tableName } from '../../shared/table/client.ts';
import { recordOf } from '../../shared/table/item.ts';

/** Puts every account of the table into the directory; how many there are. */
export async function buildDirectory(): Promise<number> {
  let [accounts, start]: [number, Record<string, unknown> | undefined] = [0, undefined];
  do {
    const page: { Items?: Record<string, unknown>[]; LastEvaluatedKey?: Record<string, unknown> } =
      await table.send(
        new ScanCommand({
          TableName: tableName(),
          ExclusiveStartKey: start,
          ConsistentRead: true,
          FilterExpression: '#type = :account',
          ExpressionAttributeNames: { '#type': 'type' },
          ExpressionAttributeValues: { ':account': 'account' },
        }),
      );
    const found = (page.Items ?? []).map((item) => recordOf<StoredAccount>(item).id);
    const left = await putAll(found.map(listedAccount));
    if (left.length > 0) throw new Error(`${left.length} accounts could not be written: run it again.`);
    accounts += found.length;
    start = page.LastEvaluatedKey;
  } while (start);
  return accounts;
}

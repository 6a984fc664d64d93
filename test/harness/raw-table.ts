import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { eventPartition } from '../../shared/events/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { documents } from './documents.ts';

/** Every item of the table, of all accounts, as stored. */
export async function scanTable(): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(
      new ScanCommand({ TableName: tableName(), ExclusiveStartKey: start, ConsistentRead: true }),
    );
    items.push(...((page.Items ?? []) as Item[]));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

/** The event items of an account, oldest first. */
export async function storedEvents(accountId: string): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': eventPartition(accountId as AccountId) },
        ExclusiveStartKey: start,
        ConsistentRead: true,
      }),
    );
    items.push(...((page.Items ?? []) as Item[]));
    start = page.LastEvaluatedKey;
  } while (start);
  return items.sort((one, other) => Number(one.id) - Number(other.id));
}

/** Returns the event items of an account about the record with this id, oldest first. */
export const eventsAbout = async (accountId: string, id: unknown): Promise<Item[]> =>
  (await storedEvents(accountId)).filter(({ subject }) => (subject as { id?: unknown }).id === id);

/** The data of an event `no_event_name`. */
interface StoredHappening {
  happening: string;
  recordId: unknown;
  detail: Record<string, unknown>;
}

/** Returns the happenings of an account whose names begin with `start`, oldest first. */
export const storedHappenings = async (accountId: string, start = ''): Promise<StoredHappening[]> =>
  (await storedEvents(accountId))
    .filter(({ kind }) => kind === 'no_event_name')
    .map(({ data }) => data as StoredHappening)
    .filter(({ happening }) => happening.startsWith(start));

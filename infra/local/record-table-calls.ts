import type {
  AttributeValue,
  ConsumedCapacity,
  DynamoDBClient,
  KeysAndAttributes,
  TransactWriteItem,
  WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { TableCall, TableCallItem } from './invocation.ts';

type Attributes = Record<string, AttributeValue>;

/** The inputs of the operations that the functions use. */
interface Input {
  Key?: Attributes;
  Item?: Attributes;
  IndexName?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
  RequestItems?: Record<string, KeysAndAttributes | WriteRequest[]>;
  TransactItems?: TransactWriteItem[];
}

interface Recording {
  /** From `performance.now()`. */
  startedAt: number;
  calls: TableCall[];
}

/**
 * Records the calls of a client, with the capacity that each call consumes. `current` returns the recording of the
 * current invocation. Calls outside an invocation are not recorded.
 */
export function recordTableCalls(client: DynamoDBClient, current: () => Recording | undefined): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const recording = current();
        if (!recording) return next(args);
        const startedAt = performance.now();
        const operation = commandName.replace(/Command$/, '');
        const call: { -readonly [K in keyof TableCall]: TableCall[K] } = {
          operation,
          after: startedAt - recording.startedAt,
          milliseconds: 0,
          items: itemsOf(operation, args.input as Input),
        };
        recording.calls.push(call);
        try {
          const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
          call.units = unitsOf((result.output as Consumed).ConsumedCapacity);
          return result;
        } catch (error) {
          call.error = error instanceof Error ? error.name : String(error);
          throw error;
        } finally {
          call.milliseconds = performance.now() - startedAt;
        }
      },
    { step: 'initialize', name: 'recordTableCalls' },
  );
}

/** The consumed capacity in the output of an operation. */
interface Consumed {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
}

function unitsOf(consumed: Consumed['ConsumedCapacity']): number | undefined {
  if (consumed === undefined) return undefined;
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

function itemsOf(operation: string, input: Input): TableCallItem[] {
  const { RequestItems, TransactItems, Key, Item } = input;
  if (TransactItems) return TransactItems.flatMap(transactedItem);
  if (RequestItems) return Object.values(RequestItems).flatMap(batchItems);
  if (Item) return [putItem(Item)];
  if (Key && operation === 'UpdateItem') return [updatedItem(Key, input)];
  if (Key) return [itemAt(operation === 'DeleteItem' ? 'delete' : 'get', Key)];
  return [queriedRange(input)];
}

function batchItems(requests: KeysAndAttributes | WriteRequest[]): TableCallItem[] {
  if (!Array.isArray(requests)) return (requests.Keys ?? []).map((key) => itemAt('get', key));
  return requests.map(({ PutRequest, DeleteRequest }) =>
    PutRequest ? putItem(PutRequest.Item ?? {}) : itemAt('delete', DeleteRequest?.Key ?? {}),
  );
}

function transactedItem({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): TableCallItem {
  if (Put) return putItem(Put.Item ?? {});
  if (Update) return updatedItem(Update.Key ?? {}, Update);
  return Delete ? itemAt('delete', Delete.Key ?? {}) : itemAt('check', ConditionCheck?.Key ?? {});
}

const itemAt = (action: TableCallItem['action'], { pk, sk }: Attributes): TableCallItem => ({
  action,
  pk: textOf(pk),
  sk: textOf(sk),
});

const putItem = (item: Attributes): TableCallItem => ({
  ...itemAt('put', item),
  attributes: Object.keys(item).filter((name) => name !== 'pk' && name !== 'sk'),
});

/** The written attributes are the names in the update expression, for example `#a` in `SET #a = :a`. */
function updatedItem(key: Attributes, input: Input): TableCallItem {
  const { UpdateExpression = '', ExpressionAttributeNames = {} } = input;
  const names = UpdateExpression.match(/#\w+/g) ?? [];
  const attributes = [...new Set(names)].map((name) => ExpressionAttributeNames[name] ?? name);
  return { ...itemAt('update', key), attributes };
}

/** Queries have the placeholders `:pk`, `:from` and `:to`; see `readPage` in shared/table/read.ts. */
function queriedRange({ IndexName, ExpressionAttributeValues: values = {} }: Input): TableCallItem {
  return {
    action: 'query',
    ...(IndexName && { index: IndexName }),
    pk: textOf(values[':pk']),
    ...(values[':from'] && { sk: `${textOf(values[':from'])} to ${textOf(values[':to'])}` }),
  };
}

const textOf = (value: AttributeValue | undefined): string => value?.S ?? value?.N ?? '';

import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { signed } from './sign-request.ts';

/** A record as Lambda gets it, which is how the stream's JSON has it: it never passes through the SDK's types. */
export type StreamRecord = DynamoDBRecord & {
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime?: number };
};

export interface Shard {
  id: string;
  parentId?: string;
}

/** A table's stream of changes: DynamoDB's own API, for which the SDK would need one more package. */
export interface TableStream {
  arn: string;
  shards(): Promise<Shard[]>;
  /** Where to read on, after a record or, without one, from the oldest that is kept. */
  iterator(shardId: string, after: string | undefined): Promise<string>;
  /** `next` is undefined at the end of a closed shard. */
  records(iterator: string, limit: number): Promise<{ records: StreamRecord[]; next?: string }>;
}

interface Credentials {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** What the stream's API answers when it refuses; `code` is its own name for it. */
export class StreamRefusal extends Error {
  override readonly name = 'StreamRefusal';
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** The stream behind an ARN (a table's LatestStreamArn) at an endpoint. Its calls throw StreamRefusal. */
export function tableStream(endpoint: string, arn: string, credentials: Credentials): TableStream {
  const url = new URL(endpoint);
  async function call<Answer>(operation: string, input: object): Promise<Answer> {
    const body = JSON.stringify(input);
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: signed({ url, headers, body }, credentials),
      body,
    });
    const answer = (await response.json()) as Answer & {
      __type?: string;
      message?: string;
      Message?: string;
    };
    if (response.ok) return answer;
    const code = answer.__type?.split('#').at(-1) ?? String(response.status);
    throw new StreamRefusal(code, answer.message ?? answer.Message ?? 'no message');
  }

  return {
    arn,
    async shards() {
      const found: Shard[] = [];
      let last: string | undefined;
      do {
        const { StreamDescription } = await call<Description>('DescribeStream', {
          StreamArn: arn,
          ...(last === undefined ? {} : { ExclusiveStartShardId: last }),
        });
        found.push(
          ...StreamDescription.Shards.map(({ ShardId, ParentShardId }) => ({
            id: ShardId,
            parentId: ParentShardId,
          })),
        );
        last = StreamDescription.LastEvaluatedShardId;
      } while (last !== undefined);
      return found;
    },
    async iterator(shardId, after) {
      const shard = { StreamArn: arn, ShardId: shardId };
      const oldest = { ...shard, ShardIteratorType: 'TRIM_HORIZON' };
      const on = { ...shard, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
      try {
        const input = after === undefined ? oldest : on;
        return (await call<{ ShardIterator: string }>('GetShardIterator', input)).ShardIterator;
      } catch (error) {
        // After a day away the record is gone, and all that is left comes after it.
        if (!(error instanceof StreamRefusal) || error.code !== 'TrimmedDataAccessException') throw error;
        return (await call<{ ShardIterator: string }>('GetShardIterator', oldest)).ShardIterator;
      }
    },
    async records(iterator, limit) {
      const input = { ShardIterator: iterator, Limit: limit };
      const { Records, NextShardIterator } = await call<Page>('GetRecords', input);
      for (const { dynamodb } of Records)
        if (dynamodb.NewImage) dynamodb.NewImage = eachOf(dynamodb.NewImage, typed);
      return { records: Records, next: NextShardIterator ?? undefined };
    },
  };
}

interface Description {
  StreamDescription: {
    Shards: { ShardId: string; ParentShardId?: string }[];
    LastEvaluatedShardId?: string;
  };
}

interface Page {
  Records: StreamRecord[];
  NextShardIterator?: string | null;
}

/**
 * DynamoDB Local leaves the type out of an empty map or list in a stream, and nothing reads a value without one.
 * Which of the two it was is lost, so it becomes a map.
 */
function typed(value: AttributeValue): AttributeValue {
  if (value.M) return { M: eachOf(value.M, typed) };
  if (value.L) return { L: value.L.map(typed) };
  return Object.keys(value).length === 0 ? { M: {} } : value;
}

const eachOf = <V>(map: Record<string, V>, change: (value: V) => V): Record<string, V> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));

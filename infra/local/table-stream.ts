import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  type Shard as SdkShard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { PlainJsonProtocol } from '../../shared/plain-json-protocol.ts';
import { tuneClient } from '../../shared/tune-client.ts';

/** A record in the format that Lambda receives. */
export type StreamRecord = DynamoDBRecord & {
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime?: number };
};

export interface Shard {
  id: string;
  parentId?: string;
}

/** A table's stream. Throws SDK errors without a retry. */
export interface TableStream {
  arn: string;
  shards(): Promise<Shard[]>;
  /**
   * Returns an iterator that starts after the sequence number `after`, or at the oldest record if `after` is
   * undefined.
   */
  iterator(shardId: string, after: string | undefined): Promise<string>;
  /** `next` is undefined at the end of a closed shard. */
  records(iterator: string, limit: number): Promise<{ records: StreamRecord[]; next?: string }>;
}

/** Returns the stream with this ARN (a table's LatestStreamArn). Region and credentials come from the environment. */
export function tableStream(endpoint: string, arn: string): TableStream {
  // Disables the SDK's retries. The poller retries instead, and its waits end when the runner stops.
  const client = tuneClient(
    new DynamoDBStreamsClient({ endpoint, maxAttempts: 1, protocol: PlainJsonProtocol }),
  );
  const iteratorFrom = async (start: Omit<GetShardIteratorCommandInput, 'StreamArn'>): Promise<string> => {
    const { ShardIterator } = await client.send(new GetShardIteratorCommand({ StreamArn: arn, ...start }));
    if (ShardIterator === undefined) throw new Error(`The stream ${arn} returned no iterator.`);
    return ShardIterator;
  };

  return {
    arn,
    async shards() {
      const found: SdkShard[] = [];
      let last: string | undefined;
      do {
        const { StreamDescription } = await client.send(
          new DescribeStreamCommand({ StreamArn: arn, ExclusiveStartShardId: last }),
        );
        found.push(...(StreamDescription?.Shards ?? []));
        last = StreamDescription?.LastEvaluatedShardId;
      } while (last !== undefined);
      return found.flatMap(({ ShardId, ParentShardId }) =>
        ShardId === undefined ? [] : [{ id: ShardId, parentId: ParentShardId }],
      );
    },
    async iterator(ShardId, after) {
      const oldest = { ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
      if (after === undefined) return iteratorFrom(oldest);
      try {
        return await iteratorFrom({
          ShardId,
          ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
          SequenceNumber: after,
        });
      } catch (error) {
        // DynamoDB has deleted the record `after`, which is older than a day. All remaining records are
        // newer.
        if (error instanceof TrimmedDataAccessException) return iteratorFrom(oldest);
        throw error;
      }
    },
    async records(iterator, limit) {
      const { Records = [], NextShardIterator } = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: limit }),
      );
      // The plain protocol returns records as Lambda receives them: with times in seconds, and bytes as base64.
      const records = Records as unknown as StreamRecord[];
      for (const { dynamodb } of records) {
        addMapTypes(dynamodb.NewImage);
        addMapTypes(dynamodb.OldImage);
      }
      return { records, next: NextShardIterator };
    },
  };
}

/** Adds the type of empty maps, because DynamoDB Local omits this type in records. */
function addMapTypes(values: Record<string, AttributeValue> | AttributeValue[] = {}): void {
  for (const value of Object.values(values)) {
    if (value.M || value.L) addMapTypes(value.M ?? value.L);
    else if (Object.keys(value).length === 0) Object.assign(value, { M: {} });
  }
}

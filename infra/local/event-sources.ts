import { type Message, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { routing } from '../../events/routing.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { tuneClient } from '../../shared/tune-client.ts';
import { letterAttribute } from '../administration/send-messages.ts';
import type { Invoke } from './lambda.ts';
import type { Poller } from './polling.ts';
import { startQueuePoller } from './queue-poller.ts';
import type { Queues } from './queues.ts';
import { redriveDeadLetters } from './redrive-dead-letters.ts';
import { storeDeadLetters } from './store-dead-letters.ts';
import { startStreamPoller } from './stream-poller.ts';
import type { TableStream } from './table-stream.ts';

interface EventSourcesOptions {
  stream: TableStream;
  queues: Queues;
  relay: Invoke;
  consumers: ReadonlyMap<string, Invoke>;
  /** Dead letters are stored here as `<queue>/<messageId>.json`. */
  deadLetterFolder: string;
  checkpointPath: string;
  /** See shard-follower.ts. */
  idleDelay?: number;
  firstBackoff?: number;
}

export interface EventSources extends Poller {
  /** The time, in seconds since 1970, at which the oldest unprocessed event was written. Undefined if none exists. */
  waitingSince(): number | undefined;
  /** Resolves when all current events are handled or stored as dead letters. For tests. */
  settled(): Promise<void>;
}

/** Connects the stream, relay, queues and consumers, like event source mappings in the cloud. */
export function startEventSources({
  queues,
  consumers,
  deadLetterFolder: folder,
  ...options
}: EventSourcesOptions): EventSources {
  const client = tuneClient(new SQSClient({ endpoint: queues.endpoint }));
  const { relayDeadLetterUrl } = queues;
  const stream = startStreamPoller({
    ...options,
    async abandon(record) {
      const message = { QueueUrl: relayDeadLetterUrl, MessageBody: JSON.stringify(record) };
      await client.send(new SendMessageCommand(message));
    },
  });
  const urls = new Map(queues.queues.map(({ name, url }) => [name, url]));
  const redriver = redriveDeadLetters({ client, folder, urlOf: (queue) => urls.get(queue) ?? '' });
  const letterOf = ({ MessageAttributes }: Message) => MessageAttributes?.[letterAttribute]?.StringValue;
  const pollers: Poller[] = queues.queues.flatMap((queue) => {
    const consumer = consumers.get(queue.name);
    if (!consumer) throw new Error(`The queue ${queue.name} has no consumer.`);
    const done = (message: Message) => {
      stream.messageDone(queue.name, message.Body ?? '');
      redriver.messageDone(letterOf(message));
    };
    const { concurrency } = routing[queue.name];
    return [
      startQueuePoller({ client, queue, consumer, concurrency, done }),
      storeDeadLetters({ client, name: queue.name, url: queue.deadLetterUrl, folder, stored: done }),
    ];
  });
  const stored = ({ Body = '' }: Message) => {
    const { sequenceNumber, parked } = parseRelayDeadLetter(Body);
    if (sequenceNumber !== undefined) stream.recordDead(sequenceNumber);
    if (parked) stream.messageDone(parked.queue, parked.body);
  };
  pollers.push(
    storeDeadLetters({ client, name: 'relay', url: relayDeadLetterUrl, folder, stored }),
    redriver,
  );

  return {
    waitingSince: stream.waitingSince,
    settled: stream.settled,
    async stop() {
      // The stream poller stops last, so that its checkpoint includes the last batches of the queues.
      await Promise.all(pollers.map((poller) => poller.stop()));
      await stream.stop();
      client.destroy();
    },
  };
}

interface RelayDeadLetter {
  /** The sequence number of a record that the relay could not read or send. */
  sequenceNumber?: string;
  /** A message that its queue did not accept. */
  parked?: { queue: QueueName; body: string };
}

function parseRelayDeadLetter(text: string): RelayDeadLetter {
  try {
    const { dynamodb, queue, body } = JSON.parse(text);
    const isParked = queueNames.includes(queue) && typeof body === 'string';
    return { sequenceNumber: dynamodb?.SequenceNumber, ...(isParked && { parked: { queue, body } }) };
  } catch {
    return {};
  }
}

import { type Message, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { routing } from '../../events/routing.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { letterAttribute } from '../operations/send-messages.ts';
import type { Invoke } from './lambda.ts';
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
  /** By queue name. */
  consumers: ReadonlyMap<string, Invoke>;
  /** Where dead letters are filed, as `<queue>/<messageId>.json`. */
  deadLetterFolder: string;
  checkpointPath: string;
  /** Times of the stream trigger, in milliseconds. */
  idleDelay?: number;
  firstBackoff?: number;
  oldest?: number;
}

/** Everything that runs functions without a request. */
export interface EventSources {
  /** Resolves when every event so far is handled or dead. For tests. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Connects stream, relay, queues and consumers, as the event source mappings do in the cloud. */
export function startEventSources({
  queues,
  consumers,
  deadLetterFolder: folder,
  ...options
}: EventSourcesOptions): EventSources {
  const client = new SQSClient({ endpoint: queues.endpoint });
  const { relayDeadLetterUrl } = queues;
  const stream = startStreamPoller({
    ...options,
    async abandon(record) {
      const message = { QueueUrl: relayDeadLetterUrl, MessageBody: JSON.stringify(record) };
      await client.send(new SendMessageCommand(message));
    },
  });
  const urls = new Map(queues.queues.map(({ name, url }) => [name, url]));
  const redriving = redriveDeadLetters({ client, folder, urlOf: (queue) => urls.get(queue) ?? '' });
  const letterOf = ({ MessageAttributes }: Message) => MessageAttributes?.[letterAttribute]?.StringValue;
  const pollers: { stop(): Promise<void> }[] = queues.queues.flatMap((queue) => {
    const consumer = consumers.get(queue.name);
    if (!consumer) throw new Error(`The queue ${queue.name} has no consumer`);
    const done = (message: Message) => {
      stream.messageDone(queue.name, message.Body ?? '');
      redriving.messageDone(letterOf(message));
    };
    const { concurrency } = routing[queue.name];
    return [
      startQueuePoller({ client, queue, consumer, concurrency, done }),
      storeDeadLetters({ client, name: queue.name, url: queue.deadLetterUrl, folder, filed: done }),
    ];
  });
  const filed = ({ Body = '' }: Message) => {
    const { sequenceNumber, parked } = readRelayLetter(Body);
    if (sequenceNumber !== undefined) stream.recordDead(sequenceNumber);
    if (parked) stream.messageDone(parked.queue, parked.body);
  };
  pollers.push(
    storeDeadLetters({ client, name: 'relay', url: relayDeadLetterUrl, folder, filed }),
    redriving,
  );

  return {
    settled: stream.settled,
    async stop() {
      // Pollers first: what they finish in their last batch still counts for the checkpoint.
      await Promise.all(pollers.map((poller) => poller.stop()));
      await stream.stop();
      client.destroy();
    },
  };
}

interface RelayLetter {
  /** Of a record that the relay could not read or send. */
  sequenceNumber?: string;
  /** A message that its queue did not take. */
  parked?: { queue: QueueName; body: string };
}

function readRelayLetter(text: string): RelayLetter {
  try {
    const { dynamodb, queue, body } = JSON.parse(text);
    const isParked = queueNames.includes(queue) && typeof body === 'string';
    return { sequenceNumber: dynamodb?.SequenceNumber, ...(isParked && { parked: { queue, body } }) };
  } catch {
    return {};
  }
}

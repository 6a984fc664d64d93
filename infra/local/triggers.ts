import { type Message, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { routing } from '../../events/routing.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { letterAttribute } from '../operations/send-messages.ts';
import { fileDeadLetters } from './dead-letters.ts';
import type { Invoke } from './lambda.ts';
import { startQueueTrigger } from './queue-trigger.ts';
import type { Queues } from './queues.ts';
import { redriveLetters } from './redrive-letters.ts';
import { startStreamTrigger } from './stream-trigger.ts';
import type { TableStream } from './table-stream.ts';

interface TriggersOptions {
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
export interface Triggers {
  /** Resolves when every event so far is handled or dead. For tests. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Connects stream, relay, queues and consumers, as the event source mappings do in the cloud. */
export function startTriggers({
  queues,
  consumers,
  deadLetterFolder: folder,
  ...options
}: TriggersOptions): Triggers {
  const client = new SQSClient({ endpoint: queues.endpoint });
  const { relayDeadLetterUrl } = queues;
  const stream = startStreamTrigger({
    ...options,
    async abandon(record) {
      const message = { QueueUrl: relayDeadLetterUrl, MessageBody: JSON.stringify(record) };
      await client.send(new SendMessageCommand(message));
    },
  });
  const urls = new Map(queues.queues.map(({ name, url }) => [name, url]));
  const redriving = redriveLetters({ client, folder, urlOf: (queue) => urls.get(queue) ?? '' });
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
      startQueueTrigger({ client, queue, consumer, concurrency, done }),
      fileDeadLetters({ client, name: queue.name, url: queue.deadLetterUrl, folder, filed: done }),
    ];
  });
  const filed = ({ Body = '' }: Message) => {
    const { sequenceNumber, parked } = readRelayLetter(Body);
    if (sequenceNumber !== undefined) stream.recordDead(sequenceNumber);
    if (parked) stream.messageDone(parked.queue, parked.body);
  };
  pollers.push(fileDeadLetters({ client, name: 'relay', url: relayDeadLetterUrl, folder, filed }), redriving);

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

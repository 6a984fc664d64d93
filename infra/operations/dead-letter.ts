import type { DynamoDBRecord } from 'aws-lambda';
import { messagesOfEvent, messagesOfRecord, type Outgoing } from '../../events/outgoing.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { parseEvent } from '../../shared/events/read-event.ts';
import { readTrigger } from '../../shared/events/trigger-message.ts';
import { loggedEvents } from './logged-events.ts';

/** Where a dead letter lies: with the queue whose consumer gave it up, or with the relay. */
export const deadLetterSources = [...queueNames, 'relay'] as const;
export type DeadLetterSource = (typeof deadLetterSources)[number];

/** What was given up, as it lies there. */
export interface DeadLetter {
  source: DeadLetterSource;
  id: string;
  /** When it was sent. */
  since: Date;
  body: string;
}

/** What Lambda leaves of records that it gave up: where they were in the stream, and when, and nothing of them. */
interface FailureNote {
  DDBStreamBatchInfo: {
    approximateArrivalOfFirstRecord: string;
    approximateArrivalOfLastRecord: string;
  };
}

/** What a letter of the relay may hold. */
type RelayLetter = Partial<FailureNote & DynamoDBRecord> & { queue?: unknown; body?: unknown };

/** A dead letter is none of the shapes there are. */
class UnreadableLetter extends Error {
  override readonly name = 'UnreadableLetter';
}

/**
 * What a dead letter is sent as once more, some at a time. A consumer's goes to its queue; of the relay's, a parked message
 * goes to the queue that did not take it, a record is read by today's code, and a failure note becomes every event of its
 * time. Health checks are left out. Throws for a letter that is none of these.
 */
export async function* messagesToRedrive({
  source,
  body,
}: Pick<DeadLetter, 'source' | 'body'>): AsyncGenerator<Outgoing[]> {
  if (source !== 'relay') {
    yield lasting([messageTo(source, body)]);
    return;
  }
  const letter: RelayLetter = objectIn(body);
  if (letter.DDBStreamBatchInfo) {
    const { approximateArrivalOfFirstRecord: from, approximateArrivalOfLastRecord: to } =
      letter.DDBStreamBatchInfo;
    for await (const { events } of loggedEvents({ from: new Date(from), to: new Date(to) }))
      yield lasting(events.flatMap(messagesOfEvent));
  } else if (letter.dynamodb) yield lasting(messagesOfRecord(letter));
  else {
    const queue = queueNames.find((name) => name === letter.queue);
    if (!queue || typeof letter.body !== 'string')
      throw new UnreadableLetter('It is neither a record, nor a parked message, nor a failure note.');
    yield lasting([messageTo(queue, letter.body)]);
  }
}

const messageTo = (queue: QueueName, body: string): Outgoing => ({
  queue,
  body,
  group: readTrigger(body)?.account,
  name: {},
  dropOnFailure: parseEvent(body)?.kind === 'healthcheck',
});

const lasting = (messages: Outgoing[]): Outgoing[] => messages.filter(({ dropOnFailure }) => !dropOnFailure);

/** The object that a JSON text holds; an empty one where it holds anything else. */
export function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

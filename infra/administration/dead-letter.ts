import type { DynamoDBRecord } from 'aws-lambda';
import { messagesOfEvent, messagesOfRecord, type QueuedMessage } from '../../events/queue-messages.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { parseEvent } from '../../shared/events/read-event.ts';
import { readTrigger } from '../../shared/events/trigger-message.ts';
import type { DeadLetterSource } from './dead-letter-sources.ts';
import { loggedEvents } from './logged-events.ts';

export interface DeadLetter {
  source: DeadLetterSource;
  id: string;
  /** The time at which the message was sent. */
  since: Date;
  body: string;
}

/**
 * Lambda's report about stream records whose retries are exhausted. It contains the arrival times of the
 * records, but not the records.
 */
interface FailureNote {
  DDBStreamBatchInfo: {
    approximateArrivalOfFirstRecord: string;
    approximateArrivalOfLastRecord: string;
  };
}

/** A dead letter of the relay: a failure note, a stream record, or a message that its queue did not accept. */
type RelayLetter = Partial<FailureNote & DynamoDBRecord> & { queue?: unknown; body?: unknown };

/**
 * Returns the messages that redrive a dead letter, in batches. Omits health checks. Throws for unknown content.
 * - A message that a consumer could not process, or that the relay could not send: the same message for the
 *   same queue.
 * - A stream record: the messages that the current code creates from the record.
 * - A failure note: the messages of all events in the time span of the note.
 */
export async function* messagesToRedrive({
  source,
  body,
}: Pick<DeadLetter, 'source' | 'body'>): AsyncGenerator<QueuedMessage[]> {
  if (source !== 'relay') {
    yield withoutHealthChecks([messageTo(source, body)]);
    return;
  }
  const letter: RelayLetter = objectIn(body);
  if (letter.DDBStreamBatchInfo) {
    const { approximateArrivalOfFirstRecord: from, approximateArrivalOfLastRecord: to } =
      letter.DDBStreamBatchInfo;
    for await (const { events } of loggedEvents({ from: new Date(from), to: new Date(to) }))
      yield withoutHealthChecks(events.flatMap(messagesOfEvent));
  } else if (letter.dynamodb) yield withoutHealthChecks(messagesOfRecord(letter));
  else {
    const queue = queueNames.find((name) => name === letter.queue);
    if (!queue || typeof letter.body !== 'string')
      throw new Error('Unknown content: not a stream record, an unsent message or a failure note.');
    yield withoutHealthChecks([messageTo(queue, letter.body)]);
  }
}

const messageTo = (queue: QueueName, body: string): QueuedMessage => ({
  queue,
  body,
  group: readTrigger(body)?.account,
  name: {},
  dropOnFailure: parseEvent(body)?.kind === 'healthcheck',
});

const withoutHealthChecks = (messages: QueuedMessage[]): QueuedMessage[] =>
  messages.filter(({ dropOnFailure }) => !dropOnFailure);

/** Parses a JSON object. Returns an empty object for anything else. */
export function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

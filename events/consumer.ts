import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Event } from '../shared/events/envelope.ts';
import { isEventKind } from '../shared/events/kinds.ts';
import { asAccountId } from '../shared/id/account-id.ts';
import type { QueueName } from './routing.ts';

/** The function behind one queue. */
export interface Consumer {
  queue: QueueName;
  /**
   * Handles a batch and returns the ids of the events to deliver again. Events arrive at least once and in
   * any order, so handling one twice must do what handling it once does.
   */
  consume: (events: Event[], now: Date) => Promise<ReadonlySet<number>>;
}

/** The Lambda of a consumer: a message that cannot be read or handled comes back alone, the others are done. */
export const consumerHandler =
  ({ consume }: Consumer, clock: () => Date = () => new Date()) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const messages = Records.map(({ messageId, body }) => ({ messageId, event: parseEvent(body) }));
    const readable = messages.map(({ event }) => event).filter((event) => event !== undefined);
    const again = await consumeApart(consume, readable, clock());
    const failed = messages.filter(({ event }) => event === undefined || again.has(event.id));
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/** All events together; where that throws, each alone, so that only what cannot be handled comes again. */
async function consumeApart(
  consume: Consumer['consume'],
  events: Event[],
  now: Date,
): Promise<ReadonlySet<number>> {
  if (events.length === 0) return new Set();
  try {
    return await consume(events, now);
  } catch (error) {
    if (events.length > 1) {
      const each = await Promise.all(events.map((event) => consumeApart(consume, [event], now)));
      return new Set(each.flatMap((ids) => [...ids]));
    }
    console.error(error);
    return new Set(events.map(({ id }) => id));
  }
}

/** The event in a message, or undefined where the text is none: such a message ends in the dead-letter queue. */
export function parseEvent(body: string): Event | undefined {
  try {
    const event = JSON.parse(body) as Event;
    return isEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value from a stream or a queue is an event this version can handle. */
export function isEvent(value: unknown): value is Event {
  if (typeof value !== 'object' || value === null) return false;
  const event = value as Partial<Record<keyof Event, unknown>>;
  return (
    event.version === 1 &&
    Number.isSafeInteger(event.id) &&
    typeof event.kind === 'string' &&
    isEventKind(event.kind) &&
    typeof event.accountId === 'string' &&
    asAccountId(event.accountId) !== undefined &&
    typeof event.occurredAt === 'string' &&
    [event.actor, event.subject, event.data, event.request].every(
      (part) => typeof part === 'object' && part !== null,
    )
  );
}

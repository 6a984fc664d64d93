import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { asAccountId } from '../shared/accounts/account-id.ts';
import type { Event } from './event.ts';
import { isEventKind } from './kinds.ts';
import type { QueueName } from './routing.ts';

/** What is done with the events of one queue. */
export interface Consumer {
  queue: QueueName;
  /**
   * Handles a batch and returns the ids of the events that must come again. Events arrive at least once and in
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
    const again = readable.length > 0 ? await consume(readable, clock()) : new Set<number>();
    const failed = messages.filter(({ event }) => event === undefined || again.has(event.id));
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

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
    [event.actor, event.subject, event.data, event.request].every((part) => typeof part === 'object' && part !== null)
  );
}

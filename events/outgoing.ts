import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Event } from '../shared/events/envelope.ts';
import type { QueueName } from '../shared/events/queues.ts';
import { eventInItem } from '../shared/events/read-event.ts';
import { triggerBody, triggerInItem } from '../shared/events/trigger-message.ts';
import { queuesFor } from './routing.ts';

/** What is to be sent to a queue. */
export interface Outgoing {
  queue: QueueName;
  body: string;
  /** The account, where accounts share a queue fairly. */
  group?: string;
  /** What to call it in the log. */
  name: object;
  /** A health check, which is worth nothing later. */
  dropOnFailure?: boolean;
}

/** The messages that an event is sent as: one for each queue that events/routing.ts names. */
export function messagesOfEvent(event: Event): Outgoing[] {
  const name = { account: event.accountId, event: event.id, kind: event.kind };
  const message = { body: messageBody(event), name, dropOnFailure: event.kind === 'healthcheck' };
  return queuesFor(event).map((queue) => ({ ...message, queue }));
}

/** The messages that a record of the table's stream is sent as. Throws where it holds neither an event nor a trigger message. */
export function messagesOfRecord(record: Pick<DynamoDBRecord, 'dynamodb'>): Outgoing[] {
  const item = unmarshall(record.dynamodb?.NewImage as Record<string, AttributeValue>);
  const event = eventInItem(item);
  if (event) return messagesOfEvent(event);
  const woken = triggerInItem(item);
  if (!woken) throw new Error('The record holds neither an event nor a trigger message.');
  const { queue, trigger } = woken;
  return [{ queue, body: triggerBody(trigger), group: trigger.account, name: trigger }];
}

/**
 * JSON in characters that SQS accepts. SQS rejects U+FFFE and U+FFFF, which anybody can put into a name and which
 * would then block the stream, and some engines reject what is beyond the basic plane.
 */
export const messageBody = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\ud800-\udfff\ufffe\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Event } from '../shared/events/envelope.ts';
import type { QueueName } from '../shared/events/queues.ts';
import { eventInItem } from '../shared/events/read-event.ts';
import { triggerBody, triggerInItem } from '../shared/events/trigger-message.ts';
import { queuesFor } from './routing.ts';

/** A message for a queue. */
export interface QueuedMessage {
  queue: QueueName;
  body: string;
  /** The message group of the SQS fair queue: the account id. */
  group?: string;
  /** The fields that identify the message in the log. */
  name: object;
  /**
   * If true, the message is dropped after its last retry, and no dead letter is created. For health checks.
   */
  dropOnFailure?: boolean;
}

/** Returns one message for each queue of the event, according to events/routing.ts. */
export function messagesOfEvent(event: Event): QueuedMessage[] {
  const name = { account: event.accountId, event: event.id, kind: event.kind };
  const message = { body: messageBody(event), name, dropOnFailure: event.kind === 'healthcheck' };
  return queuesFor(event).map((queue) => ({ ...message, queue }));
}

/** The relay receives inserted items of these types: events and trigger messages. */
export const relayedTypes: readonly string[] = ['event', 'trigger'];

/** Returns the messages of a stream record. Throws if the record is neither an event nor a trigger message. */
export function messagesOfRecord(record: Pick<DynamoDBRecord, 'dynamodb'>): QueuedMessage[] {
  const item = unmarshall(record.dynamodb?.NewImage as Record<string, AttributeValue>);
  const event = eventInItem(item);
  if (event) return messagesOfEvent(event);
  const addressed = triggerInItem(item);
  if (!addressed) throw new Error('The record is neither an event nor a trigger message.');
  const { queue, trigger } = addressed;
  return [{ queue, body: triggerBody(trigger), group: trigger.account, name: trigger }];
}

/**
 * Returns the value as JSON that SQS accepts. Escapes U+FFFE and U+FFFF, which users can enter and SQS
 * rejects. Also escapes characters outside the Basic Multilingual Plane, which some local SQS engines reject.
 */
export const messageBody = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\ud800-\udfff\ufffe\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );

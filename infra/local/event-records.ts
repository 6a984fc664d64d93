import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { relayedTypes } from '../../events/queue-messages.ts';
import { queuesFor } from '../../events/routing.ts';
import type { Event } from '../../shared/events/envelope.ts';
import type { QueueName } from '../../shared/events/queues.ts';
import { eventInItem, eventName, parseEvent } from '../../shared/events/read-event.ts';
import { readTrigger, type TriggerMessage, triggerInItem } from '../../shared/events/trigger-message.ts';
import type { StreamRecord } from './table-stream.ts';

/** Accepts only inserted events and trigger messages, like the relay's filter in infra/constructs/relay.ts. */
export const isRelayed = ({ eventName, dynamodb }: StreamRecord): boolean =>
  eventName === 'INSERT' && relayedTypes.includes(dynamodb.NewImage?.type?.S ?? '');

/** The tasks of a record. The record is done when all its tasks are done. Empty if the relay ignores the record. */
export function tasksOf(record: StreamRecord): string[] {
  if (!isRelayed(record)) return [];
  // For an unreadable record, the relay sends a dead letter. The task `stored` is done when this dead letter is stored.
  return [relayTask(record), ...(messagesOf(record) ?? ['stored'])];
}

/** This task is done when the relay has accepted the record. */
export const relayTask = ({ dynamodb }: StreamRecord): string => `relay/${dynamodb.SequenceNumber}`;

/** Returns the task that is done when this message is handled. Undefined if the message is not from the relay. */
export function messageTask(queue: QueueName, body: string): string | undefined {
  const event = parseEvent(body);
  if (event) return eventTask(queue, event);
  const trigger = readTrigger(body);
  return trigger?.id === undefined ? undefined : triggerTask(queue, trigger);
}

const eventTask = (queue: QueueName, event: Parameters<typeof eventName>[0]): string =>
  `${queue}/event/${eventName(event)}`;

const triggerTask = (queue: QueueName, { account, id }: TriggerMessage): string =>
  `${queue}/trigger/${account}/${id}`;

/** The tasks for a record's messages. Undefined if the relay cannot read the record. */
function messagesOf(record: StreamRecord): string[] | undefined {
  const item = itemOf(record);
  const event = eventInItem(item);
  if (event) return queuesFor(event).map((queue) => eventTask(queue, event));
  const addressed = triggerInItem(item);
  return addressed && [triggerTask(addressed.queue, addressed.trigger)];
}

/** Returns the event in a record of the stream, or undefined if the record contains no readable event. */
export const eventInRecord = (record: StreamRecord): Event | undefined => eventInItem(itemOf(record));

/** Returns the written item, or an empty object if the item cannot be read. */
function itemOf({ dynamodb }: StreamRecord): Record<string, unknown> {
  try {
    return unmarshall(dynamodb.NewImage as Record<string, AttributeValue>);
  } catch {
    return {};
  }
}

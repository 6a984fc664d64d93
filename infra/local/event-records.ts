import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { queuesFor } from '../../events/routing.ts';
import type { QueueName } from '../../shared/events/queues.ts';
import { eventInItem, eventName, parseEvent } from '../../shared/events/read-event.ts';
import { readTrigger, type TriggerMessage, triggerInItem } from '../../shared/events/trigger-message.ts';
import type { StreamRecord } from './table-stream.ts';

/** The types of the items that the relay forwards. */
const relayedTypes = ['event', 'wake'];

/** The relay's filter in the cloud: inserted items that are events or trigger messages. */
export const isRelayed = ({ eventName, dynamodb }: StreamRecord): boolean =>
  eventName === 'INSERT' && relayedTypes.includes(dynamodb.NewImage?.type?.S ?? '');

/** What must happen before a record counts as done: nothing where the relay does not forward it. */
export function tasksOf(record: StreamRecord): string[] {
  if (!isRelayed(record)) return [];
  // The relay sends what it cannot read to its dead-letter queue, and the wait ends when that is on file.
  return [relayTask(record), ...(messagesOf(record) ?? ['on file'])];
}

/** The relay has taken a record. */
export const relayTask = ({ dynamodb }: StreamRecord): string => `relay/${dynamodb.SequenceNumber}`;

/** What is done once a message is handled, or dead and on file; undefined where no record waits for it. */
export function messageTask(queue: QueueName, body: string): string | undefined {
  const event = parseEvent(body);
  if (event) return eventTask(queue, event);
  const trigger = readTrigger(body);
  return trigger?.id === undefined ? undefined : triggerTask(queue, trigger);
}

const eventTask = (queue: QueueName, event: Parameters<typeof eventName>[0]): string =>
  `${queue}/event/${eventName(event)}`;

const triggerTask = (queue: QueueName, { account, id }: TriggerMessage): string =>
  `${queue}/wake/${account}/${id}`;

/** The tasks of a record's messages, or undefined where the relay cannot read it. */
function messagesOf({ dynamodb }: StreamRecord): string[] | undefined {
  try {
    const item = unmarshall(dynamodb.NewImage as Record<string, AttributeValue>);
    const event = eventInItem(item);
    if (event) return queuesFor(event).map((queue) => eventTask(queue, event));
    const woken = triggerInItem(item);
    return woken && [triggerTask(woken.queue, woken.trigger)];
  } catch {
    return undefined;
  }
}

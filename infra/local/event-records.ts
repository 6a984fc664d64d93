import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isEvent } from '../../events/consumer.ts';
import { queuesFor } from '../../events/routing.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { recordOf } from '../../shared/table/item.ts';
import type { StreamRecord } from './table-stream.ts';

/** The relay's filter in the cloud: inserted items that are events. */
export const isNewEvent = ({ eventName, dynamodb }: StreamRecord): boolean =>
  eventName === 'INSERT' && dynamodb.NewImage?.type?.S === 'event';

/** What must happen before a record counts as done: nothing where it is no new event. */
export function tasksOf(record: StreamRecord): string[] {
  if (!isNewEvent(record)) return [];
  const event = eventIn(record);
  // The relay sends what it cannot read to its dead-letter queue, and the wait ends when that is on file.
  const afterRelay = event ? queuesFor(event).map((queue) => messageTask(queue, event.id)) : ['on file'];
  return [relayTask(record), ...afterRelay];
}

/** The relay has taken a record. */
export const relayTask = ({ dynamodb }: StreamRecord): string => `relay/${dynamodb.SequenceNumber}`;

/** The message of an event in a queue is handled, or dead and on file. */
export const messageTask = (queue: string, eventId: number): string => `${queue}/${eventId}`;

function eventIn({ dynamodb }: StreamRecord): Event | undefined {
  try {
    const event = recordOf<unknown>(unmarshall(dynamodb.NewImage as Record<string, AttributeValue>));
    return isEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

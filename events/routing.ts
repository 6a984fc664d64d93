import type { Event } from '../shared/events/envelope.ts';
import type { EventKind } from '../shared/events/kinds.ts';

/** Deletions that leave something behind. */
const cleanedUp: ReadonlySet<EventKind> = new Set([
  'application_deleted',
  'merchant_deleted',
  'ticket_deleted',
  'file_deleted',
]);

/** Which events each queue gets. The relay sends by it; a queue, its function and its alarm exist for each name. */
export const routing = {
  /** Records that carry an audit log. */
  audit: ({ subject }) => subject.type === 'lead' || subject.type === 'application',
  cleanup: ({ kind }) => cleanedUp.has(kind),
} as const satisfies Record<string, (event: Pick<Event, 'subject' | 'kind'>) => boolean>;

export type QueueName = keyof typeof routing;

export const queueNames = Object.keys(routing) as QueueName[];

/** The environment variable that holds the URL of a queue. */
export const queueUrlVariable = (queue: QueueName): string => `QUEUE_URL_${queue.toUpperCase()}`;

/** The queues an event goes to. */
export const queuesFor = (event: Pick<Event, 'subject' | 'kind'>): QueueName[] =>
  queueNames.filter((queue) => routing[queue](event));

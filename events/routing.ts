import type { Event } from '../shared/events/envelope.ts';
import type { EventKind } from '../shared/events/kinds.ts';
import { type QueueName, queueNames } from '../shared/events/queues.ts';
import { auditedRecord } from '../shared/integrity/audit/audited-nouns.ts';

/** Deletions that leave something behind. */
const cleanedUp: ReadonlySet<EventKind> = new Set([
  'application_deleted',
  'merchant_deleted',
  'ticket_deleted',
  'file_deleted',
]);

/** How a queue is fed and consumed. */
interface QueueTerms {
  /** The events that it gets. */
  events: (event: Pick<Event, 'subject' | 'kind'>) => boolean;
  /** Seconds that its consumer may take for a batch. */
  timeoutSeconds: number;
  /** Batches at once. */
  concurrency: number;
  /** What it means that one of its messages was given up, and what to do. */
  deadLetter: string;
}

const [everyEvent, noEvent] = [() => true, () => false];

/**
 * Which events each queue gets, and how it is consumed. Queues, functions, rights and alarms follow from it, in the
 * cloud, locally and in tests. `deliveries` and `jobs` get trigger messages, which name their queue themselves.
 */
export const routing: Readonly<Record<QueueName, QueueTerms>> = {
  /** Of records that carry an audit log. */
  audit: {
    events: ({ subject }) => auditedRecord(subject) !== undefined,
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'An audit entry could not be written: the audit log of a lead or an application lacks it until the message is redriven.',
  },
  cleanup: {
    events: ({ kind }) => cleanedUp.has(kind),
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'What belonged to a deleted application, merchant, ticket or file could not be removed: it stays until the message is redriven.',
  },
  notifications: {
    events: everyEvent,
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'Nobody, or not everybody, was told of an event: notifications of it are missing until the message is redriven.',
  },
  webhooks: {
    events: everyEvent,
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'An event did not become a delivery to every webhook that subscribes to it, or the job that seals it was not opened: both are missing until the message is redriven.',
  },
  /** A run of 18 s, and the rest of its lease for what it began last. */
  deliveries: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 50,
    deadLetter:
      'The work queue of a webhook could not be worked. Nothing is lost: the sweep wakes it again each minute. If it stays, look for errors in the events logs.',
  },
  jobs: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 10,
    deadLetter:
      'A work queue of mail, text messages or jobs could not be worked. Nothing is lost: the sweep wakes it again each minute. If it stays, look for errors in the events logs.',
  },
};

/** The queues an event goes to. A health check goes to all, so that each consumer says how late it is. */
export const queuesFor = (event: Pick<Event, 'subject' | 'kind'>): QueueName[] =>
  queueNames.filter((queue) => event.kind === 'healthcheck' || routing[queue].events(event));

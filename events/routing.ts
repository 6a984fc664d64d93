import type { Event } from '../shared/events/envelope.ts';
import type { EventKind } from '../shared/events/kinds.ts';
import { type QueueName, queueNames } from '../shared/events/queues.ts';
import { auditedRecord } from '../shared/integrity/audit/audited-nouns.ts';

/** Deletions that leave data behind. */
const cleanedUp: ReadonlySet<EventKind> = new Set([
  'application_deleted',
  'merchant_deleted',
  'ticket_deleted',
  'file_deleted',
]);

/** The events and the consumer settings of a queue. */
interface QueueTerms {
  /** Selects the events it receives. */
  events: (event: Pick<Event, 'subject' | 'kind'>) => boolean;
  /** The timeout of the consumer for a batch. */
  timeoutSeconds: number;
  /** The most batches that run in parallel. */
  concurrency: number;
  /** The meaning of a message in the dead-letter queue, and what to do. */
  deadLetter: string;
}

const [everyEvent, noEvent] = [() => true, () => false];

/**
 * The events of each queue and the settings of its consumer. Queues, functions, rights and alarms follow from it, in the
 * cloud, locally and in tests. `deliveries` and `jobs` receive trigger messages.
 */
export const routing: Readonly<Record<QueueName, QueueTerms>> = {
  /** Events of records with an audit log. */
  audit: {
    events: ({ subject }) => auditedRecord(subject) !== undefined,
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'An audit entry was not written. It is missing from the audit log of a lead or application until the message is redriven.',
  },
  cleanup: {
    events: ({ kind }) => cleanedUp.has(kind),
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'The children or files of a deleted record were not removed. They remain until the message is redriven.',
  },
  notifications: {
    events: everyEvent,
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter: 'The notifications of an event are missing or incomplete until the message is redriven.',
  },
  webhooks: {
    events: everyEvent,
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'Webhook deliveries of an event are missing, or its account’s log is not being sealed, until the message is redriven.',
  },
  /** A run takes 18 s. The rest of its lease is for the requests that it started last. */
  deliveries: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 50,
    deadLetter:
      'A run of a webhook’s deliveries failed. Nothing is lost: the sweep retries each minute. If the alarm stays, look for errors in the events logs.',
  },
  jobs: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 10,
    deadLetter:
      'A run of mail, text messages or jobs failed. Nothing is lost: the sweep retries each minute. If the alarm stays, look for errors in the events logs.',
  },
};

/** The queues of an event. A health check goes to all of them. */
export const queuesFor = (event: Pick<Event, 'subject' | 'kind'>): QueueName[] =>
  queueNames.filter((queue) => event.kind === 'healthcheck' || routing[queue].events(event));

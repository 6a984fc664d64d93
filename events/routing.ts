import { isDeletionKind } from '../shared/body-capture/deletions.ts';
import { isRuling } from '../shared/correspondence/incoming/read-notification.ts';
import type { Event } from '../shared/events/envelope.ts';
import { type QueueName, queueNames } from '../shared/events/queues.ts';
import { searchedRecord } from '../shared/events/subject.ts';
import { auditedRecord } from '../shared/integrity/audit/audited-nouns.ts';
import { unindexedEvents } from '../shared/resources/derived.ts';

/** The events and the consumer settings of a queue. */
interface QueueTerms {
  /** Selects the events that the queue receives. */
  events: (event: Pick<Event, 'subject' | 'kind' | 'data'>) => boolean;
  /** The timeout of the consumer for a batch. */
  timeoutSeconds: number;
  /** The maximum number of batches that run in parallel. */
  concurrency: number;
  /** The maximum number of messages in a batch of Lambda. Default 10, as in the local service. */
  batchSize?: number;
  /** The meaning of a message in the dead-letter queue, and how to resolve the problem. */
  deadLetter: string;
}

/** Reports whether an event may change a field in the search index. */
function mayChangeIndex({ kind, data }: Pick<Event, 'kind' | 'data'>): boolean {
  const unindexed = unindexedEvents[kind] ?? [];
  const contains = (values: object) =>
    Object.entries(values).every(([field, value]) => (data as Record<string, unknown>)[field] === value);
  return unindexed !== true && !unindexed.some(contains);
}

const [everyEvent, noEvent] = [() => true, () => false];

/** Explains a dead letter of a queue with trigger messages. */
const failedWorker = (work: string, item: string): string =>
  `A worker for ${work} failed repeatedly. No ${item} is lost: a sweep retries every minute. If the alarm stays on, look for errors in the log group of the events stack.`;

/**
 * For each queue, its events and consumer settings. The queues, functions, rights and alarms are derived from these
 * settings, in the cloud, locally and in tests. The queues from `deliveries` on receive trigger messages instead of events.
 */
export const routing: Readonly<Record<QueueName, QueueTerms>> = {
  /** Events of records with an audit log. */
  audit: {
    events: ({ subject }) => auditedRecord(subject) !== undefined,
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'An audit entry was not written. It is missing from the audit log of its record until the message is redriven.',
  },
  /** Events of records in the search index, and of their children, that may change an indexed field. */
  search: {
    events: (event) => mayChangeIndex(event) && searchedRecord(event) !== undefined,
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'A record in the search index is out of date. Searches and filters may not find it until the message is redriven or the record changes.',
  },
  /** Deletions of records. */
  cleanup: {
    events: ({ kind }) => isDeletionKind(kind),
    timeoutSeconds: 30,
    concurrency: 10,
    deadLetter:
      'The children, files or captured bodies of a deleted record were not removed. They remain until the message is redriven.',
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
      'Until the message is redriven, webhook deliveries of an event may be missing, and the log of the account may remain unsealed.',
  },
  /** The notifications and events of SES about received and sent mails, through SNS. Our events of released and moved mails. */
  incoming: {
    events: isRuling,
    timeoutSeconds: 60,
    concurrency: 10,
    deadLetter:
      'A received mail was not added to a record, a bounce or complaint was not recorded, or the attachments of a released or moved mail are no documents yet. The raw mail is kept for 30 days, so redrive the message before.',
  },
  /** A worker starts no requests after its first 18 s. The remaining time is for requests in flight. */
  deliveries: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 50,
    deadLetter: failedWorker('the deliveries of a webhook', 'delivery'),
  },
  partner: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 10,
    deadLetter: failedWorker('requests to a partner or events of a partner', 'request or event'),
  },
  messages: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 10,
    deadLetter: failedWorker('mail or text messages', 'message'),
  },
  /** Each message can send five mails at once. A mail with files of 15 MB takes about 55 MB of the function's 1,024 MB. */
  outgoing: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 10,
    batchSize: 2,
    deadLetter: failedWorker('mails to customers', 'mail'),
  },
  jobs: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 10,
    deadLetter: failedWorker('jobs', 'job'),
  },
  residuals: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 10,
    deadLetter: failedWorker('files and runs of residuals', 'file or run'),
  },
  sealing: {
    events: noEvent,
    timeoutSeconds: 60,
    concurrency: 10,
    deadLetter: failedWorker('the sealing of event logs', 'event'),
  },
};

/** Returns the queues that receive an event. Every queue receives a health check. */
export const queuesFor = (event: Pick<Event, 'subject' | 'kind' | 'data'>): QueueName[] =>
  queueNames.filter((queue) => event.kind === 'healthcheck' || routing[queue].events(event));

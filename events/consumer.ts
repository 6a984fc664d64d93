import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { emitMetric } from '../shared/events/emit-metric.ts';
import type { Event } from '../shared/events/envelope.ts';
import type { QueueName } from '../shared/events/queues.ts';
import { parseEvent } from '../shared/events/read-event.ts';
import { readTrigger } from '../shared/events/trigger-message.ts';
import { failureOf, logFailure } from '../shared/log.ts';
import type { Reads } from '../shared/table/read.ts';
import { rememberedReads } from '../shared/table/remembered-reads.ts';
import { gatheredRequests, type TableRequests } from '../shared/table/table-requests.ts';
import type { Run } from '../shared/work-queue/work-handler.ts';
import { routing } from './routing.ts';

/** The consumer of a queue: the default export of a file in events/consumers/. */
export interface Consumer<M = Event> {
  queue: QueueName;
  /** Parses a message, by default as an event. If `read` returns undefined, the message becomes a dead letter. */
  read?(body: string): M | undefined;
  /**
   * Handles one message. If `handle` fails or does not end before `deadline` (milliseconds since 1970), only this
   * message is delivered again. Messages arrive at least once and in any order, so handling must be idempotent.
   */
  handle(message: M, batch: BatchRun): Promise<void>;
}

/** The run of a batch of messages: its time, and the requests and reads that its messages share. */
interface BatchRun extends Run {
  /** Sends the requests of all messages together. */
  requests: TableRequests;
  /** Reads that are remembered, so that an item or a range is read once for all messages. */
  reads: Reads;
  /** Runs `work` once for all messages that call it with the same name, and waits for its end. */
  once(name: string, work: () => Promise<void>): Promise<void>;
}

/**
 * The metric of a queue's delay: the seconds from the creation of a health check until the consumer handles
 * it.
 */
export const lagMetric = 'EventLag';

/** A message's deadline is this many milliseconds before the function's timeout, to leave time for the response. */
const margin = 5_000;

/** The error for an unreadable message or a missed deadline. */
class MessageError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The Lambda handler of a consumer. It handles the messages of a batch in parallel. Only a message that is unreadable,
 * fails or times out is logged and delivered again. For a health check, the handler only publishes the queue's delay.
 */
export const consumerHandler =
  <M>(consumer: Consumer<M>, clock: () => Date = () => new Date()) =>
  async (
    { Records }: SQSEvent,
    context?: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const remaining = context?.getRemainingTimeInMillis() ?? routing[consumer.queue].timeoutSeconds * 1000;
    const batch = batchRun({ now: clock(), deadline: Date.now() + remaining - margin });
    const outcomes = await Promise.all(Records.map((record) => isHandled(consumer, record, batch)));
    const failed = Records.filter((_, index) => !outcomes[index]);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/** Starts the run of a batch of messages. */
export function batchRun(run: Run): BatchRun {
  const requests = gatheredRequests();
  const started = new Map<string, Promise<void>>();
  return {
    ...run,
    requests,
    reads: rememberedReads(requests.getItems),
    once(name, work) {
      const running = started.get(name) ?? work();
      started.set(name, running);
      return running;
    },
  };
}

async function isHandled<M>(consumer: Consumer<M>, record: SQSRecord, batch: BatchRun): Promise<boolean> {
  try {
    await withinDeadline(handle(consumer, record, batch), batch.deadline);
    return true;
  } catch (error) {
    logFailure(failureFields(consumer.queue, record, error));
    return false;
  }
}

async function handle<M>(
  { queue, read = parseEvent as (body: string) => M | undefined, handle: handleMessage }: Consumer<M>,
  { body }: SQSRecord,
  batch: BatchRun,
): Promise<void> {
  const event = parseEvent(body);
  if (event?.kind === 'healthcheck') return publishLag(queue, event, batch.now);
  const message = read(body);
  if (message === undefined)
    throw new MessageError('unreadable', 'The message does not belong to this queue.');
  await handleMessage(message, batch);
}

const publishLag = (queue: QueueName, { occurredAt }: Event, now: Date): void =>
  emitMetric(lagMetric, (now.getTime() - Date.parse(occurredAt)) / 1000, 'Seconds', { now, of: { queue } });

/** Waits for the work, and rejects at the deadline. Lambda does not stop the work until it freezes the function. */
async function withinDeadline(work: Promise<void>, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const isLate = () =>
      reject(new MessageError('deadline', 'The deadline passed before the message was handled.'));
    timer = setTimeout(isLate, Math.max(0, deadline - Date.now()));
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The log fields of a failed message, without its content. */
function failureFields(queue: QueueName, { messageId, body, attributes }: SQSRecord, error: unknown): object {
  const event = parseEvent(body);
  const thrown: Error & { code?: unknown } = error instanceof Error ? error : new Error(String(error));
  const { name, message, ...details } = failureOf(thrown);
  return {
    failed: 'message',
    queue,
    messageId,
    ...(event ? { account: event.accountId, event: event.id, kind: event.kind } : readTrigger(body)),
    receives: Number(attributes?.ApproximateReceiveCount ?? 1),
    code: thrown.code ?? name,
    error: message,
    ...details,
  };
}

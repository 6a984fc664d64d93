import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type QueueName, queueNames, queueUrlVariable } from '../shared/events/queues.ts';
import { logFailure } from '../shared/log.ts';
import { tuneClient } from '../shared/tune-client.ts';
import { messageBody, messagesOfRecord, type QueuedMessage } from './queue-messages.ts';

/** Uses the regional endpoint, because local SQS engines return queue URLs with hosts that cannot be resolved. */
const sqs = tuneClient(new SQSClient({ useQueueUrlAsEndpoint: false }));
/** SQS's limits for a batch are ten messages and 1 MiB. Ten events are much smaller than 1 MiB. */
const batchSize = 10;
/** The longest time that a send may take with all its retries, in milliseconds. */
const longestSend = 5_000;
/** A queue that accepts no messages delays the other queues for at most this many milliseconds. */
const longestDelay = 15 * 60_000;

/** The queue for unreadable records and for messages that SQS does not accept. */
const deadLetters = 'relay-dead-letters';

interface QueueMessage extends Omit<QueuedMessage, 'queue'> {
  queue: QueueName | typeof deadLetters;
}

interface RelayMessage extends QueueMessage {
  sequenceNumber: string;
  /** When the record was written, in milliseconds since 1970. */
  writtenAt: number;
}

/** A message that was not accepted. */
interface SendFailure {
  message: RelayMessage;
  code: string;
  /** True if SQS reports that the message is invalid. A retry would fail again. */
  senderFault: boolean;
}

/**
 * The Lambda handler that reads the table's stream. It sends each event to its queues (events/routing.ts),
 * and each trigger message to its queue. Other records are sent unchanged to the relay's dead-letter queue,
 * so that they do not block the stream. Messages that are invalid, or not accepted for 15 minutes, are sent
 * to the same queue as `{queue, body}`. Returns the sequence number of the first unsent record, so that
 * Lambda delivers this record and all later records again. An event can be sent twice, but is never lost.
 */
export function relayHandler(clock: () => Date = () => new Date()) {
  /**
   * For each failing queue, the time at which its oldest unsent record was written. The entry is deleted when the queue
   * accepts a message.
   */
  const failingSince = new Map<string, number>();

  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const now = clock().getTime();
    const { failures, accepted } = await sendAll(Records.flatMap((record) => messagesOf(record, now)));
    for (const queue of accepted) failingSince.delete(queue);
    for (const { message } of failures) noteFailure(message);
    const exhausted = failures.filter((failure) => isExhausted(failure, now));
    const deadLettered = await sendAll(
      exhausted.filter(({ message }) => !message.dropOnFailure).map(asDeadLetter),
    );
    const unsent = [...failures.filter((failure) => !exhausted.includes(failure)), ...deadLettered.failures];
    const [first] = unsent
      .map(({ message }) => message.sequenceNumber)
      .sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
    return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first }] };
  };

  function noteFailure({ queue, writtenAt }: RelayMessage): void {
    failingSince.set(queue, Math.min(writtenAt, failingSince.get(queue) ?? writtenAt));
  }

  /**
   * Reports whether the retries of a message must end: the message is invalid, or its queue has accepted
   * nothing for 15 minutes. The 15 minutes start when the queue's oldest unsent record was written.
   */
  function isExhausted({ message, senderFault }: SendFailure, now: number): boolean {
    if (message.queue === deadLetters) return false;
    const since = Math.min(message.writtenAt, failingSince.get(message.queue) ?? now);
    return senderFault || now - since >= longestDelay;
  }
}

export const handler = relayHandler();

/** Returns the messages of a record. A record without a time is treated as written now. */
function messagesOf(record: DynamoDBRecord, now: number): RelayMessage[] {
  const { SequenceNumber: sequenceNumber = '', ApproximateCreationDateTime } = record.dynamodb ?? {};
  const writtenAt = ApproximateCreationDateTime === undefined ? now : ApproximateCreationDateTime * 1000;
  return sentAs(record).map((sent) => ({ ...sent, sequenceNumber, writtenAt }));
}

function sentAs(record: DynamoDBRecord): QueueMessage[] {
  try {
    return messagesOfRecord(record);
  } catch (error) {
    const name = { sequenceNumber: record.dynamodb?.SequenceNumber };
    logFailure({ failed: 'read', ...name, error: (error as Error).message });
    return [{ queue: deadLetters, body: messageBody(record), name }];
  }
}

/** Logs a message that was not accepted, and returns a dead letter with its queue and body for a redrive. */
function asDeadLetter({ message, code, senderFault }: SendFailure): RelayMessage {
  const { queue, body, name } = message;
  logFailure({ failed: 'relay', queue, ...name, code, senderFault });
  return { ...message, queue: deadLetters, group: undefined, body: JSON.stringify({ queue, body }) };
}

/**
 * Sends messages in batches, to all queues in parallel. Returns the failures and the queues that accepted a message.
 */
async function sendAll(
  messages: readonly RelayMessage[],
): Promise<{ failures: SendFailure[]; accepted: Set<string> }> {
  const byQueue = new Map<string, RelayMessage[]>();
  for (const message of messages)
    byQueue.set(message.queue, [...(byQueue.get(message.queue) ?? []), message]);
  const batches = [...byQueue.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / batchSize) }, (_, n) =>
      all.slice(n * batchSize, (n + 1) * batchSize),
    ),
  );
  const sent = await Promise.all(batches.map(sendBatch));
  const partly = batches.filter((batch, index) => (sent[index]?.length ?? 0) < batch.length);
  return {
    failures: sent.flat(),
    accepted: new Set(partly.flatMap((batch) => batch.map(({ queue }) => queue))),
  };
}

/** Sends up to ten messages of one queue. Returns the messages that SQS did not confirm. */
async function sendBatch(batch: readonly RelayMessage[]): Promise<SendFailure[]> {
  const failures = await failuresOf(batch);
  const queue = batch[0]?.queue;
  for (const code of new Set(failures.map((failure) => failure.code))) {
    const alike = failures.filter((failure) => failure.code === code);
    logFailure({ failed: 'send', queue, code, messages: alike.length, first: alike[0]?.message.name });
  }
  return failures;
}

async function failuresOf(batch: readonly RelayMessage[]): Promise<SendFailure[]> {
  const queue = batch[0]?.queue ?? deadLetters;
  const input = {
    QueueUrl: urlOf(queue),
    Entries: batch.map(({ body, group }, index) => ({
      Id: String(index),
      MessageBody: body,
      MessageGroupId: group,
    })),
  };
  try {
    const { Successful = [], Failed = [] } = await withinSend((abortSignal) =>
      sqs.send(new SendMessageBatchCommand(input), { abortSignal }),
    );
    const taken = new Set(Successful.map(({ Id }) => Id));
    return batch.flatMap((message, index) => {
      if (taken.has(String(index))) return [];
      const entry = Failed.find(({ Id }) => Id === String(index));
      return { message, code: entry?.Code ?? 'missing', senderFault: entry?.SenderFault === true };
    });
  } catch (error) {
    const code = error instanceof Error ? error.name : 'unknown';
    return batch.map((message) => ({ message, code, senderFault: false }));
  }
}

async function withinSend<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), longestSend);
  try {
    return await run(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

function urlOf(queue: RelayMessage['queue']): string {
  const variable = queue === deadLetters ? 'RELAY_DEAD_LETTER_URL' : queueUrlVariable(queue);
  const url = process.env[variable];
  if (!url)
    throw new Error(
      `${variable} is not set. The relay needs the URL of each queue: ${queueNames.join(', ')}.`,
    );
  return url;
}

import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type QueueName, queueNames, queueUrlVariable } from '../shared/events/queues.ts';
import { logFailure } from '../shared/log.ts';
import { messageBody, messagesOfRecord, type Outgoing } from './outgoing.ts';

/** By the region's endpoint, not by a queue URL's host: a local engine names hosts that nobody resolves. */
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
/** SQS takes ten messages and one mebibyte in a batch; an event is far below a tenth of that. */
const batchSize = 10;
/** So many milliseconds a send may take, with all attempts of the client. */
const longestSend = 5_000;
/** After so many milliseconds a queue that takes nothing holds up no other any more. */
const patience = 15 * 60_000;

/** The relay's own: for what it cannot read, and for what a queue does not take. */
const deadLetters = 'relay-dead-letters';

/** What is sent to a queue, or to the dead letters. */
interface QueueMessage extends Omit<Outgoing, 'queue'> {
  queue: QueueName | typeof deadLetters;
}

interface RelayMessage extends QueueMessage {
  sequenceNumber: string;
  /** When its record was written, in milliseconds since 1970. */
  writtenAt: number;
}

/** A message that a queue did not take. */
interface SendFailure {
  message: RelayMessage;
  code: string;
  /** SQS says that the message itself is wrong, so that it will never be taken. */
  senderFault: boolean;
}

/**
 * The Lambda between the table's stream and the queues: sends each event to the queues that events/routing.ts
 * names, and each trigger message to its own. A record that holds neither goes unchanged to the relay's own dead-letter queue, so
 * that it never blocks the others; and so does, as `{queue, body}`, a message that its queue calls wrong or has not taken for
 * 15 minutes. Returns the lowest sequence number that was not sent; Lambda continues from there, so an event may be sent
 * twice and is never left out.
 */
export function relayHandler(clock: () => Date = () => new Date()) {
  /** Since when queues fail that took nothing in between: the time of the oldest record they did not take. */
  const failingSince = new Map<string, number>();

  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const now = clock().getTime();
    const { failures, taken } = await sendAll(Records.flatMap((record) => messagesOf(record, now)));
    for (const queue of taken) failingSince.delete(queue);
    for (const { message } of failures) noteFailure(message);
    const given = failures.filter((failure) => isExhausted(failure, now));
    const parked = await sendAll(given.filter(({ message }) => !message.dropOnFailure).map(asDeadLetter));
    const held = [...failures.filter((failure) => !given.includes(failure)), ...parked.failures];
    const [first] = held
      .map(({ message }) => message.sequenceNumber)
      .sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
    return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first }] };
  };

  function noteFailure({ queue, writtenAt }: RelayMessage): void {
    failingSince.set(queue, Math.min(writtenAt, failingSince.get(queue) ?? writtenAt));
  }

  /** A queue that has failed for so long makes no record wait as long again. */
  function isExhausted({ message, senderFault }: SendFailure, now: number): boolean {
    if (message.queue === deadLetters) return false;
    const since = Math.min(message.writtenAt, failingSince.get(message.queue) ?? now);
    return senderFault || now - since >= patience;
  }
}

export const handler = relayHandler();

/** What a record is sent as. A record without a time is as new as can be. */
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

/** A message that its queue does not take, as the dead letter from which it can be sent there later. */
function asDeadLetter({ message, code, senderFault }: SendFailure): RelayMessage {
  const { queue, body, name } = message;
  logFailure({ failed: 'relay', queue, ...name, code, senderFault });
  return { ...message, queue: deadLetters, group: undefined, body: JSON.stringify({ queue, body }) };
}

/** Sends messages by tens, the queues side by side. Returns what was not taken, and the queues that took something. */
async function sendAll(
  messages: readonly RelayMessage[],
): Promise<{ failures: SendFailure[]; taken: Set<string> }> {
  const byQueue = new Map<string, RelayMessage[]>();
  for (const message of messages)
    byQueue.set(message.queue, [...(byQueue.get(message.queue) ?? []), message]);
  const batches = [...byQueue.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / batchSize) }, (_, n) =>
      all.slice(n * batchSize, (n + 1) * batchSize),
    ),
  );
  const sent = await Promise.all(batches.map(sendBatch));
  const took = batches.filter((batch, index) => (sent[index]?.length ?? 0) < batch.length);
  return { failures: sent.flat(), taken: new Set(took.flatMap((batch) => batch.map(({ queue }) => queue))) };
}

/** Sends up to ten messages of one queue, and returns those that SQS did not say it took. */
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

/** Ends what takes longer than a send may. */
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
    throw new Error(`${variable} is not set: the relay needs a URL for each of ${queueNames.join(', ')}.`);
  return url;
}

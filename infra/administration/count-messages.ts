import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { HttpRequest } from '@smithy/core/protocols';

/** The messages of a queue. */
export interface Depth {
  /** The number of messages, including in-flight and delayed messages. */
  messages: number;
  oldestSeconds?: number;
}

export async function countMessages(
  sqs: SQSClient,
  QueueUrl: string,
): Promise<{ visible: number; inFlight: number; delayed: number }> {
  const names = [
    'ApproximateNumberOfMessages',
    'ApproximateNumberOfMessagesNotVisible',
    'ApproximateNumberOfMessagesDelayed',
  ] as const;
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }),
  );
  const [visible = 0, inFlight = 0, delayed = 0] = names.map((name) => Number(Attributes[name] ?? 0));
  return { visible, inFlight, delayed };
}

/**
 * Returns the age of the oldest message. Returns {} if the queue is not in fauxqs, because only fauxqs lists messages.
 */
export async function oldestIn(sqs: SQSClient, url: string): Promise<Pick<Depth, 'oldestSeconds'>> {
  const { origin, host } = new URL(url);
  const path = `/_fauxqs/queues/${url.split('/').at(-1)}`;
  const signer = await sqs.config.signer();
  const { headers } = await signer.sign(new HttpRequest({ method: 'GET', path, headers: { host } }));
  const response = await fetch(origin + path, { headers });
  if (!response.ok) return {};
  type Sent = { sentTimestamp: number };
  const { messages } = (await response.json()) as {
    messages: { ready: Sent[]; delayed: Sent[]; inflight: { message: Sent }[] };
  };
  const { ready, delayed, inflight } = messages;
  const sent = [...ready, ...delayed, ...inflight.map(({ message }) => message)];
  return sent.length === 0 ? {} : ageSince(Math.min(...sent.map(({ sentTimestamp }) => sentTimestamp)));
}

/** `instant` is in milliseconds since 1970. */
export const ageSince = (instant: number): { oldestSeconds: number } => ({
  oldestSeconds: Math.max(0, Math.round((Date.now() - instant) / 1000)),
});

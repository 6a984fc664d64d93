import { createHash } from 'node:crypto';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { consumerHandler } from '../../events/consumer.ts';
import deliveries from '../../events/consumers/deliveries.ts';
import { routing } from '../../events/routing.ts';
import { startQueuePoller } from '../../infra/local/queue-poller.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import { deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { deliveryOf } from '../../shared/messaging/webhooks/fan-out.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { markDue } from '../../shared/work-queue/enqueue.ts';
import type { WorkQueue } from '../../shared/work-queue/keys.ts';
import { sweepWorkQueues } from '../../shared/work-queue/sweep-work-queues.ts';
import { newWorkItem, pointerItem, workItemRecord } from '../../shared/work-queue/work-item.ts';
import { runAs, type WireRequest, watchWire } from '../harness/wire.ts';

// Never called, but the sender requires an address.
process.env[queueUrlVariable('deliveries')] = 'http://127.0.0.1/deliveries';
process.env.AWS_ENDPOINT_URL_SQS = 'http://127.0.0.1';

const [second, minute] = [1_000, 60_000];
/** A run that starts now and has the time of a Lambda function. */
export const runNow = () => ({ now: new Date(), deadline: Date.now() + 55 * second });

/**
 * Runs the webhook deliveries until `stop`: the queue `deliveries` with its real concurrency and one trigger message
 * per batch, which is the worst case of SQS, its function, and the sweep every minute. Uses the clock and timers of the
 * process.
 */
export function startDeliveries(batches = routing.deliveries.concurrency) {
  const { client, stop: stopQueue } = wakeUpQueue();
  const handler = consumerHandler(deliveries);
  const trigger = startQueuePoller({
    client,
    queue: { name: 'deliveries', url: '' },
    consumer: (event) => runAs({ functionName: 'events-deliveries' }, () => handler(event as SQSEvent)),
    concurrency: batches,
    done: () => {},
  });
  const sweep = setInterval(() => void sweepWorkQueues(runNow()), minute);
  return {
    async stop() {
      clearInterval(sweep);
      await trigger.stop();
      stopQueue();
    },
  };
}

/** Replaces the SQS queue of trigger messages. Uses the timers of the process. */
function wakeUpQueue() {
  const visible: string[] = [];
  let [sent, arrive] = [0, () => {}];
  const show = (body: string) => {
    visible.push(body);
    arrive();
  };
  const stop = watchWire({
    respond({ service, operation, input }: WireRequest) {
      if (service !== 'sqs' || operation !== 'SendMessage') return undefined;
      const { MessageBody = '', DelaySeconds = 0 } = input as { MessageBody?: string; DelaySeconds?: number };
      setTimeout(() => show(MessageBody), DelaySeconds * second);
      // The client validates the digest.
      const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
      return { status: 200, output: { MessageId: String(++sent), MD5OfMessageBody } };
    },
  });
  const receive = async (signal: AbortSignal): Promise<Message[]> => {
    while (visible.length === 0) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        arrive = resolve;
        signal.onabort = () => resolve();
      });
    }
    sent += 1;
    return [{ MessageId: String(sent), ReceiptHandle: String(sent), Body: visible.shift() }];
  };
  const client = Object.assign(new SQSClient(), {
    async send(command: unknown, { abortSignal = new AbortController().signal } = {}) {
      if (command instanceof ReceiveMessageCommand) return { Messages: await receive(abortSignal) };
      if (command instanceof DeleteMessageBatchCommand) return {};
      throw new Error('The queue of trigger messages knows no such command.');
    },
  });
  return { client, stop };
}

/** Adds `count` waiting deliveries to a work queue, as if as many events had occurred. */
export async function pileUp(workQueue: WorkQueue, event: Event, count: number): Promise<void> {
  const now = new Date();
  const items = Array.from({ length: count }, (_, n) => {
    const workItem = newWorkItem({ ...deliveryOf(event, now), id: deliveryId(n) }, now);
    return [workItemRecord(workQueue, workItem), pointerItem(workQueue, workItem, now.toISOString(), now)];
  }).flat();
  const ways = Math.min(8, Math.ceil(items.length / 25));
  await Promise.all(
    Array.from({ length: ways }, (_, way) => putAll(items.filter((_, n) => n % ways === way))),
  );
  await markDue(workQueue, now, runNow());
}

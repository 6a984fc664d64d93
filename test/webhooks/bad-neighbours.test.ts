import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { consumerHandler } from '../../events/consumer.ts';
import deliveries from '../../events/consumers/deliveries.ts';
import { routing } from '../../events/routing.ts';
import { startQueuePoller } from '../../infra/local/queue-poller.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { deliveryId } from '../../shared/messaging/webhooks/delivery.ts';
import { deliveryOf, enqueueDeliveries } from '../../shared/messaging/webhooks/enqueue-deliveries.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { markDue } from '../../shared/work-queue/enqueue.ts';
import { type WorkQueue, workQueuePartition } from '../../shared/work-queue/keys.ts';
import { waitingOf } from '../../shared/work-queue/list-work-items.ts';
import { sweepWorkQueues } from '../../shared/work-queue/sweep-work-queues.ts';
import { newWorkItem, pointerItem, workItemRecord } from '../../shared/work-queue/work-item.ts';
import { concurrently } from '../harness/concurrently.ts';
import { amount } from '../harness/heavy.ts';
import { type Behaviour, behaviours, receiver } from '../harness/receiver.ts';
import { inVirtualTime } from '../harness/virtual-time.ts';
import { runAs, type WireRequest, watchWire } from '../harness/wire.ts';
import { happens, newAccount, webhook } from './subscribed.ts';

// `triggerQueue` replaces this queue, so no request reaches it. The sender only requires its address.
process.env[queueUrlVariable('deliveries')] = 'http://127.0.0.1/deliveries';
process.env.AWS_ENDPOINT_URL_SQS = 'http://127.0.0.1';

const [second, minute] = [1_000, 60_000];
/** A run that starts now and has as much time as a Lambda function. */
const runNow = () => ({ now: new Date(), deadline: Date.now() + 55 * second });

/**
 * Runs the webhook deliveries until `stop`: the queue `deliveries` with its real concurrency, its function, and the
 * sweep every minute. Each batch has one trigger message, which is the worst case of SQS. Uses the clock and timers of
 * the process.
 */
function startDeliveries() {
  const { client, stop: stopQueue } = triggerQueue();
  const handler = consumerHandler(deliveries);
  const poller = startQueuePoller({
    client,
    queue: { name: 'deliveries', url: '' },
    consumer: (event) => runAs({ functionName: 'events-deliveries' }, () => handler(event as SQSEvent)),
    concurrency: routing.deliveries.concurrency,
    done: () => {},
  });
  const sweep = setInterval(() => void sweepWorkQueues(runNow()), minute);
  return {
    async stop() {
      clearInterval(sweep);
      await poller.stop();
      stopQueue();
    },
  };
}

/** Replaces the SQS queue of trigger messages. Uses the timers of the process. */
function triggerQueue() {
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
      throw new Error('The queue of trigger messages does not support this command.');
    },
  });
  return { client, stop };
}

/** Adds `count` waiting deliveries to a work queue, as if as many events had occurred. */
async function pileUp(workQueue: WorkQueue, event: Event, count: number): Promise<void> {
  const now = new Date();
  const items = Array.from({ length: count }, (_, n) => {
    const workItem = newWorkItem({ ...deliveryOf(event, now), id: deliveryId(n) }, now);
    return [workItemRecord(workQueue, workItem), pointerItem(workQueue, workItem, now.toISOString(), now)];
  }).flat();
  const ways = Math.min(8, Math.ceil(items.length / 25));
  await concurrently(ways, (way) => putAll(items.filter((_, n) => n % ways === way)));
  await markDue(workQueue, now, runNow());
}

/** The number of deliveries that wait for an endpoint that hangs. */
const waiting = amount('WAITING_DELIVERIES', 80);

beforeEach(() => {
  vi.stubEnv('STAGE', 'local');
  // Hides the metric that every sweep logs.
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Responds after `delay` milliseconds and calls `responded`. */
const respondsAfter =
  (delay: number, responded: () => void): Behaviour =>
  (response) =>
    void setTimeout(() => {
      response.writeHead(200).end();
      responded();
    }, delay);

const p95 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;

/** An endpoint that responds in 200 ms, and the times from event to response, in milliseconds. */
async function healthy(account: AccountId) {
  const waits: number[] = [];
  const happened: number[] = [];
  const responded = () => waits.push(Date.now() - (happened[waits.length] ?? 0));
  const { url } = await receiver(respondsAfter(200, responded));
  await webhook(account, url, { now: new Date() });
  return {
    waits,
    async hears() {
      happened.push(Date.now());
      await enqueueDeliveries(await happens(account, new Date()), runNow());
    },
  };
}

/** Counts the requests that contain the key of a work queue, until `stop`. */
function countRequests({ account, name }: WorkQueue) {
  const requests = { count: 0, stop: () => {} };
  const partition = JSON.stringify(workQueuePartition({ account, name }));
  requests.stop = watchWire({
    before({ input, invocation }) {
      if (invocation && JSON.stringify(input).includes(partition)) requests.count += 1;
    },
  });
  return requests;
}

test(`an endpoint that hangs with ${waiting} waiting deliveries does not double the p95 of other endpoints`, async () => {
  /** Measures an endpoint in the same account and an endpoint in another account for two minutes. */
  const waitsNextTo = async (neighbour?: Behaviour) => {
    const account = newAccount();
    const both = [await healthy(account), await healthy(newAccount())];
    const working = startDeliveries();
    let requests = { count: 0, stop: () => {} };
    if (neighbour) {
      const { workQueue } = await webhook(account, (await receiver(neighbour)).url, { now: new Date() });
      await pileUp(workQueue, await happens(account, new Date()), waiting);
      requests = countRequests(workQueue);
      expect((await waitingOf(workQueue)).waiting).toBe(waiting);
    }
    for (let n = 0; n < 20; n += 1) {
      for (const { hears } of both) await hears();
      await sleep(6 * second);
    }
    await working.stop();
    requests.stop();
    const waits = both.map((one) => one.waits);
    for (const one of waits) expect(one).toHaveLength(20);
    return { waits, requests: requests.count };
  };
  await inVirtualTime(async () => {
    const alone = await waitsNextTo();
    const measured = await waitsNextTo(behaviours.hangs);
    for (const [n, waits] of measured.waits.entries())
      expect(p95(waits)).toBeLessThan(2 * p95(alone.waits[n] ?? []));
    // The endpoint that hangs must also cause few requests to the table. After five failures, only one
    // attempt a minute is made.
    expect(measured.requests).toBeLessThan(60);
  });
});

test('30 hanging endpoints delay another endpoint by less than two seconds', async () => {
  await inVirtualTime(async () => {
    const [account, other] = [newAccount(), newAccount()];
    const working = startDeliveries();
    const { url } = await receiver(behaviours.hangs);
    for (const one of [account, other])
      for (let n = 0; n < 15; n += 1) {
        const { workQueue } = await webhook(one, url, { now: new Date(), events: ['lead_deleted'] });
        await pileUp(workQueue, await happens(one, new Date()), 8);
      }
    const both = [await healthy(account), await healthy(newAccount())];
    for (let n = 0; n < 12; n += 1) {
      for (const { hears } of both) await hears();
      await sleep(9 * second);
    }
    await working.stop();
    for (const { waits } of both) {
      expect(waits).toHaveLength(12);
      expect(Math.max(...waits)).toBeLessThan(2 * second);
    }
  });
});

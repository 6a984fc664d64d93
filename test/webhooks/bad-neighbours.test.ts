import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AccountId } from '../../shared/id/account-id.ts';
import { fanOut } from '../../shared/messaging/webhooks/fan-out.ts';
import type { WorkQueue } from '../../shared/work-queue/keys.ts';
import { workQueuePartition } from '../../shared/work-queue/keys.ts';
import { waitingOf } from '../../shared/work-queue/list-work-items.ts';
import { amount } from '../harness/heavy.ts';
import { type Behaviour, behaviours, receiver } from '../harness/receiver.ts';
import { inVirtualTime } from '../harness/virtual-time.ts';
import { watchWire } from '../harness/wire.ts';
import { pileUp, runNow, startDeliveries } from './at-work.ts';
import { happens, newAccount, webhook } from './subscribed.ts';

const second = 1_000;
/** The number of deliveries that wait for an endpoint that hangs. */
const waiting = amount('WAITING_DELIVERIES', 150);

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
      await fanOut(await happens(account, new Date()), runNow());
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

test('an endpoint that hangs with 10,000 waiting deliveries does not double the p95 of others', async () => {
  /** Measures an endpoint in the same account and one in another account over two minutes. */
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
    for (let n = 0; n < 24; n += 1) {
      for (const { hears } of both) await hears();
      await sleep(5 * second);
    }
    await working.stop();
    requests.stop();
    const waits = both.map((one) => one.waits);
    for (const one of waits) expect(one).toHaveLength(24);
    return { waits, requests: requests.count };
  };
  await inVirtualTime(async () => {
    const alone = await waitsNextTo();
    const measured = await waitsNextTo(behaviours.hangs);
    for (const [n, waits] of measured.waits.entries())
      expect(p95(waits)).toBeLessThan(2 * p95(alone.waits[n] ?? []));
    // It also causes few requests to the table: one attempt a minute after the first five.
    expect(measured.requests).toBeLessThan(60);
  });
});

test('30 endpoints that hang delay the 31st by less than two seconds', async () => {
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
    for (let n = 0; n < 18; n += 1) {
      for (const { hears } of both) await hears();
      await sleep(6 * second);
    }
    await working.stop();
    for (const { waits } of both) {
      expect(waits).toHaveLength(18);
      expect(Math.max(...waits)).toBeLessThan(2 * second);
    }
  });
});

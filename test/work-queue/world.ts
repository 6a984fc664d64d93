import { afterAll, beforeEach } from 'vitest';
import type { Consumer } from '../../events/consumer.ts';
import { startQueues } from '../../infra/local/queues.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import { triggerBody } from '../../shared/events/trigger-message.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { workItemsOf } from '../../shared/work-queue/list-work-items.ts';
import { runWorkQueue } from '../../shared/work-queue/run-work-queue.ts';
import { sweepWorkQueues } from '../../shared/work-queue/sweep-work-queues.ts';
import type { AttemptResult, AttemptRun, WorkHandler } from '../../shared/work-queue/work-handler.ts';
import type { NewWorkItem, WorkItem } from '../../shared/work-queue/work-item.ts';
import { type WorkQueue, webhookWorkQueue } from '../../shared/work-queue/work-queue.ts';
import { runAs, watchWire } from '../harness/wire.ts';

const { endpoint, queues, stop } = await startQueues();
process.env.AWS_ENDPOINT_URL_SQS = endpoint;
for (const { name, url } of queues) process.env[queueUrlVariable(name)] = url;

/** Trigger messages that were sent, in this order, with the seconds by which they are delayed. */
export const triggers: { name: string; delay: number }[] = [];
const stopWatching = watchWire({
  before({ service, operation, input }) {
    if (service !== 'sqs' || operation !== 'SendMessage') return;
    const { wake } = JSON.parse(String(input.MessageBody));
    triggers.push({ name: wake.backlog, delay: Number(input.DelaySeconds ?? 0) });
  },
});
beforeEach(() => void triggers.splice(0));
afterAll(async () => {
  stopWatching();
  await stop();
});

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** The clock of these tests: it stands still unless a test moves it. */
export const time = { now: new Date() };
export const pass = (milliseconds: number): void => {
  time.now = new Date(time.now.getTime() + milliseconds);
};
/** A run at this instant that has as long as a function has. */
export const run = (seconds = 55) => ({ now: time.now, deadline: Date.now() + seconds * second });

/** Lets a trigger message of a work queue reach a consumer. */
export async function wake<M>({ read, handle }: Consumer<M>, { account, name }: WorkQueue): Promise<void> {
  const message = read?.(triggerBody({ account, backlog: name }));
  if (message === undefined) throw new Error(`The work queue ${name} is not worked from this queue`);
  await handle(message, run());
}

let workQueues = 0;
/** A work queue that nobody used before. */
export const newWorkQueue = (): WorkQueue => {
  workQueues += 1;
  return webhookWorkQueue(`work-queues-${workQueues}` as AccountId, mintId(time.now));
};

/** A work item that is due now, unless it says otherwise. */
export const workItem = (id: string, more: Partial<NewWorkItem<Content>> = {}): NewWorkItem<Content> => ({
  id,
  due: time.now,
  content: { text: id },
  expires: new Date(time.now.getTime() + 30 * 24 * hour),
  ...more,
});
export interface Content {
  text: string;
}

/** Work that says of each attempt what a plain function says, and keeps what was attempted, in this order. */
export function workBy(
  result: (
    workItem: WorkItem<Content>,
    run: AttemptRun,
  ) => AttemptResult<Content> | Promise<AttemptResult<Content>> = () => ({
    status: 'delivered',
    attempt: {},
  }),
): WorkHandler<Content, undefined> & { attempted: string[]; most: number } {
  let inFlight = 0;
  const work = {
    attempted: [] as string[],
    most: 0,
    prepare: async () => undefined,
    async attempt(workItem: WorkItem<Content>, _: undefined, run: AttemptRun) {
      work.attempted.push(workItem.id);
      inFlight += 1;
      work.most = Math.max(work.most, inFlight);
      try {
        return await result(workItem, run);
      } finally {
        inFlight -= 1;
      }
    },
  };
  return work;
}

/** The statuses of a work queue's work items, the oldest id first. */
export async function statuses(workQueue: WorkQueue): Promise<Record<string, string>> {
  const { items } = await workItemsOf(workQueue, time.now).newest({});
  return Object.fromEntries(items.reverse().map(({ id, status }) => [id, status]));
}

export const never = new Promise<never>(() => {});

/**
 * Does something as a function that dies at the `n`th request that it sends, before the request has an effect or after it, and
 * sends nothing more. False where it was done before.
 */
export async function killedAt(
  n: number,
  when: 'before' | 'after',
  act: () => Promise<unknown>,
): Promise<boolean> {
  const functionName = `killed ${n} ${when} ${Math.random()}`;
  const numbers = new Map<object, number>();
  let [count, dead] = [0, false];
  const death = new Promise<void>((die) => {
    const dieAt = (number: number | undefined) => {
      if (number === n) dead = true;
      if (!dead) return undefined;
      die();
      return never;
    };
    // Nobody ends this watch: whoever is dead stays it.
    watchWire({
      before({ invocation, input }) {
        if (invocation?.functionName !== functionName) return undefined;
        numbers.set(input, ++count);
        return dieAt(when === 'before' ? count : undefined);
      },
      done({ invocation, input }) {
        if (invocation?.functionName !== functionName) return undefined;
        return dieAt(when === 'after' ? numbers.get(input) : undefined);
      },
    });
  });
  return Promise.race([runAs({ functionName }, act).then(() => false), death.then(() => true)]);
}

/**
 * Lets so many times two minutes pass. After each the sweep comes by, and whatever trigger messages of the work queue it sends are worked:
 * all others are lost.
 */
export async function passTwoMinutes(
  workQueue: WorkQueue,
  work: WorkHandler<Content, undefined>,
  times = 1,
): Promise<void> {
  for (let n = 0; n < times; n++) {
    pass(2 * minute);
    triggers.splice(0);
    await sweepWorkQueues(run(45));
    const own = triggers.filter(({ name, delay }) => name === workQueue.name && delay === 0);
    for (const _ of own) await runWorkQueue(workQueue, work, run());
  }
}

import { afterAll, beforeEach } from 'vitest';
import { batchRun, type Consumer } from '../../events/consumer.ts';
import { commit } from '../../shared/events/outbox.ts';
import { triggerBody } from '../../shared/events/trigger-message.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import type { Write } from '../../shared/table/operations.ts';
import { enqueue } from '../../shared/work-queue/enqueue.ts';
import { type WorkQueue, webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { workItemsOf } from '../../shared/work-queue/list-work-items.ts';
import { runWorkQueue } from '../../shared/work-queue/run-work-queue.ts';
import { sweepWorkQueues } from '../../shared/work-queue/sweep-work-queues.ts';
import type { AttemptResult, AttemptRun, WorkHandler } from '../../shared/work-queue/work-handler.ts';
import type { NewWorkItem, WorkItem } from '../../shared/work-queue/work-item.ts';
import { killAt, type Moment } from '../harness/kill.ts';
import '../harness/queues.ts';
import { runAs, watchWire } from '../harness/wire.ts';

/** The trigger messages in the order in which they were sent. `delay` is in seconds. */
export const triggers: { name: string; delay: number }[] = [];
const stopWatching = watchWire({
  before({ service, operation, input }) {
    if (service !== 'sqs' || operation !== 'SendMessage') return;
    const { trigger } = JSON.parse(String(input.MessageBody));
    triggers.push({ name: trigger.workQueue, delay: Number(input.DelaySeconds ?? 0) });
  },
});
beforeEach(() => void triggers.splice(0));
afterAll(stopWatching);

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** The clock of these tests, which only the tests advance. */
export const time = { now: new Date() };
export const pass = (milliseconds: number): void => {
  time.now = new Date(time.now.getTime() + milliseconds);
};
/** A run that starts now and has as much time as a Lambda function. */
export const run = (seconds = 55) => ({ now: time.now, deadline: Date.now() + seconds * second });

/** Passes a trigger message of a work queue to a consumer. */
export async function triggerRun<M>(
  { read, handle }: Consumer<M>,
  { account, name }: WorkQueue,
): Promise<void> {
  const message = read?.(triggerBody({ account, workQueue: name }));
  if (message === undefined) throw new Error(`This consumer does not process the work queue ${name}`);
  await handle(message, batchRun(run()));
}

let workQueues = 0;
export const newWorkQueue = (): WorkQueue => {
  workQueues += 1;
  return webhookWorkQueue(`work-queues-${workQueues}` as AccountId, mintId(time.now));
};

/** A work item that is due now by default. */
export const workItem = (id: string, more: Partial<NewWorkItem<Content>> = {}): NewWorkItem<Content> => ({
  id,
  due: time.now,
  content: { text: id },
  expires: new Date(time.now.getTime() + 30 * 24 * hour),
  ...more,
});
export const add = (workQueue: WorkQueue, id: string, more?: Partial<NewWorkItem<Content>>) =>
  enqueue(workQueue, workItem(id, more), run());
export const write = (writes: Write[]) => commit({ writes, events: [], deadline: Date.now() + minute });
interface Content {
  text: string;
}

/**
 * A handler that returns the results of a function. Records the attempted ids and the largest number of concurrent
 * attempts.
 */
export function handlerBy(
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

/** The statuses of all items of a work queue, smallest id first. */
export async function statuses(workQueue: WorkQueue): Promise<Record<string, string>> {
  const { items } = await workItemsOf(workQueue, time.now).newest({});
  return Object.fromEntries(items.reverse().map(({ id, status }) => [id, status]));
}

/**
 * Runs `act` as a function that is killed at its `n`th request, before or after the request takes effect. Returns false
 * if `act` completed first.
 */
export function killedAt(n: number, when: Moment, act: () => Promise<unknown>): Promise<boolean> {
  const functionName = `killed ${n} ${when} ${Math.random()}`;
  return killAt(n, when, () => runAs({ functionName }, act), functionName);
}

/**
 * Repeats `times` times: moves the clock by two minutes, runs the sweep, and handles the trigger messages that the
 * sweep sends for the work queue. All other trigger messages are lost.
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

import type { TriggerQueue } from '../shared/events/queues.ts';
import { readTrigger } from '../shared/events/trigger-message.ts';
import { runWorkQueue } from '../shared/work-queue/run-work-queue.ts';
import { workQueueIn } from '../shared/work-queue/send-trigger.ts';
import type { WorkHandler } from '../shared/work-queue/work-handler.ts';
import type { WorkQueue } from '../shared/work-queue/work-queue.ts';
import type { Consumer } from './consumer.ts';

/** A work queue that was woken, with how its work items are worked. */
interface WorkMessage {
  workQueue: WorkQueue;
  work: WorkHandler;
}

/**
 * The consumer of a queue that wakes work queues: it works the one that is named, as `workOf` says for it. What names none, or one
 * that is worked from the other queue, is among the dead letters; such a work queue is due all the same, and the sweep wakes it.
 */
export const workQueueConsumer = (
  queue: TriggerQueue,
  workOf: (workQueue: WorkQueue) => WorkHandler | undefined,
): Consumer<WorkMessage> => ({
  queue,
  read(body) {
    const trigger = readTrigger(body);
    const workQueue = trigger && workQueueIn(trigger);
    const work = workQueue && workOf(workQueue);
    return work && { workQueue, work };
  },
  handle: ({ workQueue, work }, run) => runWorkQueue(workQueue, work, run),
});

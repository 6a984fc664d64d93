import type { TriggerQueue } from '../shared/events/queues.ts';
import { readTrigger } from '../shared/events/trigger-message.ts';
import type { WorkQueue } from '../shared/work-queue/keys.ts';
import { runWorkQueue } from '../shared/work-queue/run-work-queue.ts';
import { workQueueIn } from '../shared/work-queue/send-trigger.ts';
import type { WorkHandler } from '../shared/work-queue/work-handler.ts';
import type { Consumer } from './consumer.ts';

/** A work queue that must be run, and the handler of its work items. */
interface WorkMessage {
  workQueue: WorkQueue;
  work: WorkHandler;
}

/**
 * Returns a consumer of trigger messages. It runs the work queue that a message names, with the handler from
 * `workOf`. If `workOf` returns undefined, the message becomes a dead letter. The work queue remains due, so
 * the sweep triggers it again.
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

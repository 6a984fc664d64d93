import type { WakeQueue } from '../shared/events/queues.ts';
import { readWakeUp } from '../shared/events/wake-up.ts';
import type { Backlog } from '../shared/work-queue/backlog.ts';
import { backlogIn } from '../shared/work-queue/wake.ts';
import type { Work } from '../shared/work-queue/work.ts';
import { workBacklog } from '../shared/work-queue/work-backlog.ts';
import type { Consumer } from './consumer.ts';

/** A backlog that was woken, with how its entries are worked. */
interface WokenMessage {
  backlog: Backlog;
  work: Work;
}

/**
 * The consumer of a queue that wakes backlogs: it works the one that is named, as `workOf` says for it. What names none, or one
 * that is worked from the other queue, is among the dead letters; such a backlog is due all the same, and the sweep wakes it.
 */
export const wokenBacklog = (
  queue: WakeQueue,
  workOf: (backlog: Backlog) => Work | undefined,
): Consumer<WokenMessage> => ({
  queue,
  read(body) {
    const wakeUp = readWakeUp(body);
    const backlog = wakeUp && backlogIn(wakeUp);
    const work = backlog && workOf(backlog);
    return work && { backlog, work };
  },
  handle: ({ backlog, work }, run) => workBacklog(backlog, work, run),
});

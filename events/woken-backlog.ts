import type { Backlog } from '../shared/backlogs/backlog.ts';
import { backlogIn } from '../shared/backlogs/wake.ts';
import type { Work } from '../shared/backlogs/work.ts';
import { workBacklog } from '../shared/backlogs/work-backlog.ts';
import type { WakeQueue } from '../shared/events/queues.ts';
import { readWakeUp } from '../shared/events/wake-up.ts';
import type { Consumer } from './consumer.ts';

/**
 * The consumer of a queue that wakes backlogs: it works the one that is named, as `workOf` says for it. What names none is
 * among the dead letters.
 */
export const wokenBacklog = (queue: WakeQueue, workOf: (backlog: Backlog) => Work): Consumer<Backlog> => ({
  queue,
  read(body) {
    const wakeUp = readWakeUp(body);
    return wakeUp && backlogIn(wakeUp);
  },
  handle: (backlog, run) => workBacklog(backlog, workOf(backlog), run),
});

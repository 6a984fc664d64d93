import { type Backlog, webhookOf } from '../shared/backlogs/backlog.ts';
import { type Job, jobWork } from '../shared/backlogs/jobs.ts';
import { backlogIn } from '../shared/backlogs/wake.ts';
import type { Work } from '../shared/backlogs/work.ts';
import { workBacklog } from '../shared/backlogs/work-backlog.ts';
import type { WakeQueue } from '../shared/events/queues.ts';
import { readWakeUp } from '../shared/events/wake-up.ts';
import { rewriteMarked, tellAudience } from '../shared/notifications/jobs.ts';
import type { BacklogName } from '../shared/table/keys.ts';
import { announceFailures } from '../shared/webhooks/announce-failures.ts';
import { deliveries } from '../shared/webhooks/deliver.ts';
import { recover } from '../shared/webhooks/recover.ts';
import { channelsOf } from './channels.ts';
import type { Consumer } from './consumer.ts';

/** What is opened before anybody does it waits for whoever will. */
const nobodyYet: Work = {
  prepare: async () => 'nothing may be done',
  attempt: async () => ({ again: new Date() }),
};

/** What a job of an account does, by the name in its entry's content. */
const jobs: Readonly<Record<string, Job>> = {
  tell_audience: tellAudience(channelsOf),
  rewrite_audience: rewriteMarked,
  announce_failures: announceFailures as Job,
  recover: recover as Job,
};

const webhookWork = deliveries() as Work;
const accountWork: Readonly<Partial<Record<BacklogName, Work>>> = {
  MAIL: nobodyYet,
  SMS: nobodyYet,
  JOBS: jobWork(jobs),
};

/** How the entries of a backlog are worked. */
export const workOf = (backlog: Backlog): Work =>
  (webhookOf(backlog) === undefined ? accountWork[backlog.name] : webhookWork) ?? nobodyYet;

/** The consumer of a queue that wakes backlogs: it works the one that is named. What names none is among the dead letters. */
export const wokenBacklog = (queue: WakeQueue): Consumer<Backlog> => ({
  queue,
  read(body) {
    const wakeUp = readWakeUp(body);
    return wakeUp && backlogIn(wakeUp);
  },
  handle: (backlog, run) => workBacklog(backlog, workOf(backlog), run),
});

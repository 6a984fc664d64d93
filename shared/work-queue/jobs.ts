import type { AttemptResult, AttemptRun, WorkHandler } from './work-handler.ts';
import type { WorkItem } from './work-item.ts';
import type { WorkQueue } from './work-queue.ts';

/** The content of a work item of the work queue of jobs: which job, and what that needs to know. */
export interface JobContent {
  job: string;
}

/** One kind of job: an attempt is a step of it. */
export type Job<C extends JobContent = JobContent> = {
  attempt(workItem: WorkItem<C>, workQueue: WorkQueue, run: AttemptRun): Promise<AttemptResult<C>>;
}['attempt'];

/** The work of a work queue of jobs, by their names. A work item of a name that nobody knows comes again, and is told in the log. */
export const jobHandler = (jobs: Readonly<Record<string, Job>>): WorkHandler<JobContent, WorkQueue> => ({
  prepare: async (workQueue) => workQueue,
  attempt(workItem, workQueue, run) {
    const job = jobs[workItem.content.job];
    if (!job) throw new Error(`Nobody knows the job ${workItem.content.job}.`);
    return job(workItem, workQueue, run);
  },
});

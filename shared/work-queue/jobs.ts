import type { WorkQueue } from './keys.ts';
import type { AttemptResult, AttemptRun, WorkHandler } from './work-handler.ts';
import type { WorkItem } from './work-item.ts';

/** The content of a work item in a job queue: the name of the job and its input. */
export interface JobContent {
  job: string;
}

/** One kind of job. Each attempt runs one step of the job. */
export type Job<C extends JobContent = JobContent> = {
  attempt(workItem: WorkItem<C>, queue: WorkQueue, run: AttemptRun): Promise<AttemptResult<C>>;
}['attempt'];

/** Returns the handler of job queues. `jobs` contains the jobs by name. An unknown job is logged and retried. */
export const jobHandler = (jobs: Readonly<Record<string, Job>>): WorkHandler<JobContent, WorkQueue> => ({
  prepare: async (queue) => queue,
  attempt(workItem, queue, run) {
    const job = jobs[workItem.content.job];
    if (!job) throw new Error(`Unknown job: ${workItem.content.job}`);
    return job(workItem, queue, run);
  },
});

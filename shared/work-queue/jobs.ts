import type { WorkQueue } from './keys.ts';
import type { AttemptResult, AttemptRun, WorkHandler } from './work-handler.ts';
import type { WorkItem } from './work-item.ts';

/** The content of a work item in a work queue of jobs: the name of the job and its input. */
export interface JobContent {
  job: string;
}

/** One kind of job. Each attempt runs one step of the job. */
export type Job<C extends JobContent = JobContent> = {
  attempt(workItem: WorkItem<C>, workQueue: WorkQueue, run: AttemptRun): Promise<AttemptResult<C>>;
}['attempt'];

/** Returns the handler of the work queues of jobs. `jobs` contains the jobs by name. An unknown job is logged and retried. */
export const jobHandler = (jobs: Readonly<Record<string, Job>>): WorkHandler<JobContent, WorkQueue> => ({
  prepare: async (workQueue) => workQueue,
  attempt(workItem, workQueue, run) {
    const job = jobs[workItem.content.job];
    if (!job) throw new Error(`Unknown job: ${workItem.content.job}`);
    return job(workItem, workQueue, run);
  },
});

/** The status of a job in responses, by the status of its work item. */
export const jobStatuses = {
  waiting: 'running',
  delivered: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
} as const;

import type { Backlog } from './backlog.ts';
import type { Entry } from './entry.ts';
import type { AttemptRun, Verdict, Work } from './work.ts';

/** The content of an entry of the backlog of jobs: which job, and what that needs to know. */
export interface JobContent {
  job: string;
}

/** One kind of job: an attempt is a step of it. */
export type Job<C extends JobContent = JobContent> = {
  attempt(entry: Entry<C>, backlog: Backlog, run: AttemptRun): Promise<Verdict<C>>;
}['attempt'];

/** The work of a backlog of jobs, by their names. An entry of a name that nobody knows comes again, and is told in the log. */
export const jobWork = (jobs: Readonly<Record<string, Job>>): Work<JobContent, Backlog> => ({
  prepare: async (backlog) => backlog,
  attempt(entry, backlog, run) {
    const job = jobs[entry.content.job];
    if (!job) throw new Error(`Nobody knows the job ${entry.content.job}.`);
    return job(entry, backlog, run);
  },
});

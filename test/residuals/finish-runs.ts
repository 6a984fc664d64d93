import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { calculateResidualRun } from '../../shared/residuals/runs/calculate-run.ts';
import { jobItemId, type RunContent } from '../../shared/residuals/runs/create-run.ts';
import { residualRuns } from '../../shared/residuals/runs/store.ts';
import { postResidualRun, reverseResidualRun } from '../../shared/residuals/statements/post-run.ts';
import type { Job } from '../../shared/work-queue/jobs.ts';
import { residualJobsOf } from '../../shared/work-queue/keys.ts';
import { findWorkItem } from '../../shared/work-queue/list-work-items.ts';
import { clock } from '../harness/clock.ts';

const jobs: Partial<Record<string, { name: Parameters<typeof jobItemId>[0]; job: Job<RunContent> }>> = {
  calculating: { name: 'calculate_residual_run', job: calculateResidualRun },
  posting: { name: 'post_residual_run', job: postResidualRun },
  reversing: { name: 'reverse_residual_run', job: reverseResidualRun },
};

/** Runs the jobs of the newest runs of an account in the process of the test, without its queues. */
export async function finishRuns(account: AccountId): Promise<void> {
  for (const { id, state } of await residualRuns.newest(account, 3)) {
    const { name, job } = jobs[state] ?? {};
    const now = clock.now();
    const workItem =
      name && (await findWorkItem<RunContent>(residualJobsOf(account), jobItemId(name, id), now));
    if (workItem && job) await finish(account, { id, workItem, job });
  }
}

type Open = { id: number; workItem: Parameters<Job<RunContent>>[0]; job: Job<RunContent> };

async function finish(account: AccountId, { workItem, job }: Open): Promise<void> {
  const step = {
    ...{ now: clock.now(), deadline: Date.now() + 60_000 },
    ...{ signal: new AbortController().signal, once: false },
  };
  for (let { content } = workItem; ; ) {
    const result = await job({ ...workItem, content }, residualJobsOf(account), step);
    if (!('content' in result) || !('again' in result) || !result.content) {
      if (!('status' in result)) throw new Error('The job has failed.');
      const { writes = [], events = [] } = result;
      return commit({ writes, events, deadline: step.deadline });
    }
    content = result.content;
  }
}

import { invalid } from '../../errors.ts';
import type { Actor, EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { AccountId } from '../../id/account-id.ts';
import { principalKeyOf, type SignedIn } from '../../security/principal.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Write } from '../../table/operations.ts';
import { newRecord } from '../../table/record-fields.ts';
import { replaceWrites } from '../../work-queue/enqueue.ts';
import type { JobContent } from '../../work-queue/jobs.ts';
import { residualJobsOf } from '../../work-queue/keys.ts';
import { processorKey } from '../amounts/schema.ts';
import { type LatestFile, residualFiles } from '../files/store.ts';
import type { ResidualRunInput, RunPart } from './schema.ts';
import { type Book, residualBooks, residualRuns, type StoredRun } from './store.ts';

/** The jobs of runs, by their names in `events/consumers/jobs.ts`. */
type RunJob = 'calculate_residual_run' | 'post_residual_run' | 'reverse_residual_run';

/** The content of a job of a run. `next` is the place of the next processor or beneficiary. */
export interface RunContent extends JobContent {
  job: RunJob;
  id: number;
  actor: Actor;
  next: number;
  /** The parts that are calculated. */
  parts?: RunPart[];
  /** The ids of the new statements, one for each beneficiary. */
  statementIds?: number[];
  /** The failures in a row at the place `next`. */
  failures?: number;
}

/** Finished jobs are kept for 30 days, and their results without end. */
const keptFor = 30 * 86_400_000;

export const jobItemId = (job: RunJob, id: number): string => `${job.replaceAll('_', '-')}-${id}`;

/** Returns the writes that start a job of a run. They replace a job that has stopped, whose statements keep their ids. */
export const runJobWrites = (
  job: RunJob,
  { accountId, id }: Pick<StoredRun, 'accountId' | 'id'>,
  { principal, now }: { principal: { actor: Actor }; now: Date },
  statementIds?: number[],
): Write[] => {
  const content: RunContent = {
    ...{ job, id, actor: principal.actor, next: 0 },
    ...(statementIds && { statementIds }),
  };
  const item = { id: jobItemId(job, id), due: now, content, expires: new Date(now.getTime() + keptFor) };
  return replaceWrites(residualJobsOf(accountId), item, now);
};

export const readForRun = (account: AccountId, { month }: ResidualRunInput) =>
  inParallel([residualFiles.latestOf(account, month), residualBooks.of(account, month)]);

interface RunRequest {
  account: AccountId;
  principal: SignedIn;
  now: Date;
}

/** Returns a new run. Throws `invalid_input` for a processor without a file of the month. */
export function newRun(
  request: RunRequest,
  { month, processors }: ResidualRunInput,
  [files, { posted }]: readonly [LatestFile[], Book],
): StoredRun {
  const chosen = processors
    ? processors.map((name, n) => {
        const file = files.find(({ processor }) => processorKey(processor) === processorKey(name));
        if (!file) throw invalid(`processors[${n}]`, `has no file of ${month} that was read`);
        return file;
      })
    : files;
  const planned = [...new Map(chosen.map((file) => [processorKey(file.processor), file])).values()].map(
    ({ processor, fileId, fileVersion }) => {
      const previousRunId = posted[processorKey(processor)];
      return { processor, fileId, fileVersion, ...(previousRunId !== undefined && { previousRunId }) };
    },
  );
  return {
    ...newRecord(request),
    ...{ month, state: 'calculating', processors: planned.map(({ processor }) => processor), planned },
    ...{ parts: [], net: 0, shares: 0, house: 0, adjustments: 0, difference: 0, beneficiaryCount: 0 },
    startedBy: principalKeyOf(request.principal),
  };
}

const runCreated = (run: StoredRun): EventDraft[] =>
  unnamedChange(run.accountId, 'residual_run_created', run, {
    month: run.month,
    processors: run.processors.join(', '),
  });

/** Returns the event of an approved, posted or reversed run. */
export const runHappened = (
  happening: 'residual_run_approved' | 'residual_run_posted' | 'residual_run_reversed',
  run: StoredRun,
): EventDraft[] => {
  const { accountId, month, processors, sha256 = '', net, shares, house } = run;
  const detail = { month, processors: processors.join(', '), sha256, net, shares, house };
  return unnamedChange(accountId, happening, run, detail);
};

/** Returns the response and the writes of a request that starts a run. */
export function startRun(request: RunRequest, run: StoredRun) {
  return {
    response: residualRuns.show(run),
    writes: [...residualRuns.insert(run), ...runJobWrites('calculate_residual_run', run, request)],
    events: runCreated(run),
  };
}

import type { StoredAccount } from '../../accounts/schema.ts';
import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { isOtherPerson } from '../../sales/underwriting-rules/change-rule.ts';
import type { SignedIn } from '../../security/principal.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { revise } from '../../table/revise.ts';
import { residualAdjustments } from '../adjustments/store.ts';
import { processorKey } from '../amounts/schema.ts';
import { runHappened, runJobWrites } from './create-run.ts';
import { advancesBook, type Book, residualBooks, residualRuns, type StoredRun } from './store.ts';

interface RunRequest {
  principal: SignedIn;
  now: Date;
}

function requireState({ state }: StoredRun, wanted: StoredRun['state']): void {
  if (state !== wanted)
    throw new ApiError('residual_run_state', {
      message: `The run must have the state ${wanted}, but it is ${state}.`,
    });
}

/**
 * Returns the approved run. Throws `residual_run_state`, and `run_needs_second_person` if the account requires another person
 * than the one who started the run.
 */
export async function approveRun(
  request: RunRequest & { accountRecord: Pick<StoredAccount, 'residualsNeedTwoPeople'> },
  run: StoredRun,
) {
  requireState(run, 'preview');
  const { principal, now, accountRecord } = request;
  if (accountRecord.residualsNeedTwoPeople && !(await isOtherPerson(run.accountId, run.startedBy, principal)))
    throw new ApiError('run_needs_second_person');
  const by = { approvedAt: now.toISOString(), approvedBy: principal.actor.user };
  const after = revise(run, { state: 'approved', ...by }, request);
  return {
    response: residualRuns.show(after),
    writes: residualRuns.replace(run, after),
    events: runHappened('residual_run_approved', after),
  };
}

/** What the posting of a run depends on. Throws `not_found`. */
export async function readForPosting(account: AccountId, id: number) {
  const run = await residualRuns.get(account, id);
  const [book, adjustments] = await inParallel([
    residualBooks.of(account, run.month),
    residualAdjustments.findMany(account, Object.keys(run.adjusted ?? {}).map(Number)),
  ]);
  const isAboutAdvances = adjustments.some(({ kind }) => kind === 'advance');
  const advances = isAboutAdvances ? await residualBooks.of(account, advancesBook) : undefined;
  return { run, book, adjustments, advances };
}

type ForPosting = Awaited<ReturnType<typeof readForPosting>>;

/**
 * Starts the posting of an approved run, or continues one that has stopped. Throws:
 *
 * - `residual_run_state` if the run is neither approved nor stopped
 * - `residual_run_open` if another run of the month, or another run with advances, is being posted or reversed
 * - `residual_run_outdated` if another run or an adjustment has changed the amounts that the run would add
 */
export function startPosting(request: RunRequest, known: ForPosting) {
  const { run, book, adjustments } = known;
  if (run.stopped?.during === 'posting') return started(request, known, 'posting');
  requireState(run, 'approved');
  requireFree(known);
  const isCurrent = run.planned.every(
    ({ processor, previousRunId }) => book.posted[processorKey(processor)] === previousRunId,
  );
  const adjusted = Object.entries(run.adjusted ?? {});
  const areSame =
    adjustments.length === adjusted.length &&
    adjustments.every(({ id, version }) => run.adjusted?.[id] === version);
  if (!isCurrent || !areSame) throw new ApiError('residual_run_outdated');
  return started(request, known, 'posting');
}

/**
 * Starts the reversal of a posted run, or of one whose posting or reversal has stopped. Throws `residual_run_state`,
 * `residual_run_open` and `residual_run_outdated`.
 */
export function startReversal(request: RunRequest, known: ForPosting) {
  const { run, book } = known;
  if (run.stopped) return started(request, known, 'reversing');
  requireState(run, 'posted');
  requireFree(known);
  if (run.planned.some(({ processor }) => book.posted[processorKey(processor)] !== run.id))
    throw new ApiError('residual_run_outdated', {
      message: 'A later run has corrected this run. Reverse the later run first.',
    });
  return started(request, known, 'reversing');
}

function requireFree({ book, advances }: ForPosting): void {
  if (book.busyWith !== undefined) throw new ApiError('residual_run_open');
  if (advances?.busyWith !== undefined)
    throw new ApiError('residual_run_open', {
      message: 'Another run with advances is being posted or reversed. Wait until it is done.',
    });
}

const jobs = { posting: 'post_residual_run', reversing: 'reverse_residual_run' } as const;

function started(request: RunRequest, { run, book, advances }: ForPosting, state: 'posting' | 'reversing') {
  const { stopped } = run;
  const isContinued = stopped?.during === state;
  // The reversal of a posting that has stopped takes back the statements that exist.
  const statementIds = stopped && !isContinued ? (stopped.statementIds ?? []) : undefined;
  const after = revise(run, { state, error: null, stopped: null, statementIds }, request);
  const taken = (month: string, before: Book) =>
    residualBooks.replace(run.accountId, month, before, { posted: before.posted, busyWith: run.id });
  return {
    response: residualRuns.show(after),
    writes: [
      ...residualRuns.replace(run, after),
      taken(run.month, book),
      ...(advances ? [taken(advancesBook, advances)] : []),
      ...runJobWrites(jobs[state], run, request, isContinued ? stopped.statementIds : undefined),
    ],
    events: [],
  };
}

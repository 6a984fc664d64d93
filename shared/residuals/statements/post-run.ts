import { ApiError } from '../../errors.ts';
import type { Event } from '../../events/envelope.ts';
import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import type { Write } from '../../table/operations.ts';
import { authoredBy, type Revision, revise } from '../../table/revise.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { Job } from '../../work-queue/jobs.ts';
import type { AttemptResult, AttemptRun } from '../../work-queue/work-handler.ts';
import { type AdjustmentLine, afterLine } from '../adjustments/adjust.ts';
import type { Adjustment } from '../adjustments/schema.ts';
import { residualAdjustments } from '../adjustments/store.ts';
import { processorKey } from '../amounts/schema.ts';
import { compareTotals } from '../runs/calculate-run.ts';
import type { ResidualLine } from '../runs/calculation.ts';
import { type RunContent, runHappened } from '../runs/create-run.ts';
import { differences, takenBack } from '../runs/differences.ts';
import { readStanding, standingWrites } from '../runs/month-sums.ts';
import { retryRun } from '../runs/retry-run.ts';
import {
  advancesBook,
  type Book,
  residualBooks,
  residualRuns,
  runResults,
  type StoredRun,
} from '../runs/store.ts';
import { newStatement, type StatementSource, statementHappened } from './new-statement.ts';
import type { StoredStatement } from './schema.ts';
import { residualStatements } from './store.ts';
import { type ExactLine, isAboutRow, statementLines } from './stored-lines.ts';

/** The currency of statements. */
const statementCurrency = 'USD';
/** A step starts no further statement after this many milliseconds, or this many milliseconds before its deadline. */
const stepTime = 8_000;
const margin = 4_000;

type Result = AttemptResult<RunContent>;

/** The lines that a run adds for one beneficiary. */
interface Addition {
  beneficiary: string;
  name: string;
  lines(): Promise<ExactLine[]>;
  /** The statement that is taken back. */
  reversedId?: number;
}

/** How a job posts or reverses a run. */
interface Posting {
  job: 'post_residual_run' | 'reverse_residual_run';
  during: 'posting' | 'reversing';
  kind: StoredStatement['kind'];
  /** Returns the additions in a fixed order. */
  additionsOf(run: StoredRun): Promise<Addition[]>;
  /** The fields of the run at the end. */
  finished(user: string, now: Date): Revision<StoredRun>;
  happening: 'residual_run_posted' | 'residual_run_reversed';
  /** The posted run of each processor at the end. */
  postedAfter(run: StoredRun, book: Book): Record<string, number>;
}

/**
 * Posts a run: one statement for each beneficiary with a change. The ids of the statements are fixed before
 * the first one is written, so that a repeated step finds the statements that exist.
 */
export const postResidualRun = jobOf({
  job: 'post_residual_run',
  during: 'posting',
  kind: 'posting',
  additionsOf: additionsOfRun,
  finished: (user, now) => ({ state: 'posted', postedAt: now.toISOString(), postedBy: user }),
  happening: 'residual_run_posted',
  postedAfter: (run, { posted }) => ({
    ...posted,
    ...Object.fromEntries(run.planned.map(({ processor }) => [processorKey(processor), run.id])),
  }),
});

/** Reverses a posted run: one statement for each statement of the run, which takes back its lines. */
export const reverseResidualRun = jobOf({
  job: 'reverse_residual_run',
  during: 'reversing',
  kind: 'reversal',
  additionsOf: additionsOfReversal,
  finished: (user, now) => ({ state: 'reversed', reversedAt: now.toISOString(), reversedBy: user }),
  happening: 'residual_run_reversed',
  postedAfter(run, { posted }) {
    const after = { ...posted };
    for (const { processor, previousRunId } of run.planned) {
      if (previousRunId === undefined) delete after[processorKey(processor)];
      else after[processorKey(processor)] = previousRunId;
    }
    return after;
  },
});

async function additionsOfRun(run: StoredRun): Promise<Addition[]> {
  const [compared, adjustments] = await Promise.all([compareTotals(run), runResults.adjustmentsOf(run)]);
  const names = new Map([...compared, ...adjustments].map(({ beneficiary, name }) => [beneficiary, name]));
  return [...names]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([beneficiary, name]) => ({
      ...{ beneficiary, name },
      lines: async () => [
        ...(await differencesOf(run, beneficiary)),
        ...adjustments.filter((line) => line.beneficiary === beneficiary).map(({ name: _, ...line }) => line),
      ],
    }));
}

/** Returns the lines of a beneficiary that differ from the posted results. */
async function differencesOf(run: StoredRun, beneficiary: string): Promise<ResidualLine[]> {
  const [after, before]: [ResidualLine[][], ResidualLine[][]] = [[], []];
  for (const { processor, previousRunId } of run.planned) {
    after.push(await runResults.linesOf(run, processor, beneficiary));
    if (previousRunId === undefined) continue;
    const previous = { accountId: run.accountId, id: previousRunId };
    before.push(await runResults.linesOf(previous, processor, beneficiary));
  }
  return differences(after.flat(), before.flat());
}

async function additionsOfReversal(run: StoredRun): Promise<Addition[]> {
  const found = await residualStatements.findMany(run.accountId, run.statementIds ?? []);
  return found.map((statement) => ({
    beneficiary: `${statement.beneficiary.type}:${statement.beneficiary.id}`,
    name: statement.beneficiaryName,
    reversedId: statement.id,
    lines: async () =>
      recoverable(
        run.accountId,
        (await statementLines.all(statement)).map(({ minor: _, ...line }) => reversed(line)),
      ),
  }));
}

/** Takes back a line. A line that was itself taken back is added again. */
function reversed(line: ExactLine): ExactLine {
  if (isAboutRow(line)) {
    const { takenBack: was, ...rest } = takenBack(line);
    return line.takenBack ? rest : { ...rest, takenBack: was };
  }
  const amount = line.amount === 0 ? 0 : -line.amount;
  return { ...line, amount, takenBack: true };
}

/**
 * Limits the part of advances that a reversal recovers to the outstanding amount. A later month may have recovered an amount
 * that a correction gave back.
 */
async function recoverable(account: AccountId, lines: readonly ExactLine[]): Promise<ExactLine[]> {
  const recovers = (line: ExactLine): line is AdjustmentLine =>
    line.kind === 'advance_recovery' && line.amount < 0;
  const ids = lines.filter(recovers).map(({ adjustmentId }) => adjustmentId);
  if (ids.length === 0) return [...lines];
  const advances = await residualAdjustments.findMany(account, ids);
  return lines.flatMap((line): ExactLine[] => {
    if (!recovers(line)) return [line];
    const { outstanding = 0 } = advances.find(({ id }) => id === line.adjustmentId) ?? {};
    const amount = Math.max(line.amount, Math.min(0, -outstanding));
    return amount === 0 ? [] : [{ ...line, amount }];
  });
}

function jobOf(posting: Posting): Job<RunContent> {
  return async ({ content }, { account }, step) => {
    const run = await residualRuns.find(account, content.id);
    if (run?.state !== posting.during) return { status: 'cancelled' };
    const place: Place = { next: content.next };
    try {
      return await postFrom(place, posting, run, content, step);
    } catch (error) {
      if (step.signal.aborted) throw error;
      const { next } = place;
      // Another run of the beneficiary was faster, or the response of the commit was lost. The next step finds what exists.
      if (error instanceof VersionConflict) return { content: { ...content, next }, again: step.now };
      console.error(`The run ${run.id} of ${account} failed while ${posting.during}:`, error);
      return retryRun(content, next, step) ?? stop(posting, run, content, place, step);
    }
  };
}

/** The place of the next statement of a run, and the beneficiary of the statement that is being posted. */
interface Place {
  next: number;
  name?: string | undefined;
}

/** Runs one step: fixes the ids of the statements, posts some of them, or ends the run. Moves `place` forward. */
async function postFrom(
  place: Place,
  posting: Posting,
  run: StoredRun,
  content: RunContent,
  step: AttemptRun,
): Promise<Result> {
  const additions = await posting.additionsOf(run);
  const { statementIds } = content;
  if (!statementIds)
    return {
      content: { ...content, statementIds: additions.map(() => mintId(step.now)) },
      again: step.now,
    };
  if (content.next >= additions.length) return end(posting, run, content, step);
  const until = Math.min(Date.now() + stepTime, step.deadline - margin);
  do {
    const [addition, id] = [additions[place.next], statementIds[place.next]];
    place.name = addition?.name;
    if (addition && id !== undefined) await postAddition(posting, run, { addition, id, content, step });
    place.next += 1;
  } while (place.next < additions.length && Date.now() < until && !step.signal.aborted);
  return { content: { ...content, next: place.next, failures: 0 }, again: step.now };
}

/** Stops a run. The month remains taken, until a person continues the posting or reversal, or reverses the run. */
function stop(
  { during }: Posting,
  run: StoredRun,
  { statementIds, actor }: RunContent,
  { name }: Place,
  { now }: AttemptRun,
): Result {
  const what = name === undefined ? 'The run' : `The statement of ${name}`;
  const error =
    during === 'posting'
      ? `${what} could not be posted. Post the run again to continue, or reverse it to take back its other statements.`
      : `${what} could not be reversed. Reverse the run again to continue.`;
  const stopped = { during, ...(statementIds && { statementIds }) };
  const after = revise(run, { state: 'stopped', error, stopped }, authoredBy(actor.user, now));
  return { status: 'failed', ownFault: true, writes: residualRuns.replace(run, after) };
}

interface Step {
  addition: Addition;
  id: number;
  content: RunContent;
  step: AttemptRun;
}

/** Posts the statement of a beneficiary. If it exists, or if nothing changes for the beneficiary, writes nothing. */
async function postAddition(
  posting: Posting,
  run: StoredRun,
  { addition, id, content, step }: Step,
): Promise<void> {
  if (await residualStatements.find(run.accountId, id)) return;
  const lines = await addition.lines();
  if (lines.length === 0) return;
  const { beneficiary, name } = addition;
  const source: StatementSource = {
    ...{ id, run, kind: posting.kind, beneficiary, name, currency: statementCurrency, lines },
    ...{ postedAt: step.now.toISOString(), postedBy: content.actor.user },
  };
  await postStatement(posting, { source, reversedId: addition.reversedId }, content, step);
}

/** The states of statements that are not paid. */
const unpaidStates: readonly StoredStatement['state'][] = ['ready', 'approved', 'returned'];

/**
 * Returns the change of a reversed statement that pays an amount. If it is not paid, it is withdrawn, because otherwise it could
 * be paid although its run is reversed. If it is paid, it names its reversal, in case the payment does not arrive.
 */
async function changeOfReversed(
  account: AccountId,
  reversedId: number | undefined,
  reversalId: number,
): Promise<{ before: StoredStatement; revision: Revision<StoredStatement>; withdrawn: number } | undefined> {
  const before = reversedId === undefined ? undefined : await residualStatements.find(account, reversedId);
  if (!before || before.payable <= 0) return undefined;
  if (unpaidStates.includes(before.state))
    return { before, revision: { state: 'withdrawn' }, withdrawn: before.payable };
  return before.state === 'paid' ? { before, revision: { reversalId }, withdrawn: 0 } : undefined;
}

async function postStatement(
  posting: Posting,
  { source, reversedId }: { source: StatementSource; reversedId: number | undefined },
  { actor }: RunContent,
  { now, deadline }: AttemptRun,
): Promise<void> {
  const { run, beneficiary } = source;
  const { accountId: account, month } = run;
  const standing = await readStanding(account, beneficiary, month);
  const reversedOne = await changeOfReversed(account, reversedId, source.id);
  const { statement, lines, sums } = newStatement({ ...source, withdrawn: reversedOne?.withdrawn }, standing);
  await statementLines.put(statement, lines);
  const events = statementHappened('residual_statement_ready', statement).map((draft) =>
    systemEvent(draft, { account, now, schedule: posting.job, actor }),
  );
  const stored: StoredStatement = { ...statement, eventId: events[0]?.id ?? 0 };
  const authored = authoredBy(actor.user, now);
  const writes = [
    ...residualStatements.insert(stored),
    ...(reversedOne
      ? residualStatements.replace(
          reversedOne.before,
          revise(reversedOne.before, reversedOne.revision, authored),
        )
      : []),
    ...standingWrites({ account, beneficiary, month }, standing, sums),
    ...(await adjustmentWrites(account, month, source.lines, authored)),
  ];
  await commit({ writes, events, deadline: deadline - margin / 2 });
}

/** Returns the writes of the adjustments whose lines are on a statement. */
async function adjustmentWrites(
  account: AccountId,
  month: string,
  lines: readonly ExactLine[],
  authored: Parameters<typeof revise>[2],
): Promise<Write[]> {
  const about = lines.filter((line): line is AdjustmentLine => !isAboutRow(line));
  const found = await residualAdjustments.findMany(account, [
    ...new Set(about.map((line) => line.adjustmentId)),
  ]);
  return found.flatMap((before) => {
    let changed: Adjustment = before;
    for (const line of about)
      if (line.adjustmentId === before.id) changed = { ...changed, ...afterLine(changed, line, month) };
    const { state, outstanding, recovered } = changed;
    return residualAdjustments.replace(before, revise(before, { state, outstanding, recovered }, authored));
  });
}

async function end(
  posting: Posting,
  run: StoredRun,
  content: RunContent,
  { now }: AttemptRun,
): Promise<Result> {
  const { accountId: account, month } = run;
  const ids = content.statementIds ?? [];
  const [book, advances, statements] = await Promise.all([
    residualBooks.of(account, month),
    Object.keys(run.adjusted ?? {}).length > 0 ? residualBooks.of(account, advancesBook) : undefined,
    residualStatements.findMany(account, ids),
  ]);
  if (book.busyWith !== run.id) throw new ApiError('residual_run_open');
  const { user } = content.actor;
  const posted = posting.kind === 'posting' && { statementIds: statements.map(({ id }) => id) };
  const after = revise(run, { ...posting.finished(user, now), ...posted }, authoredBy(user, now));
  const events: Event[] = runHappened(posting.happening, after).map((draft) =>
    systemEvent(draft, { account, now, schedule: posting.job, actor: content.actor }),
  );
  const next = { posted: posting.postedAfter(run, book) };
  const writes = [
    ...residualRuns.replace(run, after),
    residualBooks.replace(account, month, book, next),
    ...(advances?.busyWith === run.id
      ? [residualBooks.replace(account, advancesBook, advances, { posted: {} })]
      : []),
  ];
  return { status: 'delivered', writes, events };
}

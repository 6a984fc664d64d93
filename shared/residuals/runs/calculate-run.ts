import { createHash } from 'node:crypto';
import { canonicalJson } from '../../events/canonical.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mids } from '../../sales/mids/store.ts';
import { authoredBy, revise } from '../../table/revise.ts';
import type { Job } from '../../work-queue/jobs.ts';
import type { AttemptResult, AttemptRun } from '../../work-queue/work-handler.ts';
import { adjustmentLine, mostOnStatement, recoveryLines } from '../adjustments/adjust.ts';
import { namesIn } from '../adjustments/named-beneficiaries.ts';
import type { Adjustment } from '../adjustments/schema.ts';
import { residualAdjustments } from '../adjustments/store.ts';
import type { StoredAgreement } from '../agreements/store.ts';
import { residualAgreements } from '../agreements/store.ts';
import { beneficiaryKey } from '../amounts/beneficiary.ts';
import { AmountTooLarge, addMicros, sumMicros } from '../amounts/micros.ts';
import { residualRows } from '../files/store.ts';
import { calculate } from './calculate.ts';
import type { CalculatedRow, Calculation, Transfer } from './calculation.ts';
import type { RunContent } from './create-run.ts';
import { residualsOfMonth } from './month-sums.ts';
import { retryRun } from './retry-run.ts';
import type { RunPart } from './schema.ts';
import {
  type BeneficiaryTotal,
  type NamedAdjustment,
  residualRuns,
  runResults,
  type StoredRun,
} from './store.ts';

/** A step starts no further processor after this many milliseconds. */
const stepTime = 6_000;
/** The most beneficiaries of a run. The ids of their statements are in one item. */
const mostBeneficiaries = 5_000;

/** A run that cannot be calculated. The message is shown with the run. */
class CannotCalculate extends Error {}

type Result = AttemptResult<RunContent>;

/**
 * Runs one step of the calculation of a run: at least one processor, or the end. Each step writes the same items again if it
 * is repeated, and the next step begins only after they are written. After repeated failures, the run has failed.
 */
export const calculateResidualRun: Job<RunContent> = async ({ content }, { account }, step) => {
  const run = await residualRuns.find(account, content.id);
  if (run?.state !== 'calculating') return { status: 'cancelled' };
  let { next } = content;
  const parts = [...(content.parts ?? [])];
  try {
    if (content.next >= run.planned.length) return await end(run, content, step);
    const until = Date.now() + stepTime;
    const source = await readSource(account);
    do {
      const planned = run.planned[next];
      if (planned) parts.push(await calculatePart(run, planned, source));
      next += 1;
    } while (next < run.planned.length && Date.now() < until && !step.signal.aborted);
    return { content: { ...content, next, parts, failures: 0 }, again: step.now };
  } catch (error) {
    if (error instanceof AmountTooLarge || error instanceof CannotCalculate)
      return fail(run, content, step, error.message);
    if (step.signal.aborted) throw error;
    console.error(`The run ${run.id} of ${account} failed while it was calculated:`, error);
    const processor = run.planned[next]?.processor;
    const what = processor === undefined ? 'The run' : `The file of ${processor}`;
    return (
      retryRun({ ...content, parts }, next, step) ??
      fail(run, content, step, `${what} could not be calculated. Create another run to try again.`)
    );
  }
};

function fail(run: StoredRun, { actor }: RunContent, { now }: AttemptRun, error: string): Result {
  const failed = revise(run, { state: 'failed', error }, authoredBy(actor.user, now));
  return { status: 'failed', ownFault: true, writes: residualRuns.replace(run, failed) };
}

/** The agreements and transfers of an account. */
interface Source {
  agreements: StoredAgreement[];
  transfers: Transfer[];
  adjustments: Adjustment[];
}

export async function readSource(account: AccountId): Promise<Source> {
  const [{ agreements }, adjustments] = await Promise.all([
    residualAgreements.all(account),
    residualAdjustments.open(account),
  ]);
  return { agreements, adjustments, transfers: adjustments.flatMap(transferOf) };
}

function transferOf({ kind, id, beneficiary, to, mid, date, by }: Adjustment): Transfer[] {
  if (kind !== 'transfer' || !to || mid === undefined || date === undefined || !by) return [];
  return [{ id, mid, date, by, from: beneficiaryKey(beneficiary), to: beneficiaryKey(to) }];
}

/** Reads the rows of a file. If an agreement is about a merchant, also reads which merchant has each MID. */
export async function readCalculatedRows(
  account: AccountId,
  { processor, fileId }: { processor: string; fileId: number },
  agreements: readonly StoredAgreement[],
): Promise<CalculatedRow[]> {
  const rows: CalculatedRow[] = [];
  for await (const group of residualRows.read({ accountId: account, id: fileId }))
    for (const { place, mid, dba, count, volume, income, net } of group)
      rows.push({ processor, fileId, place, mid, dba, count, volume, income, net });
  if (!agreements.some(({ scope }) => scope.merchantId !== undefined)) return rows;
  const owners = await mids.ownersOf(account, [...new Set(rows.map(({ mid }) => mid))]);
  const byMid = new Map([...owners].flatMap(([id, numbers]) => numbers.map((mid) => [mid, id] as const)));
  return rows.map((row) => ({ ...row, merchantId: byMid.get(row.mid.toUpperCase()) }));
}

async function calculatePart(
  run: StoredRun,
  planned: StoredRun['planned'][number],
  source: Source,
): Promise<RunPart> {
  const rows = await readCalculatedRows(run.accountId, planned, source.agreements);
  const { agreements, transfers } = source;
  const result = calculate({ month: run.month, rows, agreements, transfers });
  const totals = totalsOf(result, namesIn(source));
  if (totals.length > mostBeneficiaries)
    throw new CannotCalculate(`A run can have at most ${mostBeneficiaries} beneficiaries.`);
  await runResults.put(run, planned.processor, result.lines, totals);
  const { net, shares, house, withoutAgreement, withoutBase } = result;
  return {
    ...planned,
    ...{ rows: result.rows, lines: result.lines.length, withoutAgreement, withoutBase, net, shares, house },
    sha256: hashOfResult(result.lines),
  };
}

function totalsOf(
  { lines, byBeneficiary }: Calculation,
  names: Readonly<Record<string, string>>,
): BeneficiaryTotal[] {
  const counts = new Map<string, number>();
  for (const { beneficiary } of lines) counts.set(beneficiary, (counts.get(beneficiary) ?? 0) + 1);
  return [...counts].map(([beneficiary, count]) => ({
    ...{ beneficiary, name: names[beneficiary] ?? beneficiary },
    ...{ amount: byBeneficiary.get(beneficiary) ?? 0, lines: count },
  }));
}

/** Returns the SHA-256 of lines: each as canonical JSON, followed by a line feed. */
function hashOfResult(lines: readonly object[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${canonicalJson(line)}\n`);
  return hash.digest('hex');
}

/** The shares of each beneficiary before and after a run. */
interface Compared {
  beneficiary: string;
  name: string;
  before: number;
  after: number;
}

/** Compares the result of a run with the posted results that it corrects, for each beneficiary, sorted. */
export async function compareTotals(run: StoredRun): Promise<Compared[]> {
  const all = new Map<string, Compared>();
  const add = (field: 'before' | 'after', totals: readonly BeneficiaryTotal[]) => {
    for (const { beneficiary, name, amount } of totals) {
      const one = all.get(beneficiary) ?? { beneficiary, name, before: 0, after: 0 };
      all.set(beneficiary, { ...one, [field]: addMicros(one[field], amount) });
    }
  };
  for (const { processor, previousRunId } of run.planned) {
    if (previousRunId !== undefined)
      add('before', await runResults.totalsOf({ accountId: run.accountId, id: previousRunId }, processor));
    add('after', await runResults.totalsOf(run, processor));
  }
  return [...all.values()].sort((one, other) => (one.beneficiary < other.beneficiary ? -1 : 1));
}

async function end(run: StoredRun, content: RunContent, { now }: AttemptRun): Promise<Result> {
  const parts = content.parts ?? [];
  const [compared, source] = await Promise.all([compareTotals(run), readSource(run.accountId)]);
  const lines = await linesOfAdjustments(run, compared, source);
  await runResults.putAdjustments(run, lines);
  const versions = new Map(source.adjustments.map(({ id, version }) => [id, version]));
  const adjustments = sumMicros(lines.map(({ amount }) => amount));
  const shares = sumMicros(parts.map((part) => part.shares));
  const before = sumMicros(compared.map((one) => one.before));
  const beneficiaries = new Set([...compared, ...lines].map(({ beneficiary }) => beneficiary));
  if (beneficiaries.size > mostBeneficiaries)
    throw new CannotCalculate(`A run can have at most ${mostBeneficiaries} beneficiaries.`);
  const result = {
    parts,
    ...{
      net: sumMicros(parts.map(({ net }) => net)),
      shares,
      house: sumMicros(parts.map(({ house }) => house)),
    },
    ...{ adjustments, difference: sumMicros([shares, -before, adjustments]) },
    beneficiaryCount: beneficiaries.size,
  };
  const sha256 = createHash('sha256')
    .update(canonicalJson({ month: run.month, ...result, lines }))
    .digest('hex');
  const adjusted = Object.fromEntries(
    lines.map(({ adjustmentId }) => [adjustmentId, versions.get(adjustmentId) ?? 0]),
  );
  const after = revise(
    run,
    { ...result, sha256, adjusted, state: 'preview' },
    authoredBy(content.actor.user, now),
  );
  return { status: 'delivered', writes: residualRuns.replace(run, after) };
}

/** Returns the lines of all adjustments that a run adds to statements, sorted by beneficiary. */
async function linesOfAdjustments(
  run: StoredRun,
  compared: readonly Compared[],
  { adjustments }: Source,
): Promise<NamedAdjustment[]> {
  const named = [...new Set(adjustments.map((one) => beneficiaryKey(one.beneficiary)))].sort();
  const lines: NamedAdjustment[] = [];
  for (const beneficiary of named) {
    const own = adjustments.filter((one) => beneficiaryKey(one.beneficiary) === beneficiary);
    const name = own.find(({ names }) => names[beneficiary])?.names[beneficiary] ?? beneficiary;
    const opened = own
      .filter(({ month, state }) => month === run.month && state === 'open')
      .flatMap(adjustmentLine)
      .slice(0, mostOnStatement.adjustments);
    const advances = own
      .filter(({ kind, state, month }) => kind === 'advance' && state === 'used' && month < run.month)
      // Those that were recovered in other months would take the places of newer ones.
      .filter(({ outstanding, recovered }) => outstanding || recovered?.[run.month])
      .slice(0, mostOnStatement.advances);
    const { before = 0, after = 0 } = compared.find((one) => one.beneficiary === beneficiary) ?? {};
    const posted = advances.length > 0 ? await residualsOfMonth(run.accountId, beneficiary, run.month) : 0;
    const recovered = recoveryLines(advances, run.month, sumMicros([posted, after, -before]));
    lines.push(...[...opened, ...recovered].map((line) => ({ ...line, name })));
  }
  return lines;
}

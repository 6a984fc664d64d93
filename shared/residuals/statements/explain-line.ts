import { decimalOf } from '../../billing/currencies.ts';
import { ApiError } from '../../errors.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { AdjustmentLine } from '../adjustments/adjust.ts';
import { residualAgreements } from '../agreements/store.ts';
import { allPoints } from '../amounts/exact.ts';
import type { Micros } from '../amounts/micros.ts';
import { decimalOfMicros } from '../amounts/micros.ts';
import type { ResidualRow } from '../files/residual-row.ts';
import { residualFiles, residualRows } from '../files/store.ts';
import type { ResidualLine } from '../runs/calculation.ts';
import type { LineExplanation } from './explain-schema.ts';
import { microsPerMinor } from './round-lines.ts';
import type { StoredStatement } from './schema.ts';
import { isAboutRow, kindTexts, type StoredLine, showLine, statementLines } from './stored-lines.ts';

type Steps = LineExplanation['steps'];
type StepName = Steps[number]['step'];

const percent = (basisPoints: number): string => `${basisPoints / 100} %`;
const stepOf = (step: StepName, text: string, result: Micros): Steps[number] => ({ step, text, result });

/**
 * Explains a line of a statement: the file, the row, the version of the agreement, each step of the calculation, and the
 * rounding. It contains only the values of the row that enter the amount. Throws `not_found`.
 */
export async function explainLine(statement: StoredStatement, number: number): Promise<LineExplanation> {
  const line = await statementLines.at(statement, number);
  if (!line) throw new ApiError('not_found', { message: `This statement has no line ${number}.` });
  const source = isAboutRow(line) ? await readSource(statement, line) : { adjustmentId: line.adjustmentId };
  return {
    line: showLine(line, number),
    ...source,
    steps: [
      ...(isAboutRow(line) ? stepsOfShare(line) : stepsOfAdjustment(line)),
      ...lastSteps(line, statement),
    ],
    rounding: roundingOf(line, statement),
  };
}

async function readSource(
  { accountId }: StoredStatement,
  line: ResidualLine,
): Promise<Pick<LineExplanation, 'file' | 'row' | 'agreement'>> {
  const { fileId, place, agreementId, agreementVersion } = line;
  const [file, row, agreement] = await inParallel([
    residualFiles.find(accountId, fileId),
    residualRows.at({ accountId, id: fileId }, place),
    residualAgreements.find(accountId, agreementId),
  ]);
  const terms = agreement?.versions.find(({ version }) => version === agreementVersion);
  return {
    ...(file && {
      file: {
        ...{ id: fileId, processor: file.processor, month: file.month, fileName: file.fileName },
        ...(file.fileVersion !== undefined && { fileVersion: file.fileVersion }),
        sha256: file.sha256,
      },
    }),
    ...(row && { row: rowOf(row, line) }),
    agreement: { id: agreementId, version: agreementVersion, validFrom: terms?.validFrom ?? '' },
  };
}

/** The values of a row on which each kind of share is based. */
const valuesOf = {
  net: ['net'],
  net_after_costs: ['net', 'count', 'volume'],
  income: ['income'],
  volume: ['volume'],
  items: ['count'],
} as const;

function rowOf(row: ResidualRow, { of }: ResidualLine): NonNullable<LineExplanation['row']> {
  const { place, sheet, sheetRow, mid, dba } = row;
  const values = valuesOf[of].flatMap((name) =>
    row[name] === undefined ? [] : [[name, row[name]] as const],
  );
  return {
    place,
    ...(sheet !== undefined && { sheet }),
    ...(sheetRow !== undefined && { sheetRow }),
    mid,
    ...(dba !== undefined && { dba }),
    values: Object.fromEntries(values),
  };
}

const baseNames = {
  net: 'net amount',
  net_after_costs: 'net amount after costs',
  income: 'income',
  volume: 'volume',
  items: 'amount for the transactions',
} as const;

/** The steps from the row to the amount, before transfers. */
function stepsOfShare(line: ResidualLine): Steps {
  const { kind, base, of, costs, basisPoints, count, amountPerItem, tierTotal, hasEnded } = line;
  if (kind === 'limit') return stepsOfLimit(line);
  const whole = wholeOf(line);
  const steps: Steps = [];
  if (costs !== undefined) {
    const net = base + costs;
    steps.push(stepOf('base', `Net amount of the row: ${decimalOfMicros(net)}`, net));
    steps.push(
      stepOf(
        'costs',
        `${decimalOfMicros(net)} − costs of ${decimalOfMicros(costs)} = ${decimalOfMicros(base)}`,
        base,
      ),
    );
  } else if (of === 'items')
    steps.push(
      stepOf(
        'items',
        `${count ?? 0} × ${decimalOfMicros(amountPerItem ?? 0)} = ${decimalOfMicros(base)}`,
        base,
      ),
    );
  else steps.push(stepOf('base', `The ${baseNames[of]} of the row: ${decimalOfMicros(base)}`, base));
  if (tierTotal !== undefined)
    steps.push(
      stepOf(
        'tier',
        `The total of ${decimalOfMicros(tierTotal)} selects ${percent(basisPoints ?? 0)}`,
        tierTotal,
      ),
    );
  if (basisPoints !== undefined) {
    const rule = hasEnded ? 'share after the end of the agreement, ' : '';
    const isExact = (BigInt(base) * BigInt(basisPoints)) % BigInt(allPoints) === 0n;
    const cut = isExact ? '' : ', without parts of a millionth';
    const text = `${rule}${decimalOfMicros(base)} × ${percent(basisPoints)} = ${decimalOfMicros(whole)}${cut}`;
    steps.push(stepOf('share', text, whole));
  }
  return steps;
}

/** The amount before a transfer divides it, and before it is taken back. */
const wholeOf = ({ whole, amount, takenBack }: ResidualLine): Micros =>
  whole ?? (takenBack ? -amount : amount);

function stepsOfLimit(line: ResidualLine): Steps {
  const { sum = 0, minimum, cap } = line;
  const whole = wholeOf(line);
  const isCapped = cap !== undefined && Math.abs(sum) > cap;
  const limit = isCapped ? cap : (minimum ?? 0);
  const name = isCapped ? 'cap' : 'minimum';
  return [
    stepOf('sum', `The shares of the MID in the month: ${decimalOfMicros(sum)}`, sum),
    stepOf(
      name,
      `The ${name} of ${decimalOfMicros(limit)}: a difference of ${decimalOfMicros(whole)}`,
      whole,
    ),
  ];
}

function stepsOfAdjustment({ kind, base, basisPoints, outstanding, amount }: AdjustmentLine): Steps {
  const name = kindTexts[kind];
  const part = base !== undefined && basisPoints !== undefined;
  const of = kind === 'advance_recovery' ? 'of the shares of the month' : 'of the loss';
  const rest =
    outstanding === undefined ? '' : `, of an outstanding amount of ${decimalOfMicros(outstanding)}`;
  const text = part
    ? `${name}: at most ${percent(basisPoints)} ${of} of ${decimalOfMicros(base)}${rest}`
    : name;
  return [stepOf('adjustment', text, amount)];
}

function lastSteps(line: StoredLine, { currency }: StoredStatement): Steps {
  const steps: Steps = [];
  if (isAboutRow(line) && line.days) {
    const { from, to, of } = line.days;
    const part = line.takenBack ? -line.amount : line.amount;
    const text = `Transfer: the days ${from} to ${to} of ${of}, ${decimalOfMicros(line.whole ?? 0)} × ${to - from + 1} / ${of} = ${decimalOfMicros(part)}`;
    steps.push(stepOf('days', text, part));
  }
  if (line.takenBack && isAboutRow(line))
    steps.push(
      stepOf(
        'taken_back',
        `The line of an earlier statement is taken back: ${decimalOfMicros(line.amount)}`,
        line.amount,
      ),
    );
  steps.push(stepOf('rounding', roundingText(line, currency), line.minor * microsPerMinor(currency)));
  return steps;
}

/** Explains the rounding of a line by `roundLines`. */
function roundingText({ amount, minor }: StoredLine, currency: string): string {
  const exact = decimalOfMicros(amount);
  const cut = Math.trunc(amount / microsPerMinor(currency)) + 0;
  if (minor * microsPerMinor(currency) === amount) return `${exact} needs no rounding`;
  const cutText = `${exact} is cut to ${decimalOf(cut, currency)}`;
  if (minor === cut) return cutText;
  const cents = Math.abs(minor - cut);
  const missing = cents === 1 ? 'a missing cent' : `${cents} missing cents`;
  return `${cutText}. With ${missing} of the total, it is ${decimalOf(minor, currency)}`;
}

const roundingOf = (
  { amount, minor }: StoredLine,
  { currency }: StoredStatement,
): LineExplanation['rounding'] => ({
  exact: amount,
  amount: minor,
  difference: minor * microsPerMinor(currency) - amount,
  rule: 'All lines are cut to cents. The cents that are missing in the total go to the lines with the largest remainders, and for equal remainders in the order of the MIDs.',
});

import { createHash } from 'node:crypto';
import { canonicalJson } from '../../events/canonical.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import { beneficiaryIn } from '../amounts/beneficiary.ts';
import { addMicros, sumMicros } from '../amounts/micros.ts';
import type { MonthSums, Owed, Standing } from '../runs/month-sums.ts';
import type { StoredRun } from '../runs/store.ts';
import { roundLines, roundMinor } from './round-lines.ts';
import type { StatementDocument, StoredStatement } from './schema.ts';
import { type ExactLine, hashOfLines, isAboutRow, type StoredLine } from './stored-lines.ts';

/** What a new statement is made of. */
export interface StatementSource {
  id: number;
  run: StoredRun;
  kind: StatementDocument['kind'];
  beneficiary: string;
  name: string;
  currency: string;
  lines: readonly ExactLine[];
  /** What an earlier statement would have paid, and is not paid any more. */
  withdrawn?: number;
  postedAt: string;
  postedBy: string;
}

/** A statement, its lines, and the sums of the beneficiary after it. */
interface NewStatement {
  statement: Omit<StoredStatement, 'eventId'>;
  lines: StoredLine[];
  sums: { month: MonthSums; owed: Owed };
}

/** The text by which equal remainders are ordered. It does not depend on the place of a row. */
const orderOf = (line: ExactLine): string =>
  isAboutRow(line)
    ? `${line.mid} ${line.processor} ${line.kind} ${line.level}`
    : `~ ${line.kind} ${line.adjustmentId}`;

/** Returns the lines with their amounts in the smallest unit of the currency, which are together `total`. */
export function roundedLines(lines: readonly ExactLine[], total: number, currency: string): StoredLine[] {
  const exact = lines.map((line) => ({ amount: line.amount, order: orderOf(line) }));
  const minors = roundLines(exact, total, currency);
  return lines.map((line, n) => ({ ...line, minor: minors[n] ?? 0 }));
}

/**
 * Returns a statement. Its total is the rounded sum of all lines of the month, minus the totals of earlier statements of the
 * month. So the statements of a corrected month are together what one statement would have been. A negative balance is
 * carried forward to the next statement. What an earlier statement does not pay any more reduces what is taken back.
 */
export function newStatement(source: StatementSource, standing: Standing): NewStatement {
  const { id, run, kind, beneficiary, name, currency, lines: exactLines, postedAt, postedBy } = source;
  const { withdrawn = 0 } = source;
  const exact = sumMicros(exactLines.map(({ amount }) => amount));
  const residuals = sumMicros(exactLines.filter(isAboutRow).map(({ amount }) => amount));
  const monthExact = addMicros(standing.month.exact, exact);
  const total = roundMinor(monthExact, currency) - standing.month.minor;
  const lines = roundedLines(exactLines, total, currency);
  const balanceBefore = standing.owed.balance;
  const sum = sumMicros([balanceBefore, total, withdrawn]);
  const document: StatementDocument = {
    ...{ id, accountId: run.accountId, beneficiary: beneficiaryIn(beneficiary), beneficiaryName: name },
    ...{ month: run.month, runId: run.id, kind, currency, postedAt },
    ...{ lineCount: lines.length, linesSha256: hashOfLines(lines) },
    ...{ total, balanceBefore, withdrawn, payable: Math.max(0, sum), balanceAfter: Math.min(0, sum) },
  };
  const stamps = { version: 1, createdAt: postedAt, updatedAt: postedAt, createdBy: postedBy };
  return {
    statement: { ...document, sha256: sha256Of(document), state: 'ready', ...stamps },
    lines,
    sums: {
      month: {
        exact: monthExact,
        residuals: addMicros(standing.month.residuals, residuals),
        minor: addMicros(standing.month.minor, total),
      },
      owed: { balance: document.balanceAfter },
    },
  };
}

const sha256Of = (document: StatementDocument): string =>
  createHash('sha256').update(canonicalJson(document)).digest('hex');

/** Returns the parts of a statement that never change. */
export function documentOf(statement: StoredStatement): StatementDocument {
  const {
    sha256,
    version,
    state,
    createdAt,
    createdBy,
    updatedAt,
    updatedBy,
    eventId,
    payoutId,
    reversalId,
    ...document
  } = statement;
  return document;
}

/** Returns the event of a new or approved statement. */
export const statementHappened = (
  happening: 'residual_statement_ready' | 'residual_statement_approved',
  statement: Omit<StoredStatement, 'eventId'>,
): EventDraft[] => {
  const { accountId, beneficiary, month, currency, total, payable, sha256 } = statement;
  return unnamedChange(accountId, happening, statement, {
    ...{ beneficiaryType: beneficiary.type, beneficiaryId: beneficiary.id, month },
    ...{ currency, total, payable, sha256 },
  });
};

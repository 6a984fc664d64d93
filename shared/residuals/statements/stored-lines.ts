import { createHash } from 'node:crypto';
import { busy } from '../../errors.ts';
import { canonicalJson } from '../../events/canonical.ts';
import type { AccountId } from '../../id/account-id.ts';
import { putAll } from '../../table/batch-write.ts';
import { getItem, queryItems } from '../../table/read.ts';
import type { AdjustmentLine } from '../adjustments/adjust.ts';
import { inParts, linesPerItem, packed, unpacked } from '../amounts/pack-lines.ts';
import type { ResidualLine } from '../runs/calculation.ts';
import { statementLinesKey, statementLinesPartition, statementLinesRange } from './keys.ts';
import type { StatementLine } from './schema.ts';

/** A line of a statement before the rounding. */
export type ExactLine = ResidualLine | AdjustmentLine;

/** A line of a statement as stored. */
export type StoredLine = ExactLine & { minor: number };

/** Reports whether a line is about a row of a file. */
export const isAboutRow = <L extends ExactLine>(line: L): line is L & ResidualLine => 'fileId' in line;

/** The kinds of lines as texts. */
export const kindTexts = {
  share: 'Share',
  override: 'Override',
  limit: 'Minimum or cap',
  bonus: 'Bonus',
  fee: 'Fee',
  clawback: 'Clawback',
  chargeback_loss: 'Loss by a chargeback',
  advance: 'Advance',
  advance_recovery: 'Recovery of an advance',
} as const;

interface Lines {
  accountId: AccountId;
  id: number;
  linesSha256: string;
}

/** The lines of statements. They are written before the statement, and never change. */
export const statementLines = {
  /** A repeated call writes the same items. */
  async put(statement: Lines, lines: readonly StoredLine[]): Promise<void> {
    const items = inParts(lines).map((part, n) => ({
      ...{ ...statementLinesKey(statement, n), type: 'residual-lines' },
      ...{ statementId: statement.id, packed: packed(part) },
    }));
    if ((await putAll(items)).length > 0) throw busy('UnprocessedItems');
  },

  /** Returns all lines, in their order. */
  async all(statement: Lines): Promise<StoredLine[]> {
    const items = await queryItems({
      partition: statementLinesPartition(statement),
      sortKey: statementLinesRange(statement),
    });
    return items.flatMap((item) => unpacked<StoredLine>(item.packed));
  },

  /** Returns the lines of one item, from 0. The lines after the last one are empty. */
  async part(statement: Lines, part: number): Promise<StoredLine[]> {
    const item = await getItem(statementLinesKey(statement, part));
    return item ? unpacked<StoredLine>(item.packed) : [];
  },

  /** Returns the first lines, at least `count` of them if there are as many. */
  async first(statement: Lines & { lineCount: number }, count: number): Promise<StoredLine[]> {
    const lines: StoredLine[] = [];
    for (let n = 0; n < Math.min(count, statement.lineCount); n += linesPerItem)
      for (const line of await this.part(statement, n / linesPerItem)) lines.push(line);
    return lines;
  },

  /** Returns a line by its number, from 1. */
  async at(statement: Lines, line: number): Promise<StoredLine | undefined> {
    return (await this.part(statement, Math.floor((line - 1) / linesPerItem)))[(line - 1) % linesPerItem];
  },
};

/** Returns a line as its beneficiary sees it. `id` is its number. */
export function showLine(line: StoredLine, id: number): StatementLine {
  const { kind, mid, takenBack, amount, minor } = line;
  return {
    ...{ id, kind },
    ...(takenBack && { corrects: 'taken_back' as const }),
    ...(mid !== undefined && { mid }),
    ...(isAboutRow(line)
      ? { ...(line.dba !== undefined && { dba: line.dba }), processor: line.processor }
      : line.reason !== undefined && { reason: line.reason }),
    ...{ amount: minor, exact: amount },
  };
}

/** Returns the hash of the shown lines: each as canonical JSON, followed by a line feed. */
export function hashOfLines(lines: readonly StoredLine[]): string {
  const hash = createHash('sha256');
  for (const [n, line] of lines.entries()) hash.update(`${canonicalJson(showLine(line, n + 1))}\n`);
  return hash.digest('hex');
}

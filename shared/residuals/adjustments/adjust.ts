import { beneficiaryKey } from '../amounts/beneficiary.ts';
import { allPoints, negated, pointsOf } from '../amounts/exact.ts';
import { addMicros, type Micros, sumMicros } from '../amounts/micros.ts';
import type { Adjustment, AdjustmentKind } from './schema.ts';

/** A line of a statement that is about no row of a file. */
export interface AdjustmentLine {
  kind: Exclude<AdjustmentKind, 'transfer'> | 'advance_recovery';
  beneficiary: string;
  adjustmentId: number;
  mid?: string;
  reason?: string;
  /** The part of the loss, or the largest part of the residuals. */
  basisPoints?: number;
  /** The loss, or the residuals of the month. */
  base?: Micros;
  /** The part of an advance that was not recovered before. */
  outstanding?: Micros;
  amount: Micros;
  takenBack?: true;
}

/**
 * At most this many new adjustments of a beneficiary are on one statement, and recover at most this many advances. The next
 * run has the others. A statement and all changed adjustments, of two items each, are one transaction of at most 100 items.
 */
export const mostOnStatement = { adjustments: 25, advances: 15 };

const signs = { bonus: 1, advance: 1, fee: -1, clawback: -1, chargeback_loss: -1 } as const;

/** Returns the line of an adjustment that is on no statement yet. */
export function adjustmentLine(adjustment: Adjustment): AdjustmentLine[] {
  const { id, kind, beneficiary, mid, reason, amount = 0, basisPoints } = adjustment;
  if (kind === 'transfer') return [];
  const isLoss = kind === 'chargeback_loss';
  const size = isLoss ? pointsOf(amount, basisPoints ?? allPoints) : amount;
  return [
    {
      ...{ kind, beneficiary: beneficiaryKey(beneficiary), adjustmentId: id },
      ...(mid !== undefined && { mid }),
      ...(reason !== undefined && { reason }),
      ...(isLoss && { base: amount, basisPoints: basisPoints ?? allPoints }),
      amount: signs[kind] > 0 ? size : negated(size),
    },
  ];
}

/**
 * Returns the lines that recover advances in a month. `residuals` are the shares of the month after the run, of which each
 * advance takes at most its part, the oldest first, and together at most all. What was recovered in the month before is
 * counted, so that a later run of the month recovers only the difference.
 */
export function recoveryLines(
  advances: readonly Adjustment[],
  month: string,
  residuals: Micros,
): AdjustmentLine[] {
  let rest = Math.max(0, residuals);
  return advances.flatMap((advance) => {
    const { id, beneficiary, reason, basisPoints = allPoints, outstanding = 0, recovered = {} } = advance;
    const before = recovered[month] ?? 0;
    const most = Math.min(pointsOf(Math.max(0, residuals), basisPoints), rest);
    const target = Math.min(addMicros(outstanding, before), most);
    rest -= target;
    const difference = target - before;
    if (difference === 0) return [];
    return [
      {
        ...{ kind: 'advance_recovery' as const, beneficiary: beneficiaryKey(beneficiary), adjustmentId: id },
        ...(reason !== undefined && { reason }),
        ...{ basisPoints, base: residuals, outstanding: addMicros(outstanding, before) },
        amount: negated(difference),
      },
    ];
  });
}

/** Returns an adjustment after a line with it was posted, or taken back. */
export function afterLine(adjustment: Adjustment, line: AdjustmentLine, month: string): Partial<Adjustment> {
  const { outstanding = 0, recovered = {}, amount = 0 } = adjustment;
  if (line.kind === 'advance_recovery') {
    // The line subtracts from the statement what it recovers.
    const sum = addMicros(recovered[month] ?? 0, negated(line.amount));
    return { outstanding: addMicros(outstanding, line.amount), recovered: { ...recovered, [month]: sum } };
  }
  if (line.takenBack) return { state: 'open', ...(line.kind === 'advance' && { outstanding: 0 }) };
  const rest = addMicros(amount, negated(sumMicros(Object.values(recovered))));
  return { state: 'used', ...(line.kind === 'advance' && { outstanding: rest }) };
}

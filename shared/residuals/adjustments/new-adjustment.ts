import { ApiError, type FieldError } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { AccountId } from '../../id/account-id.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import { nameBeneficiaries } from '../agreements/name-beneficiaries.ts';
import { beneficiaryKey } from '../amounts/beneficiary.ts';
import { readNamedBeneficiaries } from './named-beneficiaries.ts';
import type { Adjustment, AdjustmentInput, AdjustmentKind } from './schema.ts';

type Optional = 'amount' | 'basisPoints' | 'mid' | 'to' | 'date' | 'by';

/** For each kind: the fields that a request must have, and those that it may have. */
const fieldsOf: Record<AdjustmentKind, { needs: readonly Optional[]; may: readonly Optional[] }> = {
  bonus: { needs: ['amount'], may: ['mid'] },
  fee: { needs: ['amount'], may: ['mid'] },
  clawback: { needs: ['amount'], may: ['mid'] },
  chargeback_loss: { needs: ['amount'], may: ['mid', 'basisPoints'] },
  advance: { needs: ['amount'], may: ['basisPoints'] },
  transfer: { needs: ['mid', 'to', 'date', 'by'], may: [] },
};

/** Throws `invalid_input` with all faults of an adjustment. */
export function checkAdjustment(input: AdjustmentInput): void {
  const { kind, month, beneficiary, to, date } = input;
  const { needs, may } = fieldsOf[kind];
  const all: readonly Optional[] = ['amount', 'basisPoints', 'mid', 'to', 'date', 'by'];
  const details: FieldError[] = [
    ...needs
      .filter((field) => input[field] === undefined)
      .map((field) => ({ field, message: `is required for the kind ${kind}` })),
    ...all
      .filter((field) => input[field] !== undefined && !needs.includes(field) && !may.includes(field))
      .map((field) => ({ field, message: `is not allowed with the kind ${kind}` })),
  ];
  if (kind === 'transfer' && date !== undefined && date.slice(0, 7) !== month)
    details.push({ field: 'date', message: 'must be in the month' });
  if (to && beneficiaryKey(to) === beneficiaryKey(beneficiary))
    details.push({ field: 'to', message: 'must differ from beneficiary' });
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

/**
 * Returns the names of the beneficiaries of an adjustment. Only `beneficiary` may have left the account. Throws
 * `beneficiary_unknown`.
 */
export const readAdjusted = (account: AccountId, { beneficiary, to }: AdjustmentInput) =>
  nameBeneficiaries(
    account,
    new Map([['beneficiary', beneficiary], ...(to ? [['to', to] as const] : [])]),
    async (field) => (field === 'beneficiary' ? readNamedBeneficiaries(account) : {}),
  );

export const newAdjustment = (
  request: Authored & { account: AccountId },
  input: AdjustmentInput,
  names: Record<string, string>,
): Adjustment => ({ ...newRecord(request), ...input, names, state: 'open' });

/** Returns the event of a new or deleted adjustment. */
export const adjustmentHappened = (
  happening: 'residual_adjustment_created' | 'residual_adjustment_deleted',
  adjustment: Adjustment,
): EventDraft[] => {
  const { accountId, kind, beneficiary, month, reason } = adjustment;
  return unnamedChange(accountId, happening, adjustment, {
    ...{ kind, beneficiaryType: beneficiary.type, beneficiaryId: beneficiary.id, month },
    ...(reason !== undefined && { reason }),
  });
};

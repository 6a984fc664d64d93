import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { StoredAgreement } from './store.ts';

/** Returns the event of a new or changed agreement. */
export function agreementHappened(
  happening: 'residual_agreement_created' | 'residual_agreement_updated',
  agreement: StoredAgreement,
): EventDraft[] {
  const { accountId, beneficiary, version, versions } = agreement;
  return unnamedChange(accountId, happening, agreement, {
    beneficiaryType: beneficiary.type,
    beneficiaryId: beneficiary.id,
    agreementVersion: version,
    validFrom: versions.at(-1)?.validFrom ?? '',
  });
}

import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { Happening } from '../../resources/registry.ts';
import type { StoredPayoutAccount } from './store.ts';

/** Returns the event of a change of a payout account. It contains no numbers of the bank account. */
export const payoutAccountChanged = (
  happening: Extract<Happening, `payout_account_${string}`>,
  { accountId, listId, beneficiary }: StoredPayoutAccount,
): EventDraft[] =>
  unnamedChange(
    accountId,
    happening,
    { id: listId },
    { beneficiaryType: beneficiary.type, beneficiaryId: beneficiary.id },
  );

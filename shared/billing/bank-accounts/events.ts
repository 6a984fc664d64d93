import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { Happening } from '../../resources/registry.ts';
import type { StoredBankAccount } from './store.ts';

/** Returns the event of a change of a bank account. */
export const bankAccountChanged = (
  happening: Extract<Happening, `bank_account_${string}`>,
  { accountId, listId, id, name, currency }: StoredBankAccount,
): EventDraft[] => unnamedChange(accountId, happening, { id: listId }, { name, bankAccount: id, currency });

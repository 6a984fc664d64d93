import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import { refuseCardNumbers } from '../../security/card-numbers.ts';
import { newStamps } from '../../table/record-fields.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { bankAccountChanged } from './events.ts';
import type { BankAccountInput } from './schema.ts';
import { bankAccounts, type StoredBankAccount, showBankAccount } from './store.ts';

interface BankAccountRequest extends Authored {
  account: AccountId;
  params: { id: string };
  body: BankAccountInput;
}

/** Creates a bank account, or replaces all its fields. Throws `invalid_input` for the number of a payment card. */
export function saveBankAccount(request: BankAccountRequest, before: StoredBankAccount | undefined) {
  const { params, body } = request;
  const { description = [], ...columns } = body.columns ?? {};
  refuseCardNumbers({
    id: params.id,
    name: body.name,
    columns: [...Object.values(columns), ...description].join('\n'),
  });
  if (before) {
    const after = revise(before, { columns: null, dates: null, decimals: null, ...body }, request);
    return {
      response: showBankAccount(after),
      writes: bankAccounts.replace(before, after),
      events: before === after ? [] : bankAccountChanged('bank_account_updated', after),
    };
  }
  const listId = mintId(request.now);
  const { name, currency, dates, decimals } = body;
  const bankAccount: StoredBankAccount = {
    ...{ ...newStamps(request), id: params.id, listId, name, currency },
    ...(dates && { dates }),
    ...(decimals && { decimals }),
    ...(body.columns && { columns: body.columns }),
  };
  return {
    response: showBankAccount(bankAccount),
    writes: bankAccounts.insert(bankAccount),
    events: bankAccountChanged('bank_account_created', bankAccount),
  };
}

import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import { last4Of } from '../../sales/merchants/sensitive-values.ts';
import { routingFaults } from '../../sales/value-checks/formats.ts';
import { valueMessages } from '../../sales/value-checks/messages.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import { encryptValues } from '../../security/encrypt-values.ts';
import type { Encrypted } from '../../security/encrypted-value.ts';
import { REDACTED } from '../../security/merge-fields.ts';
import { newStamps } from '../../table/record-fields.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { beneficiaryIn } from '../amounts/beneficiary.ts';
import { achText, isAchAccountNumber } from '../nacha/fields.ts';
import { payoutAccountChanged } from './events.ts';
import type { PayoutAccountInput } from './schema.ts';
import {
  payoutAccounts,
  placeInPayoutAccount,
  type StoredPayoutAccount,
  showPayoutAccount,
} from './store.ts';

interface PayoutAccountRequest extends Authored {
  account: AccountId;
  params: { id: string };
  body: PayoutAccountInput;
  dataKeys(): Promise<DataKeys>;
}

/**
 * Creates the bank account of a beneficiary, or replaces all its fields. REDACTED keeps the stored account number. `mayRead`
 * is whether the caller may reveal it. Throws `invalid_input` for values that no NACHA file can contain.
 */
export async function savePayoutAccount(
  request: PayoutAccountRequest,
  before: StoredPayoutAccount | undefined,
  mayRead: boolean,
) {
  const { params, body, now } = request;
  const { accountNumber: sent, ...fields } = body;
  checkBank(body, before);
  const place = { accountId: request.account, id: params.id };
  const accountNumber =
    sent === REDACTED ? before?.accountNumber : await encrypted(request, sent.trim(), place, before, mayRead);
  if (!accountNumber) throw invalid('accountNumber', 'cannot be REDACTED: no value is stored yet');
  if (before) {
    const after = revise(before, { ...fields, accountNumber }, request);
    return {
      response: showPayoutAccount(after),
      writes: payoutAccounts.replace(before, after),
      events: before === after ? [] : payoutAccountChanged('payout_account_updated', after),
    };
  }
  const created: StoredPayoutAccount = {
    ...newStamps(request),
    ...{ id: params.id, listId: mintId(now), beneficiary: beneficiaryIn(params.id) },
    ...fields,
    accountNumber,
  };
  return {
    response: showPayoutAccount(created),
    writes: payoutAccounts.insert(created),
    events: payoutAccountChanged('payout_account_created', created),
  };
}

function checkBank(
  { routingNumber, accountNumber, holderName }: PayoutAccountInput,
  before: StoredPayoutAccount | undefined,
): void {
  const [fault] = routingFaults(routingNumber);
  if (fault) throw invalid('routingNumber', valueMessages[fault]);
  if (accountNumber !== REDACTED && !isAchAccountNumber(accountNumber.trim()))
    throw invalid(
      'accountNumber',
      'must have at most 17 digits, letters and hyphens, and at least one digit',
    );
  if (before === undefined && accountNumber === REDACTED)
    throw invalid('accountNumber', 'cannot be REDACTED: no value is stored yet');
  if (!/[A-Z0-9]/.test(achText(holderName)))
    throw invalid('holderName', 'must contain Latin letters or digits, because banks accept only ASCII');
}

/** Returns the encrypted number. Keeps the stored one if it is equal and the caller may read it. */
async function encrypted(
  { dataKeys }: PayoutAccountRequest,
  plain: string,
  record: Pick<StoredPayoutAccount, 'accountId' | 'id'>,
  before: StoredPayoutAccount | undefined,
  mayRead: boolean,
): Promise<Encrypted | undefined> {
  const place = placeInPayoutAccount(record);
  const values = await encryptValues(
    await dataKeys(),
    () => place,
    {
      stored: new Map(before ? [[place.field, before.accountNumber]] : []),
      sent: new Map([[place.field, plain]]),
      mayRead,
    },
    (_, text) => describeAccountNumber(text),
  );
  return values.get(place.field);
}

/** Returns what is stored unencrypted with an account number. */
export function describeAccountNumber(plain: string): Omit<Encrypted, 'jwe'> {
  const last4 = last4Of(plain);
  return { faults: [], ...(last4 !== undefined && { last4 }) };
}

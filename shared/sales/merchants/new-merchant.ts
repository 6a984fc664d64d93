import type { Account } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import { dayIn } from '../../instant.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Principal } from '../../security/principal.ts';
import { newRecord } from '../../table/record-fields.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { mergeMerchant } from './merge-merchant.ts';
import type { MerchantInput, MerchantPatch } from './schema.ts';
import { sealMerchant } from './seal-merchant.ts';
import type { StoredMerchant } from './stored-merchant.ts';

/** Who makes or changes a merchant, when, and in which account. */
export interface MerchantChangeRequest extends Authored {
  principal: Authored['principal'] & Pick<Principal, 'permissions'>;
  accountRecord: Pick<Account, 'timezone'>;
  /** Called only where a sensitive value is sealed. */
  dataKeys(): Promise<DataKeys>;
}

/**
 * A new merchant, of what a POST sends or of what an approved application holds: sensitive values come in clear and are
 * sealed for their places in this merchant. Pending and disabled unless the input says otherwise. Throws `invalid_input`
 * as `mergeMerchant` does.
 */
export async function newMerchant(
  request: MerchantChangeRequest & { account: AccountId },
  { merchantName, ...input }: MerchantInput,
  { applicationId }: { applicationId?: string } = {},
): Promise<StoredMerchant> {
  const fields = newRecord(request);
  const object = () => ({ id: mintId(request.now) });
  const empty: StoredMerchant = {
    ...fields,
    merchantName,
    status: 'pending',
    processingStatus: 'disabled',
    merchantAccountId: `${fields.accountId}-${fields.id}`,
    isoAccountId: fields.accountId,
    ...(applicationId !== undefined && { applicationId }),
    principals: [],
    addresses: [],
    banking: object(),
    processing: object(),
    rates: [],
    compliance: object(),
    riskMetrics: object(),
  };
  const { updatedBy, ...filled } = await changeMerchant(empty, input, request);
  return { ...filled, version: 1 };
}

/**
 * The merchant after a request; the very same one where nothing changed. A sensitive value from a caller who may not
 * read it always changes. Throws what `mergeMerchant` throws.
 */
export async function changeMerchant(
  before: StoredMerchant,
  patch: MerchantPatch,
  request: MerchantChangeRequest,
): Promise<StoredMerchant> {
  const { now, accountRecord, principal } = request;
  const mayRead = principal.permissions.has('readMerchants');
  const merged = mergeMerchant(before, patch, {
    now,
    today: dayIn(accountRecord.timezone, now),
    mintId: () => mintId(now),
    mayRead,
  });
  return revise(before, await sealMerchant(before, merged, mayRead, request.dataKeys), request);
}

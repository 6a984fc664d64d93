import type { Account } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import { dayIn } from '../../instant.ts';
import type { Ownership } from '../../people/ownership/schema.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Principal } from '../../security/principal.ts';
import { mayReach } from '../../security/reach.ts';
import { newRecord } from '../../table/record-fields.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { encryptMerchant } from './encrypt-merchant.ts';
import { mergeMerchant } from './merge-merchant.ts';
import type { MerchantInput, MerchantPatch } from './schema.ts';
import type { StoredMerchant } from './stored-merchant.ts';

/** The parts of a request that are used to create or change a merchant. */
export interface MerchantChangeRequest extends Authored {
  /** A principal without a kind is an automatic rule, which may not read merchants. */
  principal: Principal | (Authored['principal'] & { kind?: undefined });
  accountRecord: Pick<Account, 'timezone'>;
  /** Called only when a sensitive value must be encrypted. */
  dataKeys(): Promise<DataKeys>;
}

/**
 * Creates a merchant from the body of a POST or from an approved application, and encrypts its sensitive values. By
 * default, `status` is pending and `processingStatus` is disabled. Throws the errors of `mergeMerchant`.
 */
export async function newMerchant(
  request: MerchantChangeRequest & { account: AccountId },
  { merchantName, ...input }: MerchantInput,
  { applicationId, ...ownership }: { applicationId?: string } & Ownership = {},
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
    ...ownership,
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
 * Applies a request to a merchant. Returns the same object if nothing changed. If the caller may not read the
 * merchant, a sent sensitive value always counts as changed. Throws the errors of `mergeMerchant`.
 */
export async function changeMerchant(
  before: StoredMerchant,
  patch: MerchantPatch,
  request: MerchantChangeRequest,
): Promise<StoredMerchant> {
  const { now, accountRecord, principal } = request;
  const mayRead = principal.kind !== undefined && mayReach(principal, 'merchant', 'read', before);
  const merged = mergeMerchant(before, patch, {
    now,
    today: dayIn(accountRecord.timezone, now),
    mintId: () => mintId(now),
    mayRead,
  });
  return revise(before, await encryptMerchant(before, merged, mayRead, request), request);
}

import type { AccountId } from '../../id/account-id.ts';
import { dayIn } from '../../instant.ts';
import { type MerchantChangeRequest, newMerchant } from '../merchants/new-merchant.ts';
import type { StoredMerchant } from '../merchants/stored-merchant.ts';
import { mapToMerchant } from './map-to-merchant.ts';
import { openValues } from './seal-values.ts';
import type { StoredApplication } from './stored-application.ts';

/**
 * The merchant that an approved application becomes, and the application that names it. Sensitive values are opened and
 * sealed anew, since what is sealed opens at its own place only.
 */
export async function approveApplication(
  application: StoredApplication,
  request: MerchantChangeRequest & { account: AccountId },
): Promise<{ after: StoredApplication; merchant: StoredMerchant }> {
  const values = await openValues(application, await request.dataKeys());
  const dayOf = (instant: string) => dayIn(request.accountRecord.timezone, new Date(instant));
  const mapped = mapToMerchant(application, values, dayOf);
  const merchant = await newMerchant(request, mapped, { applicationId: application.id });
  return {
    after: { ...application, admin: { ...application.admin, merchantId: merchant.id } },
    merchant,
  };
}

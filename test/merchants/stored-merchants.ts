import type { AccountId } from '../../shared/id/account-id.ts';
import type { StoredMerchant } from '../../shared/sales/merchants/stored-merchant.ts';
import type { Sealed } from '../../shared/security/sealed-value.ts';

/** An encrypted value for tests that decrypt nothing. */
export const sealed = (jwe: string): Sealed => ({ jwe, faults: [] });

/** A stored merchant with these fields. */
export const storedMerchant = (fields: Partial<StoredMerchant> = {}): StoredMerchant => ({
  id: 100,
  accountId: 'acme' as AccountId,
  version: 3,
  createdAt: '2026-03-01T09:30:00.000Z',
  createdBy: 'grace@example.com',
  updatedAt: '2026-03-01T09:30:00.000Z',
  merchantName: 'Harbor Street Coffee',
  status: 'pending',
  processingStatus: 'disabled',
  merchantAccountId: 'acme-100',
  isoAccountId: 'acme',
  principals: [],
  addresses: [],
  banking: { id: 1 },
  processing: { id: 2 },
  rates: [],
  compliance: { id: 3 },
  riskMetrics: { id: 4 },
  ...fields,
});

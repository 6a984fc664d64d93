import type { AccountId } from '../id/account-id.ts';
import { type Key, tenantPartition } from '../table/keys.ts';

/** The wrapped data keys of an account. For sensitive contracts, authentication reads them in its one request. */
export const dataKeysKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'DATAKEYS'),
  sk: 'DATAKEYS',
});

/** Counters and markers of a principal's calls. Read-only functions may write them too. */
export const callsPartition = (holder: AccountId, principalKey: string): string =>
  tenantPartition(holder, 'CALLS', principalKey);

/** The call counter of a principal in a minute, such as `2026-03-01T09:30`. */
export const callsKey = (holder: AccountId, principalKey: string, minute: string): Key => ({
  pk: callsPartition(holder, principalKey),
  sk: `MINUTE#${minute}`,
});

import { randomBytes } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';
import { newRecord } from '../table/record-fields.ts';
import type { Authored } from '../table/revise.ts';
import { readDomainName } from './read-domain-name.ts';
import type { StoredVanityDomain } from './schema.ts';

/**
 * Returns a requested domain with a challenge of its own, so that a TXT record for one domain proves no other domain.
 * Throws `invalid_input`.
 */
export const requestedDomain = (
  request: Authored & { account: AccountId; body: { domain: string } },
): StoredVanityDomain => ({
  ...newRecord(request),
  ...readDomainName(request.body.domain),
  status: 'requested',
  challenge: `merchant-ops-domain=${randomBytes(18).toString('base64url')}`,
});

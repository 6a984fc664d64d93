import { randomBytes } from 'node:crypto';
import { readDomainName } from '../../domains/read-domain-name.ts';
import type { AccountId } from '../../id/account-id.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { StoredMailDomain } from './schema.ts';

/** Returns a new mail domain with a challenge of its own. Throws `invalid_input`. */
export const newMailDomain = (
  request: Authored & { account: AccountId; body: { domain: string } },
): StoredMailDomain => ({
  ...newRecord(request),
  ...readDomainName(request.body.domain),
  status: 'requested',
  challenge: `merchant-ops-mail=${randomBytes(18).toString('base64url')}`,
});

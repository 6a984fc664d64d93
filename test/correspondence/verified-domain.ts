import { newMailDomain } from '../../shared/correspondence/domains/new-domain.ts';
import { mailDomains } from '../../shared/correspondence/domains/store.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';

/** Adds the domain of an address to an account, as if SES had verified it. Does nothing if the account has the domain. */
export async function verifyDomainOf(account: AccountId, address: string): Promise<void> {
  const domain = address.slice(address.indexOf('@') + 1);
  if (await mailDomains.findNamed(account, domain)) return;
  const now = clock.now();
  const added = newMailDomain({
    ...authoredBy('admin@tenant.test', now),
    account,
    body: { domain: 'example.com' },
  });
  const at = now.toISOString();
  // Tests use reserved names, which the endpoint refuses.
  const verified = {
    ...added,
    domain,
    unicodeDomain: domain,
    status: 'verified' as const,
    provedAt: at,
    verifiedAt: at,
  };
  await transact(mailDomains.insert(verified), Date.now() + 60_000);
}

import type { StoredAccount } from '../accounts/schema.ts';
import type { Authored } from '../table/revise.ts';
import { closeDomain, type DomainChange } from './change-domain.ts';
import { vanityDomains } from './store.ts';

/** Deactivates the active domain of an account that a request closes. Reads nothing if the account has none. */
export async function closeActiveDomain(
  { id, vanityDomain }: StoredAccount,
  request: Authored,
): Promise<Pick<DomainChange, 'writes' | 'events'>> {
  if (vanityDomain === undefined) return { writes: [], events: [] };
  const all = await vanityDomains.all(id);
  const active = all.find(({ domain }) => domain.status === 'active');
  return active ? closeDomain(active.domain, request) : { writes: [], events: [] };
}

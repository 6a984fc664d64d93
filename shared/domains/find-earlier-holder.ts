import { accounts } from '../accounts/store.ts';
import type { EarlierHolder } from './change-domain.ts';
import type { StoredVanityDomain } from './schema.ts';
import { domainHolders, vanityDomains } from './store.ts';

/** Reads the holder of a domain. If it is another account, also reads that account's record of the domain. */
export async function findEarlierHolder({
  domain,
  accountId,
}: StoredVanityDomain): Promise<EarlierHolder | undefined> {
  const holder = await domainHolders.find(domain);
  if (!holder || holder.home === accountId) return holder && { holder };
  const held = await vanityDomains.find(holder.home, holder.domainId);
  if (held?.status !== 'active') return { holder, ...(held && { domain: held }) };
  return { holder, domain: held, account: await accounts.get(holder.home) };
}

import { accounts } from '../accounts/store.ts';
import { systemEvent } from '../events/system-event.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Job } from '../work-queue/jobs.ts';
import { deactivateDomain, domainTask } from './change-domain.ts';
import { checkWrites, type DomainCheckContent, proofLifetime, retryInterval } from './check-work-item.ts';
import { proveDomain } from './prove-domain.ts';
import type { DomainProof } from './schema.ts';
import { type DomainWithProof, vanityDomains } from './store.ts';

/**
 * Checks an active domain. Without a proof for 72 hours, deactivates it, so that a new owner of an abandoned domain gets no
 * visitors from our links. A failure of the name servers counts like a missing proof. Adds the work item of the next
 * check in the transaction that ends this one, so that the checks continue as long as the domain is active.
 */
export const checkDomain: Job<DomainCheckContent> = async ({ content }, { account }, { now, signal }) => {
  const found = await findActive(account, content);
  if (!found) return { status: 'cancelled' };
  const { domain, proof } = found;
  const failure = await proveDomain(domain, signal);
  const at = now.toISOString();
  if (!failure) {
    const proved: DomainProof = { lastProvedAt: at, lastCheckedAt: at };
    return {
      status: 'delivered',
      writes: [vanityDomains.putProof(domain, proved), ...checkWrites(domain, now)],
    };
  }
  const failed: DomainProof = { ...proof, lastCheckedAt: at, lastFailure: failure.message };
  const writes = [vanityDomains.putProof(domain, failed)];
  const provedAt = Date.parse(proof.lastProvedAt ?? content.activatedAt);
  if (now.getTime() < provedAt + proofLifetime)
    return { status: 'delivered', writes: [...writes, ...checkWrites(domain, now, retryInterval)] };
  const change = deactivateDomain(domain, 'proof_missing', await accounts.get(account), now);
  return {
    status: 'delivered',
    writes: [...writes, ...change.writes],
    events: change.events.map((draft) => systemEvent(draft, { account, now, schedule: domainTask })),
  };
};

/** Returns the domain of a check if it is still active. */
async function findActive(
  account: AccountId,
  { id, activatedAt }: DomainCheckContent,
): Promise<DomainWithProof | undefined> {
  const found = await vanityDomains.findWithProof(account, id);
  return found?.domain.status === 'active' && found.domain.activatedAt === activatedAt ? found : undefined;
}

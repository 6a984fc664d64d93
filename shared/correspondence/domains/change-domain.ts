import type { DomainHolder } from '../../domains/holders.ts';
import type { Effects } from '../../events/envelope.ts';
import { type Authored, authoredBy, revise } from '../../table/revise.ts';
import { mailCheckWrites, removalWrites } from './check-work-item.ts';
import { mailDomainChanged, mailDomainTask } from './events.ts';
import type { StoredMailDomain } from './schema.ts';
import { isHeld, mailDomainHolders, mailDomains } from './store.ts';

interface MailDomainChange extends Effects {
  after: StoredMailDomain;
}

/** Another account's proved domain. */
interface EarlierMailHolder {
  holder: DomainHolder;
  domain?: StoredMailDomain;
}

/** Reads the holder of a domain. If it is another account, also reads that account's record of the domain. */
export async function findEarlierMailHolder({
  domain,
  accountId,
}: StoredMailDomain): Promise<EarlierMailHolder | undefined> {
  const holder = await mailDomainHolders.find(domain);
  if (!holder || holder.home === accountId) return holder && { holder };
  const held = await mailDomains.find(holder.home, holder.domainId);
  return { holder, ...(held && { domain: held }) };
}

/**
 * Marks a domain as proved after its TXT record was checked, and adds the job that registers it at SES. A verified domain
 * remains verified. If another account holds the domain, that account loses it in the same transaction. A preview does not
 * contain this change, because it would name the other account.
 */
export function proveMailDomain(
  before: StoredMailDomain,
  earlier: EarlierMailHolder | undefined,
  request: Authored & { dryRun: boolean },
): MailDomainChange {
  const set = { status: 'proved', provedAt: request.now.toISOString(), verifiedAt: null } as const;
  const after = before.status === 'verified' ? before : revise(before, set, request);
  const lost = earlier?.domain && !request.dryRun ? loseDomain(earlier.domain, request.now) : undefined;
  return {
    after,
    writes: [
      ...mailDomains.replace(before, after),
      isHeld(before) ? mailDomainHolders.isHolder(after) : mailDomainHolders.take(after, earlier?.holder),
      ...(lost?.writes ?? []),
      ...(before === after ? [] : mailCheckWrites(after, request.now, request.now)),
    ],
    events: [
      ...(before === after ? [] : mailDomainChanged('mail_domain_updated', after)),
      ...(lost?.events ?? []),
    ],
  };
}

/** Takes a domain from its account, because another account proved it. The events name the service as their actor. */
function loseDomain(before: StoredMailDomain, now: Date): MailDomainChange {
  const set = { status: 'taken_over', verifiedAt: null, identity: null } as const;
  const after = revise(before, set, authoredBy('system', now));
  return {
    after,
    writes: mailDomains.replaceOther(before, after),
    events: mailDomainChanged('mail_domain_updated', after).map((draft) => ({
      ...draft,
      account: before.accountId,
      task: mailDomainTask,
    })),
  };
}

/** Deletes a domain. If the account holds it, a job also deletes its identity at SES. */
export const deleteMailDomain = (domain: StoredMailDomain, now: Date) => ({
  writes: [...mailDomains.delete(domain, now), ...(isHeld(domain) ? removalWrites(domain, now) : [])],
  events: mailDomainChanged('mail_domain_deleted', domain),
});

import { systemEvent } from '../../events/system-event.ts';
import { authoredBy, revise } from '../../table/revise.ts';
import type { Job } from '../../work-queue/jobs.ts';
import {
  checkDelay,
  type MailDomainCheckContent,
  type MailIdentityRemovalContent,
  mailCheckWrites,
} from './check-work-item.ts';
import { mailDomainChanged, mailDomainTask } from './events.ts';
import type { StoredMailDomain } from './schema.ts';
import { sesIdentities } from './ses-identities.ts';
import { isHeld, mailDomainHolders, mailDomains } from './store.ts';

/**
 * Registers a proved domain at SES, stores its DNS records, and copies the results of the checks of SES. Adds the next check in
 * the same transaction, so that the checks continue as long as the account holds the domain. A failed call is retried.
 */
export const checkMailDomain: Job<MailDomainCheckContent> = async (
  { content },
  { account },
  { now, signal },
) => {
  const before = await mailDomains.find(account, content.id);
  if (!before || !isHeld(before) || before.provedAt !== content.provedAt) return { status: 'cancelled' };
  const identity = await identityOf(before, now, signal);
  const after = withIdentity(before, identity, now);
  const changed = before.status === after.status ? [] : mailDomainChanged('mail_domain_updated', after);
  return {
    status: 'delivered',
    writes: [
      // Another account may have become the holder while SES was called.
      mailDomainHolders.isHolder(before),
      ...mailDomains.replaceOther(before, after),
      ...mailCheckWrites(before, new Date(now.getTime() + checkDelay(content.provedAt, now)), now),
    ],
    events: changed.map((draft) => systemEvent(draft, { account, now, schedule: mailDomainTask })),
  };
};

/** Returns the identity of a domain at SES. Creates it if it is missing, or if it failed before the domain was proved again. */
async function identityOf(domain: StoredMailDomain, now: Date, signal: AbortSignal) {
  const found = await sesIdentities.find(domain.domain, signal);
  const isFirstCheck = domain.identity === undefined || domain.status === 'proved';
  if (found && !(isFirstCheck && found.dkim === 'failed')) {
    if (domain.identity === undefined) await sesIdentities.register(domain.domain, signal);
    return found;
  }
  if (found) await sesIdentities.remove(domain.domain, signal);
  await sesIdentities.register(domain.domain, signal);
  const created = await sesIdentities.find(domain.domain, signal);
  if (!created)
    throw new Error(`SES did not create the identity of ${domain.domain} at ${now.toISOString()}.`);
  return created;
}

function withIdentity(
  before: StoredMailDomain,
  { verified, ...identity }: Awaited<ReturnType<typeof identityOf>>,
  now: Date,
): StoredMailDomain {
  const status = verified ? 'verified' : identity.dkim === 'failed' ? 'failed' : 'proved';
  const verifiedAt = verified ? (before.verifiedAt ?? now.toISOString()) : null;
  return revise(before, { status, identity, verifiedAt }, authoredBy('system', now));
}

/**
 * Deletes the identity of a deleted domain at SES, unless an account holds the domain again, or the stage sends notifications
 * from it.
 */
export const removeMailIdentity: Job<MailIdentityRemovalContent> = async ({ content }, _, { signal }) => {
  const { domain } = content;
  if (isOfSender(domain) || (await mailDomainHolders.find(domain))) return { status: 'cancelled' };
  await sesIdentities.remove(domain, signal);
  return { status: 'delivered' };
};

/** Reports whether the sender of the stage, such as `Acme <notifications@example.com>`, has an address at a domain. */
const isOfSender = (domain: string): boolean =>
  (process.env.MAIL_FROM ?? '').replace(/>$/, '').toLowerCase().endsWith(`@${domain}`);

import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import { ApiError } from '../errors.ts';
import { updated } from '../events/emit.ts';
import type { Effects, EventDraft } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import { type Authored, authoredBy, revise } from '../table/revise.ts';
import { checkWrites } from './check-work-item.ts';
import type { DomainHolder } from './holders.ts';
import type { DeactivationReason, DomainProof, StoredVanityDomain } from './schema.ts';
import { domainHolders, vanityDomains } from './store.ts';

/** The changes of a request or of a check, which are committed in one transaction. */
export interface DomainChange extends Effects {
  after: StoredVanityDomain;
  /** The results of the checks; only after a successful check. */
  proof?: DomainProof;
}

/** The name of the task in events about domains that the service itself changed. */
export const domainTask = 'check_domain';

const proved = ({ now }: Authored): DomainProof => ({
  lastProvedAt: now.toISOString(),
  lastCheckedAt: now.toISOString(),
});

/** Another account's domain that is validated or active, and the account if its links contain the domain. */
export interface EarlierHolder {
  holder: DomainHolder;
  domain?: StoredVanityDomain;
  account?: StoredAccount;
}

/**
 * Marks a domain as validated after its TXT record was checked. An active domain remains active. If another account holds
 * the domain, that account's domain is deactivated in the same transaction. A preview does not contain this change, because
 * it would name the other account.
 */
export function validateDomain(
  before: StoredVanityDomain,
  earlier: EarlierHolder | undefined,
  request: Authored & { dryRun: boolean },
): DomainChange {
  const isHeld = before.status === 'validated' || before.status === 'active';
  const set = {
    status: 'validated',
    deactivationReason: null,
    validatedAt: request.now.toISOString(),
  } as const;
  const after = isHeld ? before : revise(before, set, request);
  const proof = proved(request);
  const takenOver =
    earlier?.domain && !request.dryRun
      ? deactivateDomain(earlier.domain, 'taken_over', earlier.account, request.now)
      : undefined;
  const validated: EventDraft = {
    kind: 'vanity_domain_validated',
    subject: subjectOf(vanityDomains, after),
    data: { domain: after.domain },
  };
  return {
    after,
    proof,
    writes: [
      ...vanityDomains.replace(before, after),
      vanityDomains.putProof(after, proof),
      isHeld ? domainHolders.isHolder(after) : domainHolders.take(after, earlier?.holder),
      ...(takenOver?.writes ?? []),
    ],
    events: [...(isHeld ? [] : [validated]), ...(takenOver?.events ?? [])],
  };
}

/** Throws `domain_not_validated` unless the account holds the domain. */
export function requireValidated({ status }: StoredVanityDomain): void {
  if (status !== 'validated' && status !== 'active') throw new ApiError('domain_not_validated');
}

/**
 * Makes a domain the only active domain of its account, after its TXT record and its file were checked. The domain that
 * was active before remains validated.
 */
export function activateDomain(
  before: StoredVanityDomain,
  { account, replaced }: { account: StoredAccount; replaced: StoredVanityDomain | undefined },
  request: Authored,
): DomainChange {
  const isActive = before.status === 'active';
  const after = revise(
    before,
    { status: 'active', ...(!isActive && { activatedAt: request.now.toISOString() }) },
    request,
  );
  const proof = proved(request);
  const checks = [vanityDomains.putProof(after, proof), domainHolders.isHolder(after)];
  if (isActive) return { after, proof, writes: checks, events: [] };
  const linked = linkDomain(account, after.domain, request);
  return {
    after,
    proof,
    writes: [
      ...vanityDomains.replace(before, after),
      ...checks,
      ...(replaced
        ? vanityDomains.replaceOther(replaced, revise(replaced, { status: 'validated' }, request))
        : []),
      ...linked.writes,
      ...checkWrites(after, request.now),
    ],
    events: [
      {
        kind: 'vanity_domain_activated',
        subject: subjectOf(vanityDomains, after),
        data: { domain: after.domain, ...(replaced && { replacedDomain: replaced.domain }) },
      },
      ...linked.events,
    ],
  };
}

/** Deletes a domain. If it is active, links no longer contain it. */
export function deleteDomain(
  domain: StoredVanityDomain,
  account: StoredAccount,
  request: Authored,
): DomainChange {
  const unlinked = unlink(domain, account, request);
  return {
    after: domain,
    writes: [...vanityDomains.delete(domain), ...unlinked.writes],
    events: [
      {
        kind: 'vanity_domain_deleted',
        subject: subjectOf(vanityDomains, domain),
        data: { domain: domain.domain },
      },
      ...unlinked.events,
    ],
  };
}

/**
 * Deactivates a domain on behalf of the service. `account` is required if the domain is active. The events name the
 * service as their actor, because the request of another account may be the cause.
 */
export function deactivateDomain(
  before: StoredVanityDomain,
  reason: DeactivationReason,
  account: StoredAccount | undefined,
  now: Date,
): DomainChange {
  const system = authoredBy('system', now);
  const { after, writes, events } = deactivated(before, reason, system);
  const unlinked = account ? unlink(before, account, system) : { writes: [], events: [] };
  return {
    after,
    writes: [...writes, ...unlinked.writes],
    events: [...events, ...unlinked.events].map((draft) => ({
      ...draft,
      account: before.accountId,
      task: domainTask,
    })),
  };
}

/**
 * Deactivates the active domain of an account that a request closes. Another write of the same transaction removes the
 * domain from the account. After a reopening, the domain must be validated and activated again.
 */
export function closeDomain(before: StoredVanityDomain, request: Authored): DomainChange {
  const { events, ...change } = deactivated(before, 'account_closed', request);
  return { ...change, events: events.map((draft) => ({ ...draft, account: before.accountId })) };
}

function deactivated(before: StoredVanityDomain, reason: DeactivationReason, by: Authored): DomainChange {
  const after = revise(before, { status: 'deactivated', deactivationReason: reason }, by);
  return {
    after,
    writes: [
      ...vanityDomains.replaceOther(before, after),
      ...(reason === 'taken_over' ? [] : [domainHolders.release(before)]),
    ],
    events: [
      {
        kind: 'vanity_domain_deleted',
        subject: subjectOf(vanityDomains, after),
        data: { domain: after.domain, reason },
      },
    ],
  };
}

const unlink = ({ domain }: StoredVanityDomain, account: StoredAccount, by: Authored) =>
  account.vanityDomain === domain ? linkDomain(account, null, by) : { writes: [], events: [] };

/** Copies the active domain to the account, which every request and every mail reads anyway. */
function linkDomain(account: StoredAccount, vanityDomain: string | null, by: Authored) {
  const after = revise(account, { vanityDomain }, by);
  const events = updated(accounts, 'account_updated', accounts.show(account), accounts.show(after));
  return { writes: accounts.replaceOther(account, after), events };
}

import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import { updated } from '../events/emit.ts';
import type { Actor } from '../events/envelope.ts';
import { commit } from '../events/outbox.ts';
import { systemEvent } from '../events/system-event.ts';
import type { AccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import type { Write } from '../table/operations.ts';
import { revise } from '../table/revise.ts';
import { VersionConflict } from '../table/transact.ts';
import { enqueueWrites } from '../work-queue/enqueue.ts';
import type { Job, JobContent } from '../work-queue/jobs.ts';
import { jobsOf } from '../work-queue/keys.ts';
import { workItemId } from '../work-queue/work-item.ts';
import { type ChildLink, childAccounts } from './children.ts';
import { effectiveSettings } from './effective-settings.ts';
import { limitAccount, unchangedParent, unchangedType } from './limit-account.ts';
import type { AccountType } from './schema.ts';
import { accountTypes } from './store.ts';

interface RenewContent extends JobContent {
  job: 'renew_child_accounts';
  /** The caller whose request changed the account or the type. */
  actor: Actor;
  /** The last child that is up to date. */
  after?: AccountId;
}

const keptFor = 30 * 86_400_000;
/** The time that a step needs for its last commit, in milliseconds. */
const margin = 5_000;

/** Returns the writes of a job that applies the present settings of an account and its types to its child accounts. */
export function renewChildren(account: AccountId, actor: Actor, now: Date): Write[] {
  const content: RenewContent = { job: 'renew_child_accounts', actor };
  const id = workItemId(mintId(now), 'renew-children');
  const expires = new Date(now.getTime() + keptFor);
  return enqueueWrites(jobsOf(account), { id, due: now, content, expires }, now);
}

/** Renews the children one by one. If a child changes its permissions, a job in the child's queue renews its children. */
export const renewChildAccounts: Job<RenewContent> = async ({ content }, { account }, run) => {
  const parent = await accounts.find(account);
  if (!parent) return { status: 'cancelled' };
  const { actor } = content;
  let { after } = content;
  const types = new Map<number, AccountType | undefined>();
  for (const link of await childAccounts.links(account)) {
    if (after !== undefined && link.childId <= after) continue;
    const again = { content: { ...content, ...(after && { after }) }, again: run.now };
    if (Date.now() >= run.deadline - margin) return again;
    try {
      await renewChild(parent, link, types, { actor, ...run });
    } catch (error) {
      // A request changed the child, the parent or the type. The next step reads them again.
      if (error instanceof VersionConflict) return again;
      throw error;
    }
    after = link.childId;
  }
  return { status: 'delivered' };
};

interface Renewal {
  actor: Actor;
  now: Date;
  deadline: number;
}

async function renewChild(
  parent: StoredAccount,
  { childId, accountTypeId }: ChildLink,
  types: Map<number, AccountType | undefined>,
  { actor, now, deadline }: Renewal,
): Promise<void> {
  const before = await accounts.find(childId);
  if (!before) return;
  if (accountTypeId !== undefined && !types.has(accountTypeId))
    types.set(accountTypeId, await accountTypes.find(parent.id, accountTypeId));
  const type = accountTypeId === undefined ? undefined : types.get(accountTypeId);
  const after = revise(before, effectiveSettings(parent, type, before), { now });
  if (before === after) return;
  const [from, to] = [accounts.show(before), accounts.show(after)];
  await commit({
    writes: [
      ...accounts.replace(before, after),
      ...limitAccount(after),
      ...renewChildren(childId, actor, now),
      unchangedParent(parent),
      ...(type ? [unchangedType(type)] : []),
    ],
    events: updated(accounts, 'account_permissions_updated', from, to).map((draft) =>
      systemEvent(draft, { account: childId, now, schedule: 'renew_child_accounts', actor }),
    ),
    deadline,
  });
}

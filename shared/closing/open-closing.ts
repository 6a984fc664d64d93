import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import { inLogsOf } from '../child-accounts/create-child.ts';
import { updated } from '../events/emit.ts';
import type { Effects } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Static } from '../schema.ts';
import type { Authored } from '../table/revise.ts';
import type { ClosedAccount } from './schema.ts';
import { closings } from './store.ts';

export const showClosed = ({
  id,
  name,
  closedAt,
  erasesAt,
  version,
}: StoredAccount): Static<typeof ClosedAccount> => ({
  id,
  name,
  ...(closedAt !== undefined && { closedAt }),
  ...(erasesAt !== undefined && { erasesAt }),
  version,
});

/**
 * Returns the writes and events of the deletion of an account: the account becomes `after`, and its export and erasure
 * are scheduled.
 */
export function openClosing(
  before: StoredAccount,
  after: StoredAccount,
  { principal, now }: Authored,
): Effects {
  const { id, name, parentAccountId, erasesAt = now.toISOString() } = after;
  const at = now.toISOString();
  const closing = {
    account: id,
    name,
    parentAccountId,
    closedAt: at,
    closedBy: principal.actor.user,
    erasesAt,
  };
  return {
    writes: [
      ...accounts.replace(before, after),
      closings.insert({ ...closing, due: at, export: { parts: [], counts: {} } }),
    ],
    events: inLogsOf(logsOf(after), [
      { kind: 'account_deleted', subject: subjectOf(accounts, after), data: { erasesAt } },
    ]),
  };
}

/** Returns the writes and events of the reopening of an account. */
export const cancelClosing = (before: StoredAccount, after: StoredAccount): Effects => ({
  writes: [...accounts.replace(before, after), closings.remove(before.id)],
  events: inLogsOf(
    logsOf(after),
    updated(accounts, 'account_updated', accounts.show(before), accounts.show(after)),
  ),
});

/** The account and its parent. Both logs get the events, even if the parent made the request. */
const logsOf = ({ id, parentAccountId }: StoredAccount): AccountId[] =>
  parentAccountId === undefined ? [id] : [id, parentAccountId];

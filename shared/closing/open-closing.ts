import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import { updated } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import type { Write } from '../table/operations.ts';
import type { Authored } from '../table/revise.ts';
import { closings } from './store.ts';

interface AccountChange {
  writes: Write[];
  events: EventDraft[];
}

/**
 * Returns the writes and events of the deletion of an account: the account becomes `after`, and its export and erasure
 * are scheduled.
 */
export function openClosing(
  before: StoredAccount,
  after: StoredAccount,
  { principal, now }: Authored,
): AccountChange {
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
    events: inBothLogs(after, [
      { kind: 'account_deleted', subject: subjectOf(accounts, after), data: { erasesAt } },
    ]),
  };
}

/** Returns the writes and events of the reopening of an account. */
export const cancelClosing = (before: StoredAccount, after: StoredAccount): AccountChange => ({
  writes: [...accounts.replace(before, after), closings.remove(before.id)],
  events: inBothLogs(
    after,
    updated(accounts, 'account_updated', accounts.show(before), accounts.show(after)),
  ),
});

/** Adds the events to the logs of an account and of its parent, whoever of the two made the request. */
const inBothLogs = ({ id, parentAccountId }: StoredAccount, drafts: readonly EventDraft[]): EventDraft[] =>
  [id, ...(parentAccountId === undefined ? [] : [parentAccountId])].flatMap((account) =>
    drafts.map((draft) => ({ ...draft, account })),
  );

import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import type { EventDraft } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import type { Write } from '../table/operations.ts';
import type { Authored } from '../table/revise.ts';
import { closings } from './store.ts';

/**
 * Returns the writes and events of the deletion of an account: the account becomes `after`, and its export and erasure
 * are scheduled.
 */
export function openClosing(
  before: StoredAccount,
  after: StoredAccount,
  { principal, now }: Authored,
): { writes: Write[]; events: EventDraft[] } {
  const { id, name, erasesAt = now.toISOString() } = after;
  const at = now.toISOString();
  const closing = { account: id, name, closedAt: at, closedBy: principal.actor.user, erasesAt, due: at };
  const deleted = {
    kind: 'account_deleted',
    subject: subjectOf(accounts, after),
    data: { erasesAt },
  } as const;
  return {
    writes: [
      ...accounts.replace(before, after),
      closings.insert({ ...closing, export: { parts: [], counts: {} } }),
    ],
    events: [deleted],
  };
}

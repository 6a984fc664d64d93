import { notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { teams } from '../../people/teams/store.ts';
import { isActiveMember } from '../../people/users/rules.ts';
import { memberships } from '../../people/users/store.ts';
import { bulkJournal, type FieldChange, type JournalEntry } from './bulk-journal.ts';
import type { BulkError } from './bulk-schema.ts';
import type { TicketChange } from './change-ticket.ts';
import type { BulkStep, BulkTarget } from './run-bulk.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';
import { includesTag } from './tags.ts';

interface ActiveAssignees {
  users: ReadonlySet<string>;
  teams: ReadonlySet<number>;
}

/**
 * Reads the journal of a bulk operation, its tickets, and the previous assignees that are still active. Throws
 * `not_found` if the operation changed nothing, or if its journal has expired.
 */
export async function readForUndo(account: AccountId, bulkId: string, now: Date): Promise<BulkTarget[]> {
  const rows = await bulkJournal.of(account, bulkId, now);
  if (rows.length === 0) throw notFound('bulk', bulkId);
  const [found, active] = await Promise.all([
    tickets.findMany(
      account,
      rows.map(({ ticketId }) => ticketId),
    ),
    readActiveAssignees(account, rows),
  ]);
  const byId = new Map(found.map((ticket) => [ticket.id, ticket]));
  return rows.map((row) => ({
    sentAs: row.sentAs,
    ticket: byId.get(row.ticketId),
    step: (ticket) => undoStep(ticket, row, active),
  }));
}

async function readActiveAssignees(
  account: AccountId,
  rows: readonly JournalEntry[],
): Promise<ActiveAssignees> {
  const users = rows.flatMap(({ changes }) => changes.assignedTo?.from ?? []);
  const teamIds = rows.flatMap(({ changes }) => changes.assignedTeamId?.from ?? []);
  const [members, known] = await Promise.all([
    memberships.findMany(account, users.map(Number)),
    teams.findMany(account, teamIds),
  ]);
  return {
    users: new Set(members.filter(isActiveMember).map(({ id }) => String(id))),
    teams: new Set(known.filter(({ active }) => active).map(({ id }) => id)),
  };
}

/** Returns the change that undoes an operation. Later changes are kept, and inactive assignees are not restored. */
function undoStep(ticket: StoredTicket, { changes, tag }: JournalEntry, active: ActiveAssignees): BulkStep {
  const status = restored(ticket.status, changes.status);
  const priority = restored(ticket.priority, changes.priority);
  const user = restored(ticket.assignedTo, changes.assignedTo, active.users, 'user_unknown');
  const team = restored(ticket.assignedTeamId, changes.assignedTeamId, active.teams, 'team_unknown');
  const tags = tag && restoredTag(ticket, tag);
  const errors = [status, priority, user, team, tags].flatMap((part) => part?.error ?? []);
  const error = errors.find((one) => one === 'changed_since') ?? errors[0];
  return {
    change: {
      status: status.value ?? undefined,
      priority: priority.value ?? undefined,
      assignedTo: user.value,
      assignedTeamId: team.value,
      ...tags?.change,
    },
    ...(error && { error }),
  };
}

function restoredTag(
  { tags }: StoredTicket,
  { name, added }: NonNullable<JournalEntry['tag']>,
): { change?: TicketChange; error?: BulkError } {
  if (includesTag(tags, name) !== added) return { error: 'changed_since' };
  return { change: added ? { removeTag: name } : { addTag: name } };
}

function restored<V extends string | number>(
  now: V | undefined,
  changed: FieldChange<V | null> | undefined,
  allowed?: ReadonlySet<V>,
  otherwise?: BulkError,
): { value?: V | null; error?: BulkError } {
  if (!changed) return {};
  if ((now ?? null) !== changed.to) return { error: 'changed_since' };
  const { from } = changed;
  return from !== null && allowed && !allowed.has(from) ? { error: otherwise } : { value: from };
}

import { createHash, randomBytes } from 'node:crypto';
import type { StoredAccount } from '../../accounts/schema.ts';
import { commitInLanes, retryDeadline } from '../../endpoints/commit-in-lanes.ts';
import type { CommitsParts } from '../../endpoints/commits-parts.ts';
import type { CommitOptions } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type CountSlot, previewSlots } from '../../rotations/slots.ts';
import { type Principal, principalKeyOf } from '../../security/principal.ts';
import { mayReach } from '../../security/reach.ts';
import { backoff } from '../../table/backoff.ts';
import { VersionConflict } from '../../table/transact.ts';
import { assignmentBy } from './assign-ticket.ts';
import { bulkJournal, journalChanges } from './bulk-journal.ts';
import { type BulkError, type BulkResult, type BulkTicket, bulkErrors } from './bulk-schema.ts';
import type { TicketChange } from './change-ticket.ts';
import { ticketEvents } from './events.ts';
import { decideChange } from './patch-ticket.ts';
import { idsOfTickets } from './read-ticket.ts';
import { cachedReassignments } from './reassign-on-reopen.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';
import { parseTicketNumber } from './ticket-number.ts';

/** The change of one ticket. `error` is set if a part of the change is not possible. */
export interface BulkStep {
  change: TicketChange;
  error?: BulkError;
}

/** `sentAs` is the reference in the request. `step` computes the change and is called again after a conflict. */
export interface BulkTarget {
  sentAs: string;
  ticket: StoredTicket | undefined;
  step(ticket: StoredTicket): BulkStep;
}

interface BulkRequest extends CommitsParts {
  account: AccountId;
  accountRecord: StoredAccount;
  principal: Principal;
  now: Date;
  /** From `performance.now()`. */
  startedAt: number;
  /** Milliseconds since 1970. */
  deadline: number;
  path: string;
}

interface SentReference {
  sentAs: string;
  id: number | undefined;
  ticket: StoredTicket | undefined;
}

/** Reads each referenced ticket once and returns one entry for each reference, in the order of the request. */
export async function readReferenced(
  account: AccountId,
  references: readonly string[],
): Promise<SentReference[]> {
  const ids = await idsOfTickets(account, references);
  const distinct = [...new Set(ids)].filter((id) => id !== undefined);
  const found = await tickets.findMany(account, distinct);
  const byId = new Map(found.map((ticket) => [ticket.id, ticket]));
  return references.map((sentAs, index) => {
    const id = ids[index];
    return { sentAs, id, ticket: id === undefined ? undefined : byId.get(id) };
  });
}

/**
 * Returns the referenced tickets without duplicates. The number of a hidden ticket refers to no ticket. Otherwise, a request
 * with the number and an id would show that they belong to the same ticket.
 */
export function distinctTargets(
  sent: readonly SentReference[],
  principal: Principal,
): Omit<BulkTarget, 'step'>[] {
  const first = new Map<number | string, Omit<BulkTarget, 'step'>>();
  for (const { sentAs, id, ticket } of sent) {
    const isHidden = ticket && reachErrorOf(principal, ticket) === 'not_found';
    const hasNoId = id === undefined || (isHidden && parseTicketNumber(sentAs) !== undefined);
    const name = hasNoId ? sentAs : id;
    if (!first.has(name)) first.set(name, { sentAs, ticket });
  }
  return [...first.values()];
}

/** Returns the error for a ticket that the caller may not change; undefined if the caller may change it. */
function reachErrorOf(principal: Principal, ticket: StoredTicket): BulkError | undefined {
  if (mayReach(principal, 'ticket', 'write', ticket)) return undefined;
  return mayReach(principal, 'ticket', 'read', ticket) ? 'permission_denied' : 'not_found';
}

/**
 * Changes the tickets in eight parallel lanes and reports the result of each ticket. Each ticket is committed
 * separately with its journal entry, so that a failure does not affect other tickets. Each attempt checks that the caller
 * may change the ticket.
 */
export async function runBulk(request: BulkRequest, targets: readonly BulkTarget[]): Promise<BulkResult> {
  const bulk: Bulk = {
    ...request,
    bulkId: bulkIdOf(request),
    reassignmentFor: cachedReassignments(request.account),
    previewSlot: previewSlots(),
  };
  const errors = targets.map(({ ticket }): BulkError | null =>
    ticket ? (reachErrorOf(request.principal, ticket) ?? null) : 'not_found',
  );
  const there = targets.flatMap(({ sentAs, ticket, step }, place) =>
    ticket && errors[place] === null ? [{ sentAs, ticket, step, place }] : [],
  );
  const outcomes = await commitInLanes<Present, BulkError | null>(there, bulk.deadline, {
    late: () => 'out_of_time',
    run: (target, _, shards) => outcomeOf(bulk, target, shards),
  });
  for (const [n, { place }] of there.entries()) errors[place] = outcomes[n] ?? null;
  return resultOf(bulk, targets, errors);
}

interface Bulk extends BulkRequest {
  bulkId: string;
  reassignmentFor: ReturnType<typeof cachedReassignments>;
  previewSlot: CountSlot;
}

interface Present extends BulkTarget {
  ticket: StoredTicket;
  place: number;
}

/**
 * Returns the bulkId. If the request has an Idempotency-Key, the bulkId is derived from the request, so that a repeated
 * request finds the same journal.
 */
function bulkIdOf({ account, principal, path, idempotencyKey, rawBody }: BulkRequest): string {
  if (idempotencyKey === undefined) return `bulk_${randomBytes(16).toString('hex')}`;
  const repeated = JSON.stringify([account, principalKeyOf(principal), path, idempotencyKey, rawBody]);
  return `bulk_${createHash('sha256').update(repeated).digest('hex').slice(0, 32)}`;
}

async function outcomeOf(bulk: Bulk, target: Present, shards: readonly number[]): Promise<BulkError | null> {
  try {
    return await changeUntilDone(bulk, target, shards);
  } catch (error) {
    return codeOf(bulk, error);
  }
}

function codeOf(bulk: Bulk, error: unknown): BulkError {
  const code = bulk.errorOf(error);
  return bulkErrors.find((known) => known === code) ?? 'internal_error';
}

async function changeUntilDone(
  bulk: Bulk,
  target: Present,
  shards: readonly number[],
): Promise<BulkError | null> {
  const deadline = retryDeadline(bulk.deadline);
  const part = { ...bulk, ...bulk.newPart() };
  let ticket: StoredTicket | undefined = target.ticket;
  for (let attempts = 0; ticket; ) {
    const unreached = reachErrorOf(bulk.principal, ticket);
    if (unreached) return unreached;
    const tried = await change(part, { ...target, ticket }, { shards, attempts, deadline });
    if (tried.error === null) return null;
    const done = await repeatedOf(bulk, ticket.id);
    if (done) return done.error ?? null;
    if (tried.error !== undefined) return tried.error;
    if (Date.now() >= deadline) return 'busy';
    attempts = tried.attempts;
    await backoff(attempts);
    ticket = await tickets.find(bulk.account, ticket.id);
  }
  return 'not_found';
}

type AttemptOutcome =
  | { error: BulkError | null; attempts?: undefined }
  | { attempts: number; error?: undefined };

async function change(
  bulk: Bulk & ReturnType<Bulk['newPart']>,
  { ticket, sentAs, place, step }: Present,
  options: CommitOptions,
): Promise<AttemptOutcome> {
  const { account, bulkId, now } = bulk;
  try {
    const { change: wanted, error } = step(ticket);
    const reassignment = await bulk.reassignmentFor(ticket, wanted);
    const read = { ticket, change: withBulkAssignment(bulk, wanted), definitions: undefined, reassignment };
    const changed = await decideChange(bulk, read);
    if (changed.after !== changed.before) {
      const done = {
        ticketId: ticket.id,
        sentAs,
        place,
        ...journalChanges(changed),
        ...(error && { error }),
      };
      // The journal entry is the first write, because the first failed write determines the error. If the
      // operation has already changed this ticket, the error is a conflict, and `repeatedOf` returns the
      // entry.
      const row = bulkJournal.put(account, bulkId, done, now);
      await bulk.commit([row, ...tickets.change(changed)], ticketEvents(changed, { bulkId }), options);
    }
    return { error: error ?? null };
  } catch (error) {
    return error instanceof VersionConflict ? { attempts: error.attempts } : { error: codeOf(bulk, error) };
  }
}

const withBulkAssignment = (bulk: Bulk, wanted: TicketChange): TicketChange =>
  wanted.assignedTo === undefined && wanted.assignedTeamId === undefined
    ? wanted
    : { ...wanted, assignment: assignmentBy(bulk, 'bulk', {}).assignment };

/** Returns the journal entry that another request with the same bulkId wrote for a ticket. */
const repeatedOf = async ({ idempotencyKey, account, bulkId, now }: Bulk, ticketId: number) =>
  idempotencyKey === undefined ? undefined : bulkJournal.find(account, bulkId, ticketId, now);

function resultOf(
  { bulkId, startedAt }: Bulk,
  targets: readonly BulkTarget[],
  errors: readonly (BulkError | null)[],
): BulkResult {
  const results = targets.map(({ sentAs }, place): BulkTicket => {
    const error = errors[place] ?? null;
    return { ticketId: sentAs, success: error === null, error };
  });
  const successCount = results.filter(({ success }) => success).length;
  return {
    bulkId,
    success: successCount === results.length,
    totalRequested: results.length,
    successCount,
    failureCount: results.length - successCount,
    results,
    executionTime: Math.round(performance.now() - startedAt),
  };
}

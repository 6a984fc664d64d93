import { createHash, randomBytes } from 'node:crypto';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { CommitsParts } from '../../endpoints/commits-parts.ts';
import type { CommitOptions } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type CountSlot, previewSlots } from '../../rotations/slots.ts';
import { type Principal, principalKeyOf } from '../../security/principal.ts';
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

/** What is to become of one ticket. `error`: there is something that cannot be done to it, and the rest is. */
export interface BulkStep {
  change: TicketChange;
  error?: BulkError;
}

/** A ticket of a bulk: as it was sent, as it was read, if it is there, and what is to become of it whatever it is by then. */
export interface BulkTarget {
  sentAs: string;
  ticket: StoredTicket | undefined;
  step(ticket: StoredTicket): BulkStep;
}

/** The request of a bulk: one that commits parts. */
interface BulkRequest extends CommitsParts {
  account: AccountId;
  accountRecord: StoredAccount;
  principal: Principal;
  now: Date;
  /** By `performance.now()`. */
  startedAt: number;
  /** Milliseconds since 1970. */
  deadline: number;
  path: string;
}

/** Side by side, and each with two shards of its own: totals have sixteen. */
const lanes = 8;

/** Before the end of the request no ticket is begun any more, and then none is tried again: after 8 s and 9 s of its 10. */
const beginsUntil = 2_000;
const triesUntil = 1_000;

/**
 * The tickets that these texts name, each once, under the first of its names, in their order: one read of all of them, and
 * one before it where a text is a ticket number.
 */
export async function readTargets(
  account: AccountId,
  references: readonly string[],
): Promise<Omit<BulkTarget, 'step'>[]> {
  const ids = await idsOfTickets(account, references);
  const first = new Map<number | string, { sentAs: string; id: number | undefined }>();
  for (const [index, sentAs] of references.entries()) {
    const id = ids[index];
    if (!first.has(id ?? sentAs)) first.set(id ?? sentAs, { sentAs, id });
  }
  const found = await tickets.findMany(
    account,
    [...first.values()].flatMap(({ id }) => id ?? []),
  );
  const byId = new Map(found.map((ticket) => [ticket.id, ticket]));
  return [...first.values()].map(({ sentAs, id }) => ({
    sentAs,
    ticket: id === undefined ? undefined : byId.get(id),
  }));
}

/**
 * Does to each ticket what is to be done, in eight lanes, and says what became of each. Every ticket is decided and
 * committed by itself, with its row of the journal, so that none stops another.
 */
export async function runBulk(request: BulkRequest, targets: readonly BulkTarget[]): Promise<BulkResult> {
  const bulk: Bulk = {
    ...request,
    bulkId: bulkIdOf(request),
    reassignmentFor: cachedReassignments(request.account),
    previewSlot: previewSlots(),
  };
  const errors: (BulkError | null)[] = targets.map(() => 'not_found');
  const there = targets.flatMap(({ sentAs, ticket, step }, place) =>
    ticket ? [{ sentAs, ticket, step, place }] : [],
  );
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const shards = [lane, lane + lanes];
      for (const target of there.filter((__, n) => n % lanes === lane))
        errors[target.place] = await outcomeOf(bulk, target, shards);
    }),
  );
  return resultOf(bulk, targets, errors);
}

/** A bulk under way. */
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
 * The name of a bulk. With an Idempotency-Key it follows from what is repeated, so that a repeat finds what was done;
 * without one every request is another bulk.
 */
function bulkIdOf({ account, principal, path, idempotencyKey, rawBody }: BulkRequest): string {
  if (idempotencyKey === undefined) return `bulk_${randomBytes(16).toString('hex')}`;
  const repeated = JSON.stringify([account, principalKeyOf(principal), path, idempotencyKey, rawBody]);
  return `bulk_${createHash('sha256').update(repeated).digest('hex').slice(0, 32)}`;
}

/** What became of a ticket: null, or why something of it could not be done. Throws nothing. */
async function outcomeOf(bulk: Bulk, target: Present, shards: readonly number[]): Promise<BulkError | null> {
  if (Date.now() >= bulk.deadline - beginsUntil) return 'out_of_time';
  try {
    return await changeUntilDone(bulk, target, shards);
  } catch (error) {
    return codeOf(bulk, error);
  }
}

/** The code of an error as results name it. */
function codeOf(bulk: Bulk, error: unknown): BulkError {
  const code = bulk.errorOf(error);
  return bulkErrors.find((known) => known === code) ?? 'internal_error';
}

/** Reads and decides again while others change the ticket first, and there is time. */
async function changeUntilDone(
  bulk: Bulk,
  target: Present,
  shards: readonly number[],
): Promise<BulkError | null> {
  const deadline = bulk.deadline - triesUntil;
  const part = { ...bulk, ...bulk.newPart() };
  let ticket: StoredTicket | undefined = target.ticket;
  for (let attempts = 0; ticket; ) {
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

/** What came of one try: what to say of the ticket, or after how many attempts another request was first. */
type Tried = { error: BulkError | null; attempts?: undefined } | { attempts: number; error?: undefined };

async function change(
  bulk: Bulk & ReturnType<Bulk['newPart']>,
  { ticket, sentAs, place, step }: Present,
  options: CommitOptions,
): Promise<Tried> {
  const { account, bulkId, now } = bulk;
  try {
    const { change: wanted, error } = step(ticket);
    const reassignment = await bulk.reassignmentFor(ticket, wanted);
    const read = { ticket, change: byBulk(bulk, wanted), definitions: undefined, reassignment };
    const changed = await decideChange(bulk, read);
    if (changed.after !== changed.before) {
      const done = {
        ticketId: ticket.id,
        sentAs,
        place,
        ...journalChanges(changed),
        ...(error && { error }),
      };
      // First, so that of two conflicts the one is told that is for good.
      const row = bulkJournal.put(account, bulkId, done, now);
      await bulk.commit([row, ...tickets.change(changed)], ticketEvents(changed, { bulkId }), options);
    }
    return { error: error ?? null };
  } catch (error) {
    return error instanceof VersionConflict ? { attempts: error.attempts } : { error: codeOf(bulk, error) };
  }
}

/** A change that tells of a new assignee that a bulk named it. */
const byBulk = (bulk: Bulk, wanted: TicketChange): TicketChange =>
  wanted.assignedTo === undefined && wanted.assignedTeamId === undefined
    ? wanted
    : { ...wanted, assignment: assignmentBy(bulk, 'bulk', {}).assignment };

/** What another request of the same bulk did to a ticket, before this one or at the same time. */
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

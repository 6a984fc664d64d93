import { ApiError, invalid } from '../../errors.ts';
import type { Actor } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId, mintId } from '../../id/mint.ts';
import { isActiveMember, namesHiddenUser } from '../../people/users/rules.ts';
import { findMemberByReference } from '../../people/users/store.ts';
import { unassigned } from '../../people/users/unassigned.ts';
import type { Permission } from '../../resources/registry.ts';
import type { Static } from '../../schema.ts';
import type { Principal } from '../../security/principal.ts';
import { type Reaching, reachesEvery } from '../../security/reach.ts';
import type { Write } from '../../table/operations.ts';
import { enqueueWrites } from '../../work-queue/enqueue.ts';
import { jobStatuses } from '../../work-queue/jobs.ts';
import { jobsOf } from '../../work-queue/keys.ts';
import { findWorkItem } from '../../work-queue/list-work-items.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { countAssignedRecords, countHeld, type HeldRecords, readableCounts } from './assigned-records.ts';
import {
  type AssignedRecords,
  type ReassignmentContent,
  type ReassignmentInput,
  type ReassignmentJob,
  reassignedTypes,
} from './schema.ts';

/** Jobs are kept for this many milliseconds. */
const keptFor = 30 * 86_400_000;

export const byRotation = 'rotation';

const itemIdOf = (id: number): string => `reassign-${id}`;

/** The records of a user, and the target of their reassignment. */
interface Departure {
  userId: string;
  counts: Required<AssignedRecords>;
  to?: string;
}

/** Counts the records of a user, and validates the target. Throws `user_unknown` for the field `field`. */
export async function readDeparture(
  account: AccountId,
  userId: number,
  to: string | undefined,
  field = 'reassignTo',
): Promise<Departure> {
  const from = String(userId);
  const [counts, target] = await Promise.all([
    countAssignedRecords(account, from),
    to === undefined ? undefined : targetOf(account, from, to, field),
  ]);
  return { userId: from, counts, ...(target !== undefined && { to: target }) };
}

/** The same for a PATCH of a user. Returns undefined unless the PATCH deactivates the user. */
export async function readDeactivation(
  account: AccountId,
  userId: number,
  { active, reassignTo }: { active?: boolean; reassignTo?: string },
): Promise<Departure | undefined> {
  if (active === false) return readDeparture(account, userId, reassignTo);
  if (reassignTo !== undefined) throw invalid('reassignTo', 'requires active: false');
  return undefined;
}

/** The departure that a POST names. */
interface NamedDeparture extends Departure {
  to: string;
  isMember: boolean;
}

/** Reads the user named by `from` and the target of a POST. Throws `user_unknown` for an active member. */
export async function readReassignable(
  account: AccountId,
  { from, to }: Static<typeof ReassignmentInput>,
): Promise<NamedDeparture> {
  const member = await findMemberByReference(account, from);
  const id = member?.id ?? asRecordId(from);
  if (id === undefined || (member && isActiveMember(member))) throw notReassignable();
  const departure = await readDeparture(account, id, to, 'to');
  return { ...departure, to: departure.to ?? to, isMember: member !== undefined };
}

/**
 * Throws `user_unknown` if the principal may not find the user; see `namesHiddenUser`. Also throws it for a former member
 * without records that the principal can reassign, because records of other types may be hidden from the principal.
 */
export function requireMayReassign(
  principal: Principal,
  { from, to }: Static<typeof ReassignmentInput>,
  { counts: { leads, openTickets, applications, merchants }, isMember }: NamedDeparture,
): void {
  const held = { lead: leads, ticket: openTickets, application: applications, merchant: merchants };
  const hasRecords = typesFor(principal).some((type) => held[type] > 0);
  if (namesHiddenUser(principal, from) || (!isMember && !hasRecords)) throw notReassignable();
  if (to !== undefined && namesHiddenUser(principal, to)) throw noTarget('to');
}

const noTarget = (field: string) =>
  invalid(field, 'is not another active user of this account, rotation or none', 'user_unknown');

const notReassignable = () =>
  invalid(
    'from',
    'is not an inactive user, or a former user with leads, open tickets, applications or merchants',
    'user_unknown',
  );

async function targetOf(account: AccountId, from: string, to: string, field: string): Promise<string> {
  if (to === byRotation || to === unassigned) return to;
  const member = await findMemberByReference(account, to);
  if (member && isActiveMember(member) && String(member.id) !== from) return String(member.id);
  throw noTarget(field);
}

interface Requester {
  account: AccountId;
  principal: Reaching & { actor: Actor };
  now: Date;
}

/** Returns the types of which a requester may change all records. */
const typesFor = (principal: Reaching) =>
  reassignedTypes.filter((type) => reachesEvery(principal, type, 'write'));

/**
 * Returns a new job, and the writes that start it. Throws `permission_denied` unless the requester may change all leads and
 * tickets. Otherwise, the requester could become the owner of hidden records.
 */
export function startReassignment(
  { userId: from, counts, to }: Departure & { to: string },
  { account, principal, now }: Requester,
): { reassignment: ReassignmentJob; writes: Write[] } {
  const types = typesFor(principal);
  if (!types.includes('lead') || !types.includes('ticket')) throw new ApiError('permission_denied');
  const { actor, permissions } = principal;
  const { leads, openTickets, applications, merchants } = counts;
  const id = mintId(now);
  const totals = { leads, openTickets, applications, merchants };
  const start = { place: 0, before: '', pass: 1 };
  const content: ReassignmentContent = {
    job: 'reassign_records',
    id,
    from,
    to,
    actor,
    types,
    totals,
    ...start,
  };
  const expires = new Date(now.getTime() + keptFor);
  const waiting = { content, createdAt: now.toISOString(), status: 'waiting' as const, attempts: [] };
  return {
    reassignment: showReassignment(waiting, counts, permissions),
    writes: enqueueWrites(jobsOf(account), { id: itemIdOf(id), due: now, content, expires }, now),
  };
}

/** Returns the fields for the response about a departure. If it has a target, also starts the reassignment. */
export function departureResult(
  { to, ...of }: Departure,
  requester: Requester,
): { fields: { assigned: AssignedRecords; reassignment?: ReassignmentJob }; writes: Write[] } {
  const assigned = readableCounts(of.counts, requester.principal.permissions);
  if (to === undefined) return { fields: { assigned }, writes: [] };
  const { reassignment, writes } = startReassignment({ ...of, to }, requester);
  return { fields: { assigned, reassignment }, writes };
}

/** Returns a job with the current counts of its user. Throws `not_found`. */
export async function readReassignment(account: AccountId, id: number, now: Date) {
  const job = await findWorkItem<ReassignmentContent>(jobsOf(account), itemIdOf(id), now);
  if (!job) throw new ApiError('not_found');
  return { job, counts: await countHeld(account, job.content.from) };
}

/** Returns a job as responses show it, without the counts of records that the caller may not read. */
export function showReassignment(
  {
    content,
    createdAt,
    status,
    attempts,
  }: Pick<WorkItem<ReassignmentContent>, 'content' | 'createdAt' | 'status' | 'attempts'>,
  now: HeldRecords,
  permissions: ReadonlySet<Permission>,
): ReassignmentJob {
  const { id, from, to, actor, totals, types = ['lead', 'ticket'] } = content;
  const error = attempts.at(-1)?.error as ReassignmentJob['error'];
  const progress = (name: keyof HeldRecords) => ({ total: totals[name] ?? 0, remaining: now[name] });
  return {
    ...{ id, from, to, types, status: jobStatuses[status], createdAt, createdBy: actor.user },
    ...(error && { error }),
    ...(permissions.has('readLeads') && { leads: progress('leads') }),
    ...(permissions.has('readTickets') && { openTickets: progress('openTickets') }),
    ...(types.includes('application') &&
      permissions.has('readApplications') && { applications: progress('applications') }),
    ...(types.includes('merchant') &&
      permissions.has('readMerchants') && { merchants: progress('merchants') }),
  };
}

import { limitedPermissions, reachedRecords } from '../resources/derived.ts';
import type { Permission, ReachedType } from '../resources/registry.ts';
import type { Principal } from './principal.ts';

/** The value of a term for records of which the field is empty. */
export const nobody = 'none';

/** A record is reached if the field contains one of the values. A field is empty, a text, a number or a list. */
export interface ReachTerm {
  field: string;
  values: readonly string[];
}

/** The records of a type that a principal reaches: all of them, or those that meet one of the terms. */
export type Reach = 'all' | readonly ReachTerm[];

export type Use = 'read' | 'write';

export const isReachedType = (name: string): name is ReachedType => name in reachedRecords;

/**
 * Returns the records of a type that a principal may read or change. The terms follow from the principal alone, so a changed
 * role, team or manager takes effect at the next request, and no record is rewritten.
 */
export function reachOf(principal: Principal, type: ReachedType, use: Use): Reach {
  const { owners, team, [use]: wide } = reachedRecords[type];
  const { permissions } = principal;
  if (principal.kind === 'applicant' || permissions.has(wide)) return 'all';
  const limited = limitedPermissions[wide] ?? {};
  const has = (name: Permission | undefined) => name !== undefined && permissions.has(name);
  const [owner] = owners;
  const mine = has(limited.own) && principal.kind === 'user' ? [String(principal.id)] : [];
  const none = has(limited.unassigned) ? [nobody] : [];
  const teams = has(limited.team) ? teamsOf(principal).map(String) : [];
  return [
    { field: owner, values: [...mine, ...none] },
    ...[...owners.slice(1), 'participants'].map((field) => ({ field, values: mine })),
    { field: team, values: teams },
    {
      field: 'createdBy',
      values: has(limited.own) && principal.kind === 'key' ? [principal.actor.user] : [],
    },
  ].filter(({ values }) => values.length > 0);
}

/** The team of a principal, and the teams that the principal manages, with the teams below them. */
const teamsOf = ({ teamId, managedTeamIds = [] }: Principal): number[] => [
  ...new Set([...(teamId === undefined ? [] : [teamId]), ...managedTeamIds]),
];

/** Reports whether a record is among those that are reached. */
export const isReached = (reach: Reach, record: object): boolean =>
  reach === 'all' || reach.some((term) => meets(term, record));

/** The underwriter of an application is in `admin`. In lists, it is a field of the record. */
const fieldOf = (record: Record<string, unknown>, field: string): unknown =>
  record[field] ?? (record.admin as Record<string, unknown> | undefined)?.[field];

function meets({ field, values }: ReachTerm, record: object): boolean {
  const stored = [fieldOf(record as Record<string, unknown>, field)].flat();
  const found = stored.filter((value) => value !== undefined && value !== null);
  return found.length > 0 ? found.some((value) => values.includes(String(value))) : values.includes(nobody);
}

/** Reports whether a principal may read or change a record. */
export const mayReach = (principal: Principal, type: ReachedType, use: Use, record: object): boolean =>
  isReached(reachOf(principal, type, use), record);

/** Reports whether a principal has the permission, or one that is limited to some of the records. */
export const holdsPartOf = (
  { permissions }: { permissions: ReadonlySet<Permission> },
  name: Permission,
): boolean =>
  permissions.has(name) || Object.values(limitedPermissions[name] ?? {}).some((one) => permissions.has(one));

/**
 * Reports whether a record is hidden from a principal with a limited permission. References to it are then treated as
 * references to no record. A principal without any permission for the type may refer to every record.
 */
export const hidesReference = (principal: Principal, type: ReachedType, record: object): boolean =>
  holdsPartOf(principal, reachedRecords[type].read) && !mayReach(principal, type, 'read', record);

/**
 * Returns the owner of a new record for a caller with a limited permission: the user itself. Such a caller creates only records
 * that it reaches, so no rotation chooses another owner. `isLimited` is false if the caller reaches all records.
 */
export function ownerOfNew(principal: Principal, type: ReachedType): { isLimited: boolean; owner?: string } {
  const reach = reachOf(principal, type, 'write');
  if (reach === 'all') return { isLimited: false };
  const owner = String(principal.id);
  const isOwn = principal.kind === 'user' && isReached(reach, { [reachedRecords[type].owners[0]]: owner });
  return { isLimited: true, ...(isOwn && { owner }) };
}

import { limitedPermissions, reachedRecords } from '../resources/derived.ts';
import type { Permission, ReachedType } from '../resources/registry.ts';
import type { Principal } from './principal.ts';

/** The parts of a principal, or of a member, that determine which records it reaches. */
export type Reaching = Pick<Principal, 'kind' | 'id' | 'permissions' | 'teamId' | 'managedTeamIds'> & {
  actor: Pick<Principal['actor'], 'user'>;
};

/** The value of a term for records of which the field is empty. */
const noOwner = 'none';

/** Why a principal reaches a record: because of its field. `creator` applies to API keys. */
export const reachReasons = [
  'owner',
  'underwriter',
  'participant',
  'team',
  'manager',
  'unassigned',
  'creator',
] as const;
type ReachReason = (typeof reachReasons)[number];

/** A record is reached if the field contains one of the values. A field is empty, a text, a number or a list. */
export interface ReachTerm {
  field: string;
  values: readonly string[];
  reason: ReachReason;
}

/** The records of a type that a principal reaches: all of them, or those that meet one of the terms. */
export type Reach = 'all' | readonly ReachTerm[];

export type Use = 'read' | 'write';

export const isReachedType = (name: string): name is ReachedType => name in reachedRecords;

export const reachedTypes: readonly ReachedType[] = Object.keys(reachedRecords).filter(isReachedType);

/**
 * Returns the records of a type that a principal may read or change. The terms follow from the principal alone, so a changed
 * role, team or manager takes effect at the next request, and no record is rewritten.
 */
export function reachOf(principal: Reaching, type: ReachedType, use: Use): Reach {
  const { owners, team, [use]: wide } = reachedRecords[type];
  const { permissions } = principal;
  if (principal.kind === 'applicant' || permissions.has(wide)) return 'all';
  const limited = limitedPermissions[wide] ?? {};
  const has = (name: Permission | undefined) => name !== undefined && permissions.has(name);
  const [owner, ...underwriters] = owners;
  const mine = has(limited.own) && principal.kind === 'user' ? [String(principal.id)] : [];
  const ofTeam = has(limited.team) && principal.teamId !== undefined ? [String(principal.teamId)] : [];
  const managed = has(limited.team) ? (principal.managedTeamIds ?? []).map(String) : [];
  const terms: ReachTerm[] = [
    { field: owner, values: mine, reason: 'owner' },
    { field: owner, values: has(limited.unassigned) ? [noOwner] : [], reason: 'unassigned' },
    ...underwriters.map((field) => ({ field, values: mine, reason: 'underwriter' as const })),
    { field: 'participants', values: mine, reason: 'participant' },
    { field: team, values: ofTeam, reason: 'team' },
    { field: team, values: managed.filter((id) => !ofTeam.includes(id)), reason: 'manager' },
    {
      field: 'createdBy',
      values: has(limited.own) && principal.kind === 'key' ? [principal.actor.user] : [],
      reason: 'creator',
    },
  ];
  return terms.filter(({ values }) => values.length > 0);
}

/** Reports whether a record is among those that are reached. */
export const isReached = (reach: Reach, record: object): boolean =>
  reach === 'all' || reach.some((term) => meets(term, record));

/** The underwriter of an application is in `admin`. In lists, it is a field of the record. */
const fieldOf = (record: Record<string, unknown>, field: string): unknown =>
  record[field] ?? (record.admin as Record<string, unknown> | undefined)?.[field];

function meets({ field, values }: ReachTerm, record: object): boolean {
  const stored = [fieldOf(record as Record<string, unknown>, field)].flat();
  const found = stored.filter((value) => value !== undefined && value !== null);
  return found.length > 0 ? found.some((value) => values.includes(String(value))) : values.includes(noOwner);
}

/** Returns why a principal may read or change a record. Empty if it may not, and `all` if it reaches every record. */
export function reasonsToReach(
  principal: Reaching,
  type: ReachedType,
  use: Use,
  record: object,
): (ReachReason | 'all')[] {
  const reach = reachOf(principal, type, use);
  if (!mayReach(principal, type, use, record)) return [];
  return reach === 'all' ? ['all'] : reach.filter((term) => meets(term, record)).map(({ reason }) => reason);
}

/**
 * Reports whether a principal may read or change a record. A principal that may read some records of the type changes only
 * those that it may read.
 */
export function mayReach(principal: Reaching, type: ReachedType, use: Use, record: object): boolean {
  const isReadable =
    use === 'read' || !readsSome(principal, type) || mayReach(principal, type, 'read', record);
  return isReadable && isReached(reachOf(principal, type, use), record);
}

/** Reports whether a principal may read all or some of the records of a type. */
export const readsSome = (principal: Pick<Reaching, 'permissions'>, type: ReachedType): boolean =>
  holdsPartOf(principal, reachedRecords[type].read);

/** Reports whether a principal may read or change all records of a type. */
export const reachesEvery = (principal: Reaching, type: ReachedType, use: Use): boolean =>
  reachOf(principal, type, use) === 'all' &&
  (use === 'read' || !readsSome(principal, type) || reachOf(principal, type, 'read') === 'all');

/**
 * Returns to which records of a type a permission for other records, such as `readEvents`, extends: to those that the caller
 * may read, or else to those that the caller may change. Undefined means all, because the caller has no permission for the type.
 */
export function useByOthers(principal: Pick<Reaching, 'permissions'>, type: ReachedType): Use | undefined {
  if (readsSome(principal, type)) return 'read';
  return holdsPartOf(principal, reachedRecords[type].write) ? 'write' : undefined;
}

const withMails: readonly ReachedType[] = ['lead', 'application', 'ticket'];

/** The permissions for other records that extend to the records of these types, as `useByOthers` says. */
const extendingPermissions: Readonly<Partial<Record<Permission, readonly ReachedType[]>>> = {
  readEvents: reachedTypes,
  revealBodies: reachedTypes,
  readWebhooks: reachedTypes,
  writeWebhooks: reachedTypes,
  readMails: withMails,
  writeMails: withMails,
  readInvoices: ['merchant'],
  writeInvoices: ['merchant'],
  writeUnderwriting: ['application'],
};

type Permissions = ReadonlySet<Permission>;

/**
 * Returns the types of which some records are hidden from a principal, but none from a holder of the `granted` permissions:
 * these contain a permission that extends to the type, and none for the type itself.
 */
export const typesShownBy = (granted: Permissions, principal: Reaching): readonly ReachedType[] =>
  reachedTypes.filter(
    (type) =>
      hidesSome(principal, type) &&
      useByOthers({ permissions: granted }, type) === undefined &&
      [...granted].some((name) => extendingPermissions[name]?.includes(type)),
  );

/** Reports whether a change takes away all permissions for a type of which some records are hidden from a principal. */
export const takesLimits = (before: Permissions, after: Permissions, principal: Reaching): boolean =>
  reachedTypes.some(
    (type) =>
      hidesSome(principal, type) &&
      useByOthers({ permissions: before }, type) !== undefined &&
      useByOthers({ permissions: after }, type) === undefined,
  );

/** Reports whether some records of a type are hidden from a caller, with the records that belong to them. */
export function hidesSome(principal: Reaching, type: ReachedType): boolean {
  const use = useByOthers(principal, type);
  return use !== undefined && !reachesEvery(principal, type, use);
}

/**
 * Reports whether a record, and the records that belong to it, are hidden from a caller. A missing record is undefined.
 * References to a hidden record are treated as references to no record. A caller without any permission for the type may refer
 * to every record.
 */
export function hides(principal: Reaching, type: ReachedType, record: object | undefined): boolean {
  const use = useByOthers(principal, type);
  if (use === undefined || reachesEvery(principal, type, use)) return false;
  return record === undefined || !mayReach(principal, type, use, record);
}

/** Reports whether a principal has the permission, or one that is limited to some of the records. */
export const holdsPartOf = (
  { permissions }: { permissions: ReadonlySet<Permission> },
  name: Permission,
): boolean =>
  permissions.has(name) || Object.values(limitedPermissions[name] ?? {}).some((one) => permissions.has(one));

/**
 * Returns the owner of a new record for a caller with a limited permission: the user itself. A rotation could choose an owner
 * whose records the caller does not reach. `isLimited` is false if the caller changes all records, and reaches the new one
 * whoever its owner is.
 */
export function ownerOfNew(principal: Principal, type: ReachedType): { isLimited: boolean; owner?: string } {
  const [field] = reachedRecords[type].owners;
  const reachesNew = (owner: string) =>
    mayReach(principal, type, 'write', { createdBy: principal.actor.user, [field]: owner });
  const isLimited = reachOf(principal, type, 'write') !== 'all' || !reachesNew('another user');
  const owner = String(principal.id);
  const isOwn = isLimited && principal.kind === 'user' && reachesNew(owner);
  return { isLimited, ...(isOwn && { owner }) };
}

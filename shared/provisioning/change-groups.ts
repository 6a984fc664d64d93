import { createHash } from 'node:crypto';
import { commitInLanes, untilCommitted } from '../endpoints/commit-in-lanes.ts';
import type { CommitsParts } from '../endpoints/commits-parts.ts';
import type { Request } from '../endpoints/endpoint.ts';
import { ApiError, busy, notFound } from '../errors.ts';
import { created, happened } from '../events/emit.ts';
import type { Effects, EventDraft } from '../events/envelope.ts';
import { unnamedChange } from '../events/unnamed-change.ts';
import type { AccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import type { Role } from '../people/roles/schema.ts';
import { roles } from '../people/roles/store.ts';
import { takeRenewal } from '../people/users/limit-invitations.ts';
import { roleNames } from '../people/users/rules.ts';
import type { Membership } from '../people/users/schema.ts';
import { memberships, readAllMembers } from '../people/users/store.ts';
import { inParallel } from '../table/in-parallel.ts';
import { newRecord } from '../table/record-fields.ts';
import { sameValue } from '../table/revise.ts';
import type { PatchedType, PatchOperation } from './apply-patch.ts';
import { rightsEvents, withRights } from './change-users.ts';
import { fieldOfObject, isObject, type Json } from './evaluate-filter.ts';
import { findMembers, isIn } from './find-users.ts';
import type { MappedGroup, StoredProvisioning } from './schema.ts';
import { scimError } from './scim-failure.ts';
import { textIn } from './scim-user.ts';
import { type Groups, type ProvisioningChange, provisioning, readGroups } from './store.ts';

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** The attributes that a PATCH of a group can name. */
export const patchedGroup: PatchedType = {
  schema: groupSchema,
  attributes: {
    schemas: 'read-only',
    id: 'read-only',
    meta: 'read-only',
    externalId: 'simple',
    displayName: 'simple',
    members: 'list',
  },
};

/** The values of a group that an identity provider sets. */
interface WantedGroup {
  displayName: string;
  externalId: string | undefined;
  /** The ids of users, without duplicates. */
  members: readonly string[];
}

/** The groups of an account. */
const mostGroups = 200;
const mostMembers = 10_000;

/** Reads a group as an identity provider sends it. Throws `invalidValue`. */
export function readScimGroup(resource: unknown): WantedGroup {
  const displayName = textIn(resource, 'displayName');
  if (displayName === undefined) throw scimError('invalidValue', 'displayName is required.');
  const sent = [fieldOfObject(resource, 'members') ?? []].flat();
  if (sent.length > mostMembers)
    throw scimError('invalidValue', `A group can have at most ${mostMembers} members.`);
  const members = sent.map((one) => String((isObject(one) ? fieldOfObject(one, 'value') : one) ?? ''));
  return { displayName, externalId: textIn(resource, 'externalId', 500), members: [...new Set(members)] };
}

/** The members of a group, sorted by id. */
export const membersOfGroup = (group: MappedGroup, all: readonly Membership[]): Membership[] =>
  all.filter((member) => isIn(member, group)).sort((one, other) => one.id - other.id);

/** Shows a group. The version is a hash of its content, because members change without the group. */
export function showScimGroup(
  { id, displayName, externalId }: MappedGroup,
  members: readonly Pick<Membership, 'id'>[],
  base: string,
): Json {
  const content = JSON.stringify([displayName, externalId, members.map((member) => member.id)]);
  const version = createHash('sha256').update(content).digest().readUIntBE(0, 6);
  return {
    schemas: [groupSchema],
    id,
    ...(externalId !== undefined && { externalId }),
    displayName,
    ...(members.length > 0 && {
      members: members.map((member) => ({ value: String(member.id), $ref: `${base}/Users/${member.id}` })),
    }),
    meta: { resourceType: 'Group', location: `${base}/Groups/${id}`, version: `"${version}"` },
  };
}

/** Returns the group with an id. Throws `not_found`. */
export function groupIn({ groups }: Pick<Groups, 'groups'>, id: string): MappedGroup {
  const group = groups.find((one) => one.id === id);
  if (!group) throw notFound('group', id);
  return group;
}

/** Throws `uniqueness` if another group has the name. */
function requireFreeGroupName(groups: readonly MappedGroup[], displayName: string, id?: string): void {
  if (groups.some((one) => one.id !== id && one.displayName.toLowerCase() === displayName.toLowerCase()))
    throw scimError('uniqueness', `Another group has the name ${displayName}.`);
}

/** Throws `version_mismatch` if If-Match contains another version. */
function requireVersion(ifMatch: string | undefined, shown: Json): void {
  const version = isObject(shown.meta) ? shown.meta.version : undefined;
  if (ifMatch !== undefined && ifMatch.trim() !== '*' && ifMatch.trim() !== version)
    throw new ApiError('version_mismatch');
}

/** Returns the writes and the event of changed settings. */
export const settingsChange = (
  account: AccountId,
  before: StoredProvisioning,
  after: ProvisioningChange,
): { writes: ReturnType<typeof provisioning.replace>; events: EventDraft[] } => ({
  writes: provisioning.replace(account, before, after),
  events: unnamedChange(account, 'provisioning_updated', before, {
    groups: after.groups.length,
    ...(after.reassignTo !== undefined && { reassignTo: after.reassignTo }),
  }),
});

type GroupRequest = Request & CommitsParts;

/** The members that one transaction changes. Each has at most 5 writes and 2 events, of 2 writes each. */
const membersAtOnce = 10;

/**
 * Returns all members. The list of members is eventually consistent, so the members with these ids are read again: the
 * previous request may have changed a user.
 */
export async function readEverybody(account: AccountId, ids: readonly string[]): Promise<Membership[]> {
  const [listed, current] = await inParallel([readAllMembers(account), findMembers(account, ids)]);
  return [...new Map([...listed, ...current].map((member) => [member.id, member])).values()];
}

/** Returns the ids of users in the operations of a PATCH, wherever they are. */
export const idsInOperations = (operations: readonly PatchOperation[]): string[] =>
  [...new Set(JSON.stringify(operations).match(/\b[1-9]\d{9,15}\b/g))].slice(0, mostMembers);

/** Throws `invalidValue` if an id does not belong to a user of the account. */
function requireMembers(everybody: readonly Membership[], ids: readonly string[]): void {
  const known = new Set(everybody.map(({ id }) => String(id)));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw scimError('invalidValue', `members: no user has the id ${unknown}.`);
}

/**
 * Sets the members of a group: gives users its role or team, and takes it from others. Commits ten users at a time, because a
 * transaction is limited. Every part reads its users again. Returns the members.
 */
async function setMembers(
  group: MappedGroup,
  wanted: readonly string[],
  everybody: readonly Membership[],
  { all }: Pick<Groups, 'all'>,
  request: GroupRequest,
): Promise<Membership[]> {
  const { account, deadline } = request;
  const held = new Set(membersOfGroup(group, everybody).map(({ id }) => String(id)));
  const isWanted = new Set(wanted);
  const added = wanted.filter((id) => !held.has(id));
  const removed = [...held].filter((id) => !isWanted.has(id));
  const changed = [...added, ...removed];
  const parts = Array.from({ length: Math.ceil(changed.length / membersAtOnce) }, (_, n) =>
    changed.slice(n * membersAtOnce, (n + 1) * membersAtOnce),
  );
  const after = await commitInLanes(parts, deadline, {
    late: () => {
      throw busy();
    },
    run: (ids, _, shards) => {
      const { runOnce } = request.newPart();
      return untilCommitted(deadline, shards, async (options) => {
        const found = await findMembers(account, ids);
        const changes = found.map((member) => ({
          member,
          revised: withRights(member, rightsIn(group, member, isWanted.has(String(member.id))), request),
        }));
        for (const { member, revised } of changes)
          await takeRenewal(member, revised, { ...request, runOnce });
        await request.commit(
          changes.flatMap(({ member, revised }) => memberships.replace(member, revised)),
          changes.flatMap(({ member, revised }) =>
            rightsEvents(member, revised, (one) => roleNames(one, all)),
          ),
          options,
        );
        return changes.map(({ revised }) => revised);
      });
    },
  });
  const byId = new Map(everybody.map((member) => [member.id, member]));
  for (const member of after.flat()) byId.set(member.id, member);
  return membersOfGroup(group, [...byId.values()]);
}

/** The rights of a member who belongs to a group or not. */
function rightsIn({ roleId, teamId }: MappedGroup, member: Membership, isMember: boolean) {
  if (roleId !== undefined) {
    const others = member.roleIds.filter((id) => id !== roleId);
    return { roleIds: isMember ? [...new Set([...member.roleIds, roleId])] : others };
  }
  if (isMember) return { teamId };
  return member.teamId === teamId ? { teamId: null } : {};
}

/** A page of groups has at most this many members, so that it fits into a response. */
const mostMembersOnPage = 20_000;

/** Returns how many of the groups fit on a page; at least one. */
export function fitsOnPage(page: readonly { members: readonly unknown[] }[]): number {
  let total = 0;
  const full = page.findIndex(({ members }, n) => {
    total += members.length;
    return n > 0 && total > mostMembersOnPage;
  });
  return full < 0 ? page.length : full;
}

/**
 * Commits a change of the groups. If another request changes the groups or the roles meanwhile, reads them again, because
 * identity providers send several groups at once. Returns the groups before the change.
 */
async function saveGroups(
  found: Groups,
  { account, deadline, commit }: GroupRequest,
  changeOf: (current: Groups) => Effects,
): Promise<Groups> {
  let known: Groups | undefined = found;
  return untilCommitted(deadline, undefined, async (options) => {
    const current = known ?? (await readGroups(account));
    known = undefined;
    const { writes, events } = changeOf(current);
    await commit(writes, events, options);
    return current;
  });
}

type ChangedGroup = { group: MappedGroup; members: readonly Membership[] };

/**
 * Creates a group, and a role without permissions for it: an identity provider cannot choose rights. Throws `uniqueness`,
 * `role_name_taken` and `quota_exceeded`.
 */
export async function createGroup(
  { displayName, externalId, members: ids }: WantedGroup,
  found: Groups,
  request: GroupRequest,
): Promise<ChangedGroup> {
  const { account, now } = request;
  requireFreeGroupName(found.groups, displayName);
  const everybody = await readEverybody(account, ids);
  requireMembers(everybody, ids);
  const role: Role = {
    ...newRecord(request),
    name: displayName.slice(0, 100).trim(),
    flatPermissionsList: [],
  };
  const group: MappedGroup = {
    id: `role-${role.id}`,
    displayName,
    ...(externalId !== undefined && { externalId }),
    roleId: role.id,
    made: true,
  };
  const { all } = await saveGroups(found, request, ({ settings, all, groups }) => {
    requireFreeGroupName(groups, displayName);
    if (groups.length >= mostGroups) throw new ApiError('quota_exceeded');
    const before = settings.version === 0 ? { ...settings, id: mintId(now) } : settings;
    const saved = settingsChange(account, before, { ...settings, groups: [...groups, group] });
    return {
      writes: [...roles.insert(all, role), ...saved.writes],
      events: [...created(roles, 'role_created', role), ...saved.events],
    };
  });
  const members = await setMembers(
    group,
    ids,
    everybody,
    { all: { ...all, roles: { ...all.roles, [role.id]: role } } },
    request,
  );
  return { group, members };
}

/**
 * Changes a group to the values that `want` returns for it. Throws `version_mismatch`, `uniqueness`, `invalidValue` and the
 * errors of `want`.
 */
export async function changeGroup(
  want: (shown: Json) => WantedGroup,
  found: Groups,
  everybody: readonly Membership[],
  request: GroupRequest & { params: { id: string } },
): Promise<ChangedGroup> {
  const { account, params, headers } = request;
  const before = groupIn(found, params.id);
  const shown = showScimGroup(before, membersOfGroup(before, everybody), '');
  requireVersion(headers['if-match'], shown);
  const { displayName, externalId, members: ids } = want(shown);
  requireFreeGroupName(found.groups, displayName, before.id);
  requireMembers(everybody, ids);
  const { externalId: _, ...kept } = before;
  const group = { ...kept, displayName, ...(externalId !== undefined && { externalId }) };
  const members = await setMembers(group, ids, everybody, found, request);
  if (!sameValue(before, group))
    await saveGroups(found, request, (current) => {
      const { id } = groupIn(current, before.id);
      requireFreeGroupName(current.groups, displayName, id);
      const replaced = current.groups.map((one) => (one.id === id ? group : one));
      return settingsChange(account, current.settings, { ...current.settings, groups: replaced });
    });
  return { group, members };
}

/** Deletes a group, and the role if SCIM created it. Otherwise, takes the role or the team from the members. */
export async function removeGroup(
  found: Groups,
  everybody: readonly Membership[],
  request: GroupRequest & { params: { id: string } },
): Promise<void> {
  const { account, params, headers } = request;
  const group = groupIn(found, params.id);
  requireVersion(headers['if-match'], showScimGroup(group, membersOfGroup(group, everybody), ''));
  if (!group.made) await setMembers(group, [], everybody, found, request);
  await saveGroups(found, request, ({ settings, all, groups }) => {
    const { made, roleId } = groupIn({ groups }, group.id);
    const role = made && roleId !== undefined ? all.roles[roleId] : undefined;
    const others = groups.filter((one) => one.id !== group.id);
    const saved = settingsChange(account, settings, { ...settings, groups: others });
    return {
      writes: [...(role ? roles.delete(role) : []), ...saved.writes],
      events: [...(role ? happened(roles, 'role_deleted', role) : []), ...saved.events],
    };
  });
}

import { ApiError, invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Write } from '../../table/operations.ts';
import { sameValue } from '../../table/revise.ts';
import { type StoredTree, teamTrees } from '../team-trees/store.ts';
import {
  changedManagers,
  checkPlace,
  placeIn,
  type TeamPlace,
  type TeamTree,
  withPlace,
} from '../team-trees/team-tree.ts';
import type { Membership } from '../users/schema.ts';
import { memberships } from '../users/store.ts';
import type { StoredTeam } from './schema.ts';
import { teams } from './store.ts';

/**
 * The most memberships that one change updates, in the transaction that changes the team. DynamoDB allows 100 operations;
 * the others are the team, its counters, the tree, the event and the stored response.
 */
export const mostChangedManagers = 90;

/** The id of a new team, before it is generated. */
const newTeamId = 0;

/** The new place of a team as it is sent. Null moves the team to the top level. */
interface SentPlace {
  parentTeamId?: number | null;
  managerIds?: readonly number[];
}

/** A change of the tree, and the memberships of the users who then manage other teams. */
interface PlaceChange {
  tree: StoredTree;
  id: number;
  place: TeamPlace;
  members: readonly Membership[];
}

/**
 * Reads what a new place of a team needs. Undefined if the place does not change. `id` is undefined for a new team. Throws
 * `team_unknown`, `user_unknown`, and the errors of `checkPlace`.
 */
export async function readPlaceChange(
  account: AccountId,
  tree: StoredTree,
  { parentTeamId, managerIds }: SentPlace,
  id = newTeamId,
): Promise<PlaceChange | undefined> {
  const before = placeIn(tree, id);
  const parent = parentTeamId === undefined ? before.parentTeamId : (parentTeamId ?? undefined);
  const place = {
    ...(parent !== undefined && { parentTeamId: parent }),
    managerIds: managerIds ?? before.managerIds,
  };
  if (sameValue(place, before)) return undefined;
  const added = place.managerIds.filter((one) => !before.managerIds.includes(one));
  const [known] = await Promise.all([
    memberships.findMany(account, added),
    parent === before.parentTeamId ? undefined : teams.requireActive(account, parent, parentUnknown()),
  ]);
  const unknown = added.find((one) => known.every((member) => member.id !== one));
  if (unknown !== undefined)
    throw invalid('managerIds', `contains ${unknown}, which is no user of this account`, 'user_unknown');
  checkPlace(tree, id, place);
  const members = await readManagers(account, tree, withPlace(tree, id, place));
  return { tree, id, place, members };
}

const parentUnknown = () => invalid('parentTeamId', 'is not an active team of this account', 'team_unknown');

/** Reads the memberships of the users who manage other teams after a change of the tree. Throws `quota_exceeded`. */
export async function readManagers(
  account: AccountId,
  before: TeamTree,
  after: TeamTree,
): Promise<Membership[]> {
  const changed = [...changedManagers(before, after).keys()];
  if (changed.length > mostChangedManagers)
    throw new ApiError('quota_exceeded', {
      message: `The change affects the access of ${changed.length} managers. A change can affect at most ${mostChangedManagers}, because DynamoDB limits a transaction to 100 operations. Remove managers of this team, or of the teams above it, first.`,
    });
  return memberships.findMany(account, changed);
}

/** Returns the writes of a team's new place: the tree, and the managed teams in the memberships of managers. */
export function placeWrites(
  { id, accountId }: Pick<StoredTeam, 'id' | 'accountId'>,
  { tree, place, members }: Omit<PlaceChange, 'id'>,
): Write[] {
  return treeWrites(accountId, tree, withPlace(tree, id, place), members);
}

/** Returns the writes of a changed tree. `members` are the memberships from `readManagers`. */
export function treeWrites(
  account: AccountId,
  before: StoredTree,
  after: TeamTree,
  members: readonly Membership[],
): Write[] {
  const isSame = sameValue(after.teams, before.teams);
  const changed = changedManagers(before, after);
  return [
    teamTrees.replace(account, before, isSame ? undefined : after),
    ...members.map((member) => memberships.setManagedTeams(member, changed.get(member.id) ?? [])),
  ];
}

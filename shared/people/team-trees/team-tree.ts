import { ApiError, invalid } from '../../errors.ts';

/** A team at the top level has no `parentTeamId`. */
export interface TeamPlace {
  parentTeamId?: number;
  managerIds: readonly number[];
}

/**
 * The places of an account's teams. A team without a parent and managers may be missing. A team is never below itself, and
 * each parent exists.
 */
export interface TeamTree {
  teams: Readonly<Record<number, Partial<TeamPlace>>>;
}

export const mostLevels = 5;
export const mostManagers = 20;
/** A manager's membership contains the ids of these teams, and every request of the manager reads it. */
const mostManaged = 50;
/** With 20 managers each, these teams take up less than 250 KB, so that the tree fits into one item. */
const mostPlaced = 500;

export const placeIn = ({ teams }: TeamTree, id: number): TeamPlace => ({ managerIds: [], ...teams[id] });

/** Returns the tree after a team has moved, or has other managers. */
export function withPlace(
  { teams }: TeamTree,
  id: number,
  { parentTeamId, managerIds }: TeamPlace,
): TeamTree {
  const { [id]: _, ...others } = teams;
  const place = {
    ...(parentTeamId !== undefined && { parentTeamId }),
    ...(managerIds.length > 0 && { managerIds }),
  };
  return { teams: Object.keys(place).length > 0 ? { ...others, [id]: place } : others };
}

/** Returns the tree after the deletion of a team. The teams directly below it move to the top level. */
export const withoutTeam = (tree: TeamTree, deleted: number): TeamTree =>
  idsIn(tree)
    .filter((id) => placeIn(tree, id).parentTeamId === deleted)
    .reduce(
      (after, id) => withPlace(after, id, { ...placeIn(tree, id), parentTeamId: undefined }),
      withPlace(tree, deleted, { managerIds: [] }),
    );

/** Returns the tree after a user has left the account. */
export const withoutManager = (tree: TeamTree, userId: number): TeamTree =>
  idsIn(tree).reduce((after, id) => {
    const { managerIds, ...place } = placeIn(tree, id);
    return withPlace(after, id, { ...place, managerIds: managerIds.filter((one) => one !== userId) });
  }, tree);

/** Returns for each manager the ids of the managed teams and of all teams below them, in ascending order. */
export function managedTeams(tree: TeamTree): Map<number, number[]> {
  const managed = new Map<number, number[]>();
  for (const id of idsIn(tree).sort((one, other) => one - other)) {
    const managers = new Set(pathOf(tree, id).flatMap((above) => placeIn(tree, above).managerIds));
    for (const user of managers) managed.set(user, [...(managed.get(user) ?? []), id]);
  }
  return managed;
}

/** Returns the users who manage other teams after a change, with the ids of these teams. */
export function changedManagers(before: TeamTree, after: TeamTree): Map<number, number[]> {
  const [was, is] = [managedTeams(before), managedTeams(after)];
  const users = new Set([...was.keys(), ...is.keys()]);
  return new Map(
    [...users].flatMap((user) => {
      const [from = [], to = []] = [was.get(user), is.get(user)];
      return from.join() === to.join() ? [] : [[user, to] as const];
    }),
  );
}

/** Throws if a team cannot have this place: `invalid_input` for its parent, `quota_exceeded` if a limit is exceeded. */
export function checkPlace(before: TeamTree, id: number, place: TeamPlace): void {
  const { parentTeamId: parent } = place;
  if (parent !== undefined && pathOf(before, parent).includes(id))
    throw invalid('parentTeamId', 'must not be the team itself or a team below it');
  const after = withPlace(before, id, place);
  const levels = pathOf(after, id).length + levelsBelow(after, id);
  if (levels > mostLevels)
    throw invalid(
      'parentTeamId',
      `must not lead to more than ${mostLevels} levels of teams, but leads to ${levels}`,
    );
  if (idsIn(after).length > Math.max(mostPlaced, idsIn(before).length))
    throw new ApiError('quota_exceeded', {
      message: `At most ${mostPlaced} teams of an account can have managers or a parent team.`,
    });
  for (const [user, { length }] of changedManagers(before, after))
    if (length > Math.max(mostManaged, managedTeams(before).get(user)?.length ?? 0))
      throw new ApiError('quota_exceeded', {
        message: `A user can manage at most ${mostManaged} teams, including the teams below them. The user ${user} would manage ${length}.`,
      });
}

const idsIn = ({ teams }: TeamTree): number[] => Object.keys(teams).map(Number);

/** Returns a team and the teams above it, the nearest first. */
function pathOf(tree: TeamTree, id: number): number[] {
  const path = [id];
  for (let at = placeIn(tree, id).parentTeamId; at !== undefined; at = placeIn(tree, at).parentTeamId)
    path.push(at);
  return path;
}

function levelsBelow(tree: TeamTree, id: number): number {
  const children = idsIn(tree).filter((child) => placeIn(tree, child).parentTeamId === id);
  return Math.max(0, ...children.map((child) => 1 + levelsBelow(tree, child)));
}

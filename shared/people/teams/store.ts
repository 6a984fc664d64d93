import { ApiError, notFound } from '../../errors.ts';
import { byName } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { recordKey } from '../../table/keys.ts';
import type { Write } from '../../table/operations.ts';
import { getItems } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { type StoredTree, treeKey, treeOf } from '../team-trees/store.ts';
import { placeIn, type TeamTree } from '../team-trees/team-tree.ts';
import type { StoredTeam, Team } from './schema.ts';

const records = recordStore<StoredTeam, 'team'>({ resource: 'team' });

export const teams = {
  ...records,

  describe: byName,

  /** Throws `team_unknown` if the account has no active team with this id. Accepts an id that is undefined or null. */
  async requireActive(
    account: AccountId,
    id: number | null | undefined,
    otherwise = new ApiError('team_unknown'),
  ): Promise<void> {
    if (id === undefined || id === null) return;
    const team = await records.find(account, id);
    if (!team?.active) throw otherwise;
  },

  /** Returns a team and the tree of the account's teams in one read. Throws `not_found`. */
  async getWithTree(account: AccountId, id: number): Promise<{ team: Team; tree: StoredTree }> {
    const [found, item] = await getItems([recordKey(account, records.noun, id), treeKey(account)]);
    if (!found || isTombstone(found)) throw notFound(records.subject, id);
    const tree = treeOf(item);
    return { team: withPlaceIn(tree, recordOf<StoredTeam>(found)), tree };
  },
};

/** Adds the fields that the tree contains to a stored team. */
export const withPlaceIn = (tree: TeamTree, team: StoredTeam): Team => {
  const { parentTeamId, managerIds } = placeIn(tree, team.id);
  return { ...team, ...(parentTeamId !== undefined && { parentTeamId }), managerIds: [...managerIds] };
};

/** Removes the fields that the tree contains. */
const storedTeam = ({ parentTeamId, managerIds, ...team }: Team): StoredTeam => team;

/** The teams as responses and events show them. */
export const placedTeams = {
  subject: teams.subject,
  describe: teams.describe,
  insert: (team: Team): Write[] => teams.insert(storedTeam(team)),
  get: async (account: AccountId, id: number): Promise<Team> => (await teams.getWithTree(account, id)).team,
  show: (team: Team): Team => team,
  /** Omits an empty list of managers, so that the event of a new team without managers does not contain it. */
  forEvents: ({ managerIds, ...team }: Team) => ({ ...team, ...(managerIds.length > 0 && { managerIds }) }),
  replace: (before: Team, after: Team): Write[] => teams.replace(storedTeam(before), storedTeam(after)),
  delete: (team: Team, now: Date): Write[] => teams.delete(storedTeam(team), now),
};

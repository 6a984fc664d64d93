import type { AccountId } from '../../id/account-id.ts';
import type { ListSource } from '../../table/list-source.ts';
import { teamTrees } from '../team-trees/store.ts';
import type { StoredTeam, Team } from './schema.ts';
import { teams, withPlaceIn } from './store.ts';

/** Reads the tree in parallel with the teams. */
export function listTeams(account: AccountId): ListSource<Team, StoredTeam> {
  const reading = teamTrees.find(account);
  // If the read fails, `show` throws the error. The catch avoids an unhandled rejection if `show` is never called.
  reading.catch(() => undefined);
  return {
    ...teams.listOf(account),
    async show(page) {
      const tree = await reading;
      return page.map((team) => withPlaceIn(tree, team));
    },
  };
}

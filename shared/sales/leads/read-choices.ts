import type { AccountId } from '../../id/account-id.ts';
import { teams } from '../../people/teams/store.ts';
import { leadSources } from '../lead-sources/store.ts';
import type { Choices, TeamAndSource } from './team-and-source.ts';

/** The largest number of teams, and of sources, that `readChoices` reads. */
const maxChoices = 1000;

/** Reads the given team, or the newest `maxChoices` teams if no team is given. Reads lead sources in the same way. */
export async function readChoices(
  account: AccountId,
  { teamId, leadSourceId }: TeamAndSource,
): Promise<Choices> {
  const [team, source] = [teamId ?? undefined, leadSourceId ?? undefined];
  const [foundTeams, foundSources] = await Promise.all([
    team === undefined ? teams.newest(account, maxChoices) : teams.find(account, team),
    source === undefined ? leadSources.newest(account, maxChoices) : leadSources.find(account, source),
  ]);
  return { teams: [foundTeams ?? []].flat(), sources: [foundSources ?? []].flat() };
}

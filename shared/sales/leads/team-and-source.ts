import { ApiError } from '../../errors.ts';
import type { StoredTeam } from '../../people/teams/schema.ts';
import type { LeadSource } from '../lead-sources/schema.ts';

export interface TeamAndSource {
  teamId?: number | null;
  leadSourceId?: number | null;
}

/** Reports whether a value was sent and differs from the stored value. */
const differs = (sent: number | null | undefined, before: number | null | undefined): boolean =>
  sent !== undefined && sent !== before;

/** Reports whether a change sets another team or source. */
export const changesTeamOrSource = (before: TeamAndSource, change: TeamAndSource): boolean =>
  differs(change.teamId, before.teamId) || differs(change.leadSourceId, before.leadSourceId);

/**
 * Returns the team and source to validate after a change. Omits a stored team or source that is deleted or
 * inactive now, because a request that does not change this field must not fail.
 */
export function teamAndSourceAfter(
  before: TeamAndSource,
  change: TeamAndSource,
  choices: Choices,
): TeamAndSource {
  const ifActive = (id: number | null | undefined, records: { id: number; active: boolean }[]) =>
    records.some((record) => record.id === id && record.active) ? id : undefined;
  return {
    teamId: differs(change.teamId, before.teamId) ? change.teamId : ifActive(before.teamId, choices.teams),
    leadSourceId: differs(change.leadSourceId, before.leadSourceId)
      ? change.leadSourceId
      : ifActive(before.leadSourceId, choices.sources),
  };
}

/** The records that are needed to check the team and source of a lead. */
export interface Choices {
  teams: StoredTeam[];
  sources: LeadSource[];
}

/**
 * Throws if the team or the source is not active, or if the source is only for another team. With `required`,
 * also throws if the team is missing although the account has active teams, or if the source is missing
 * although the team has active sources.
 */
export function checkTeamAndSource(teamAndSource: TeamAndSource, choices: Choices, required: boolean): void {
  const teamId = teamAndSource.teamId ?? undefined;
  const sourceId = teamAndSource.leadSourceId ?? undefined;
  const activeTeams = choices.teams.filter(({ active }) => active);
  const sources = choices.sources.filter((source) => source.active && serves(source, teamId));

  if (teamId !== undefined && !activeTeams.some(({ id }) => id === teamId))
    throw new ApiError('team_unknown');
  if (sourceId !== undefined && !sources.some(({ id }) => id === sourceId))
    throw new ApiError('lead_source_unknown');
  if (!required) return;
  if (teamId === undefined && activeTeams.length > 0) throw new ApiError('team_required');
  if (teamId !== undefined && sourceId === undefined && sources.length > 0)
    throw new ApiError('lead_source_required');
}

const serves = (source: LeadSource, teamId: number | undefined): boolean =>
  source.teamId === undefined || teamId === undefined || source.teamId === teamId;

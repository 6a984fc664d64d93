import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Team } from '../../people/teams/schema.ts';
import type { LeadSource } from '../lead-sources/schema.ts';

/** Where a lead belongs: a team and a source. */
export interface TeamAndSource {
  teamId?: number | null;
  leadSourceId?: number | null;
}

/** Whether a value is sent that differs from the stored one. */
const sets = (sent: number | null | undefined, before: number | null | undefined): boolean =>
  sent !== undefined && sent !== before;

/** Whether a change sets another team or source. */
export const changesTeamOrSource = (before: TeamAndSource, change: TeamAndSource): boolean =>
  sets(change.teamId, before.teamId) || sets(change.leadSourceId, before.leadSourceId);

/**
 * Where a lead belongs after a change. What it referred to before and is gone or inactive by now counts as none, so
 * that no request fails for what it does not change.
 */
export function teamAndSourceAfter(
  before: TeamAndSource,
  change: TeamAndSource,
  { teams, sources }: Choices,
): TeamAndSource {
  const living = (id: number | null | undefined, records: { id: number; active: boolean }[]) =>
    records.some((record) => record.id === id && record.active) ? id : undefined;
  return {
    teamId: sets(change.teamId, before.teamId) ? change.teamId : living(before.teamId, teams),
    leadSourceId: sets(change.leadSourceId, before.leadSourceId)
      ? change.leadSourceId
      : living(before.leadSourceId, sources),
  };
}

/** The teams and sources that the team and source of a lead are checked against. */
interface Choices {
  teams: Team[];
  sources: LeadSource[];
}

/**
 * Throws for a team and source that the account does not allow. A team is required where the account has active ones, a source
 * where the team has active ones; what is named must be active, and a source must be the team's or everybody's.
 * With `required` off only what is named is checked.
 */
export function checkTeamAndSource(teamAndSource: TeamAndSource, choices: Choices, required: boolean): void {
  const teamId = teamAndSource.teamId ?? undefined;
  const sourceId = teamAndSource.leadSourceId ?? undefined;
  const teams = choices.teams.filter(({ active }) => active);
  const sources = choices.sources.filter((source) => source.active && serves(source, teamId));

  if (teamId !== undefined && !teams.some(({ id }) => id === teamId)) throw new ApiError('team_unknown');
  if (sourceId !== undefined && !sources.some(({ id }) => id === sourceId))
    throw new ApiError('lead_source_unknown');
  if (!required) return;
  if (teamId === undefined && teams.length > 0) throw new ApiError('team_required');
  if (teamId !== undefined && sourceId === undefined && sources.length > 0)
    throw new ApiError('lead_source_required');
}

const serves = (source: LeadSource, teamId: number | undefined): boolean =>
  source.teamId === undefined || teamId === undefined || source.teamId === teamId;

interface Stores {
  teams: ChoiceStore<Team>;
  sources: ChoiceStore<LeadSource>;
}

interface ChoiceStore<R> {
  find(account: AccountId, id: number): Promise<R | undefined>;
  newest(account: AccountId, limit: number): Promise<R[]>;
}

/** As many teams or sources as are looked at to find out whether there is an active one. */
const looked = 1000;

/** Reads what a team and source are checked against: those named, or else all that could be named. */
export async function readChoices(
  account: AccountId,
  teamAndSource: TeamAndSource,
  stores: Stores,
): Promise<Choices> {
  const [teams, sources] = await Promise.all([
    oneOrAll(stores.teams, account, teamAndSource.teamId),
    oneOrAll(stores.sources, account, teamAndSource.leadSourceId),
  ]);
  return { teams, sources };
}

async function oneOrAll<R>(
  store: ChoiceStore<R>,
  account: AccountId,
  id: number | null | undefined,
): Promise<R[]> {
  if (id === undefined || id === null) return store.newest(account, looked);
  const found = await store.find(account, id);
  return found ? [found] : [];
}

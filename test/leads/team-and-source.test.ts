import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { Team } from '../../shared/people/teams/schema.ts';
import type { LeadSource } from '../../shared/sales/lead-sources/schema.ts';
import {
  changesTeamOrSource,
  checkTeamAndSource,
  readChoices,
  type TeamAndSource,
} from '../../shared/sales/leads/team-and-source.ts';

const at = '2026-03-01T09:30:00.000Z';
const record = { accountId: 'acc' as AccountId, name: 'x', version: 1, createdAt: at, updatedAt: at };
const team = (id: number, active = true): Team => ({ ...record, id, active });
const source = (id: number, teamId?: number, active = true): LeadSource => ({
  ...record,
  id,
  teamId,
  active,
});

const west = team(1);
const closed = team(2, false);
const fair = source(10);
const westFair = source(11, 1);
const eastFair = source(12, 3);
const oldFair = source(13, 1, false);

/** What a placement is answered with: `ok` or the refusal’s code. */
function judged(teamAndSource: TeamAndSource, teams: Team[], sources: LeadSource[], required = true): string {
  try {
    checkTeamAndSource(teamAndSource, { teams, sources }, required);
    return 'ok';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe('team and source of a lead', () => {
  test.each<[string, string, TeamAndSource, Team[], LeadSource[], boolean?]>([
    ['anywhere in an account without teams', 'ok', {}, [], []],
    ['anywhere where no team is active', 'ok', {}, [closed], []],
    ['not without a team where there is an active one', 'team_required', {}, [west], []],
    ['not with a team cleared where there is one', 'team_required', { teamId: null }, [west], []],
    ['without a team where that is waived', 'ok', {}, [west], [fair], false],
    ['in an active team', 'ok', { teamId: 1 }, [west], []],
    ['not in a team that is not active', 'team_unknown', { teamId: 2 }, [closed], []],
    ['not in a team that is not there', 'team_unknown', { teamId: 9 }, [west], []],
    [
      'not in an unknown team even where the requirement is waived',
      'team_unknown',
      { teamId: 9 },
      [],
      [],
      false,
    ],
    ['not without a source of its team', 'lead_source_required', { teamId: 1 }, [west], [westFair]],
    ['not without a source that serves every team', 'lead_source_required', { teamId: 1 }, [west], [fair]],
    ['without a source where all are of other teams', 'ok', { teamId: 1 }, [west], [eastFair]],
    ['without a source where none is active', 'ok', { teamId: 1 }, [west], [oldFair]],
    ['without a source where that is waived', 'ok', { teamId: 1 }, [west], [westFair], false],
    ['with a source of its team', 'ok', { teamId: 1, leadSourceId: 11 }, [west], [westFair]],
    ['with a source of every team', 'ok', { teamId: 1, leadSourceId: 10 }, [west], [fair]],
    [
      'not with a source of another team',
      'lead_source_unknown',
      { teamId: 1, leadSourceId: 12 },
      [west],
      [eastFair],
    ],
    [
      'not with a source that is not active',
      'lead_source_unknown',
      { teamId: 1, leadSourceId: 13 },
      [west],
      [oldFair],
    ],
    ['not with a source that is not there', 'lead_source_unknown', { leadSourceId: 99 }, [], []],
    ['with a source and no team where there are no teams', 'ok', { leadSourceId: 10 }, [], [fair]],
  ])('where a lead may be placed: %s', (_, response, teamAndSource, teams, sources, required) => {
    expect(judged(teamAndSource, teams, sources, required)).toBe(response);
  });

  const ids = fc.integer({ min: 1, max: 4 });
  const anyTeams = fc.uniqueArray(fc.record({ id: ids, active: fc.boolean() }), { selector: ({ id }) => id });
  const anySources = fc.uniqueArray(
    fc.record({ id: ids, teamId: fc.option(ids, { nil: undefined }), active: fc.boolean() }),
    { selector: ({ id }) => id },
  );
  const anyTeamAndSource = fc.record({
    teamId: fc.option(ids, { nil: undefined }),
    leadSourceId: fc.option(ids, { nil: undefined }),
  });

  test('what passes names only what is active and belongs together, whatever the account has', () => {
    fc.assert(
      fc.property(
        anyTeamAndSource,
        anyTeams,
        anySources,
        fc.boolean(),
        (teamAndSource, teams, sources, required) => {
          const theTeams = teams.map(({ id, active }) => team(id, active));
          const theSources = sources.map(({ id, teamId, active }) => source(id, teamId, active));
          if (judged(teamAndSource, theTeams, theSources, required) !== 'ok') return;
          const { teamId, leadSourceId } = teamAndSource;
          if (teamId !== undefined) expect(theTeams).toContainEqual(team(teamId));
          const chosen = theSources.find(({ id }) => id === leadSourceId);
          expect(leadSourceId === undefined || chosen?.active).toBe(true);
          if (chosen?.teamId !== undefined && teamId !== undefined) expect(chosen.teamId).toBe(teamId);
          if (required && theTeams.some(({ active }) => active)) expect(teamId).toBeDefined();
        },
      ),
    );
  });

  test('a requirement that is waived never refuses what passes without the waiver', () => {
    fc.assert(
      fc.property(anyTeamAndSource, anyTeams, anySources, (teamAndSource, teams, sources) => {
        const choices = [
          teams.map(({ id, active }) => team(id, active)),
          sources.map(({ id, teamId, active }) => source(id, teamId, active)),
        ] as const;
        if (judged(teamAndSource, ...choices) === 'ok')
          expect(judged(teamAndSource, ...choices, false)).toBe('ok');
      }),
    );
  });
});

test('a change moves a lead if it sets or clears another team or source', () => {
  const before = { teamId: 2, leadSourceId: 10 };
  const changes = [{}, before, { teamId: 1 }, { teamId: null }, { leadSourceId: null }];
  expect(changes.map((change) => changesTeamOrSource(before, change))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('what a placement names is read by its id, and only what it leaves open is listed', async () => {
  const asked: string[] = [];
  const store = <R extends { id: number }>(name: string, records: R[]) => ({
    find: async (_: AccountId, id: number) => {
      asked.push(`${name} ${id}`);
      return records.find((one) => one.id === id);
    },
    newest: async () => {
      asked.push(name);
      return records;
    },
  });
  const stores = { teams: store('teams', [west, closed]), sources: store('sources', [fair, westFair]) };
  const choices = await readChoices('acc' as AccountId, { teamId: 1, leadSourceId: null }, stores);
  expect(choices).toEqual({ teams: [west], sources: [fair, westFair] });
  expect(asked.sort()).toEqual(['sources', 'teams 1']);
  expect(await readChoices('acc' as AccountId, { teamId: 9, leadSourceId: 9 }, stores)).toEqual({
    teams: [],
    sources: [],
  });
});

import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { StoredTeam } from '../../shared/people/teams/schema.ts';
import type { LeadSource } from '../../shared/sales/lead-sources/schema.ts';
import { readChoices } from '../../shared/sales/leads/read-choices.ts';
import {
  changesTeamOrSource,
  checkTeamAndSource,
  type TeamAndSource,
} from '../../shared/sales/leads/team-and-source.ts';
import { watchWire } from '../harness/wire.ts';

const at = '2026-03-01T09:30:00.000Z';
const record = { accountId: 'acc' as AccountId, name: 'x', version: 1, createdAt: at, updatedAt: at };
const team = (id: number, active = true): StoredTeam => ({ ...record, id, active });
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

/** Checks a team and source. Returns `ok` or the error code. */
function checked(
  teamAndSource: TeamAndSource,
  teams: StoredTeam[],
  sources: LeadSource[],
  required = true,
): string {
  try {
    checkTeamAndSource(teamAndSource, { teams, sources }, required);
    return 'ok';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe('team and source of a lead', () => {
  test.each<[string, string, TeamAndSource, StoredTeam[], LeadSource[], boolean?]>([
    ['no team or source, in an account without teams', 'ok', {}, [], []],
    ['no team or source, without an active team', 'ok', {}, [closed], []],
    ['no team, with an active team', 'team_required', {}, [west], []],
    ['a cleared team, with an active team', 'team_required', { teamId: null }, [west], []],
    ['no team or source, if the requirement is skipped', 'ok', {}, [west], [fair], false],
    ['an active team', 'ok', { teamId: 1 }, [west], []],
    ['an inactive team', 'team_unknown', { teamId: 2 }, [closed], []],
    ['an unknown team', 'team_unknown', { teamId: 9 }, [west], []],
    ['an unknown team, if the requirement is skipped', 'team_unknown', { teamId: 9 }, [], [], false],
    ['no source, if the team has a source', 'lead_source_required', { teamId: 1 }, [west], [westFair]],
    ['no source, if a source for every team exists', 'lead_source_required', { teamId: 1 }, [west], [fair]],
    ['no source, if all sources belong to other teams', 'ok', { teamId: 1 }, [west], [eastFair]],
    ['no source, if no source is active', 'ok', { teamId: 1 }, [west], [oldFair]],
    ['no source, if the requirement is skipped', 'ok', { teamId: 1 }, [west], [westFair], false],
    ['a source of the team', 'ok', { teamId: 1, leadSourceId: 11 }, [west], [westFair]],
    ['a source for every team', 'ok', { teamId: 1, leadSourceId: 10 }, [west], [fair]],
    ['a source of another team', 'lead_source_unknown', { teamId: 1, leadSourceId: 12 }, [west], [eastFair]],
    ['an inactive source', 'lead_source_unknown', { teamId: 1, leadSourceId: 13 }, [west], [oldFair]],
    ['an unknown source', 'lead_source_unknown', { leadSourceId: 99 }, [], []],
    ['a source without a team, in an account without teams', 'ok', { leadSourceId: 10 }, [], [fair]],
  ])('%s: %s', (_, result, teamAndSource, teams, sources, required) => {
    expect(checked(teamAndSource, teams, sources, required)).toBe(result);
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

  test('are accepted only if they are active and belong together', () => {
    fc.assert(
      fc.property(
        anyTeamAndSource,
        anyTeams,
        anySources,
        fc.boolean(),
        (teamAndSource, teams, sources, required) => {
          const theTeams = teams.map(({ id, active }) => team(id, active));
          const theSources = sources.map(({ id, teamId, active }) => source(id, teamId, active));
          if (checked(teamAndSource, theTeams, theSources, required) !== 'ok') return;
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

  test('that are accepted where they are required are also accepted where they are optional', () => {
    fc.assert(
      fc.property(anyTeamAndSource, anyTeams, anySources, (teamAndSource, teams, sources) => {
        const choices = [
          teams.map(({ id, active }) => team(id, active)),
          sources.map(({ id, teamId, active }) => source(id, teamId, active)),
        ] as const;
        if (checked(teamAndSource, ...choices) === 'ok')
          expect(checked(teamAndSource, ...choices, false)).toBe('ok');
      }),
    );
  });
});

test('a change of team or source is detected if either is set to another value or cleared', () => {
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

test('if a request names a team or a source, this record is read by its id, and the list is not read', async () => {
  const reads: string[] = [];
  const isRead = (operation: string) => /Get|Query|Scan/.test(operation);
  onTestFinished(watchWire({ before: ({ operation }) => void (isRead(operation) && reads.push(operation)) }));
  const account = 'acc' as AccountId;
  const nothing = { teams: [], sources: [] };
  expect(await readChoices(account, { teamId: 1, leadSourceId: null })).toEqual(nothing);
  expect(await readChoices(account, { teamId: 9, leadSourceId: 9 })).toEqual(nothing);
  expect(reads.toSorted()).toEqual(['GetItem', 'GetItem', 'GetItem', 'Query']);
});

import { describe, expect, test } from 'vitest';
import activateLeadSource from '../../functions/lead-sources/activate-lead-source.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import deactivateLeadSource from '../../functions/lead-sources/deactivate-lead-source.ts';
import deleteLeadSource from '../../functions/lead-sources/delete-lead-source.ts';
import listLeadSources from '../../functions/lead-sources/list-lead-sources.ts';
import readLeadSource from '../../functions/lead-sources/read-lead-source.ts';
import updateLeadSource from '../../functions/lead-sources/update-lead-source.ts';
import activateTeam from '../../functions/teams/activate-team.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import readTeam from '../../functions/teams/read-team.ts';
import updateTeam from '../../functions/teams/update-team.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { kindsOf } from './event-kinds.ts';

const acme = await tenant();

describe('a team', () => {
  test('a team is active by default, can be read and listed, and emits team_created', async () => {
    const team = await acme.key.ok(createTeam, { body: { name: 'West', description: 'Left of here' } });
    expect(team).toMatchObject({ name: 'West', active: true, version: 1, createdBy: acme.apiKey });
    expect(await acme.admin.ok(readTeam, { params: { id: team.id } })).toEqual(team);
    expect(await acme.admin.ok(listTeams)).toMatchObject({ data: [team], totalCount: 1 });
    const [event] = (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'team_created');
    expect(event).toMatchObject({
      subject: { type: 'team', id: team.id, version: 1 },
      actor: { user: acme.apiKey, apiKey: acme.apiKey },
      request: { method: 'POST', path: '/teams', ipAddress: '192.0.2.1' },
      data: { changes: { name: { to: 'West' }, active: { to: true } } },
      occurredAt: team.createdAt,
    });
  });

  test('a team can be created as inactive, and the list can be filtered by active', async () => {
    const idle = await acme.key.ok(createTeam, { body: { name: 'Idle', active: false } });
    expect(await acme.admin.ok(listTeams, { query: { active: false } })).toMatchObject({ data: [idle] });
  });

  test('creating, changing, deactivating, activating and deleting a team emit one event each', async () => {
    const acme = await tenant();
    const before = await kindsOf(acme);
    const team = await acme.admin.ok(createTeam, { body: { name: 'West', description: 'The coast' } });
    const params = { id: team.id };
    const renamed = await acme.admin.ok(updateTeam, {
      params,
      body: { name: 'Wild West', description: null },
    });
    expect(renamed).toMatchObject({ name: 'Wild West', version: 2 });
    expect(renamed.description).toBeUndefined();
    expect((await acme.admin.ok(deactivateTeam, { params })).active).toBe(false);
    expect((await acme.admin.ok(deactivateTeam, { params })).version).toBe(3);
    expect((await acme.admin.ok(activateTeam, { params })).active).toBe(true);
    expect((await acme.admin.ok(listTeams)).totalCount).toBe(1);
    await acme.admin.ok(deleteTeam, { params });
    expect((await acme.admin.call(readTeam, { params })).status).toBe(404);
    expect(await acme.admin.ok(listTeams)).toMatchObject({ data: [], totalCount: 0 });
    expect((await kindsOf(acme)).slice(before.length)).toEqual([
      'team_created',
      'team_updated',
      'team_deactivated',
      'team_activated',
      'team_deleted',
    ]);
  });
});

describe('a lead source', async () => {
  const acme = await tenant();

  test('a lead source can be created for one team or all teams, read and listed', async () => {
    const team = await acme.key.ok(createTeam, { body: { name: 'East' } });
    const own = await acme.key.ok(createLeadSource, { body: { name: 'Fair', teamId: team.id } });
    const shared = await acme.key.ok(createLeadSource, { body: { name: 'Web' } });
    expect(own).toMatchObject({ name: 'Fair', teamId: team.id, active: true });
    expect(shared).not.toHaveProperty('teamId');
    expect(await acme.admin.ok(readLeadSource, { params: { id: own.id } })).toEqual(own);
    const found = await acme.admin.ok(listLeadSources, { query: { teamId: team.id } });
    expect(found).toMatchObject({ data: [own], totalCount: 1 });
  });

  test('a lead source for a team of another account is rejected in the same way as for an unknown team', async () => {
    const theirs = await (await tenant()).key.ok(createTeam, { body: { name: 'Theirs' } });
    const responses = await Promise.all(
      [theirs.id, 1].map((teamId) => acme.key.call(createLeadSource, { body: { name: 'x', teamId } })),
    );
    expect(responses.map(({ status }) => status)).toEqual([400, 400]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });

  test('creating, changing, deactivating, activating and deleting a lead source emit one event each', async () => {
    const acme = await tenant();
    const before = await kindsOf(acme);
    const source = await acme.admin.ok(createLeadSource, { body: { name: 'Fair' } });
    const params = { id: source.id };
    expect(await acme.admin.ok(updateLeadSource, { params, body: { name: 'Big fair' } })).toMatchObject({
      version: 2,
    });
    const foreign = await acme.admin.call(updateLeadSource, { params, body: { teamId: 99 } });
    expect([foreign.status, foreign.body.error]).toEqual([400, 'team_unknown']);
    expect((await acme.admin.ok(deactivateLeadSource, { params })).active).toBe(false);
    expect((await acme.admin.ok(activateLeadSource, { params })).active).toBe(true);
    await acme.admin.ok(deleteLeadSource, { params });
    expect((await acme.admin.call(readLeadSource, { params })).status).toBe(404);
    expect((await acme.admin.ok(listLeadSources)).totalCount).toBe(0);
    expect((await kindsOf(acme)).slice(before.length)).toEqual([
      'lead_source_created',
      'lead_source_updated',
      'lead_source_deactivated',
      'lead_source_activated',
      'lead_source_deleted',
    ]);
  });
});

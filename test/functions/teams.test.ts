import { describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
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
  test('a team is created active, is read and listed, and emits team_created', async () => {
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

  test('a team can be created inactive, and the list filters by active', async () => {
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

  test('an inactive or deleted team cannot be used', async () => {
    const acme = await tenant();
    const lead = { firstName: 'Ada', lastName: 'Byron' };
    const team = await acme.admin.ok(createTeam, { body: { name: 'West' } });
    expect((await acme.admin.call(createLead, { body: lead })).body.error).toBe('team_required');
    await acme.admin.ok(deactivateTeam, { params: { id: team.id } });
    const named = await acme.admin.call(createLead, { body: { ...lead, teamId: team.id } });
    expect([named.status, named.body.error]).toEqual([400, 'team_unknown']);
    await acme.admin.ok(createLead, { body: lead });
    await acme.admin.ok(deleteTeam, { params: { id: team.id } });
    expect((await acme.admin.call(createLead, { body: { ...lead, teamId: team.id } })).body.error).toBe(
      'team_unknown',
    );
  });
});

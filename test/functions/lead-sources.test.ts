import { describe, expect, test } from 'vitest';
import activateLeadSource from '../../functions/lead-sources/activate-lead-source.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import deactivateLeadSource from '../../functions/lead-sources/deactivate-lead-source.ts';
import deleteLeadSource from '../../functions/lead-sources/delete-lead-source.ts';
import listLeadSources from '../../functions/lead-sources/list-lead-sources.ts';
import readLeadSource from '../../functions/lead-sources/read-lead-source.ts';
import updateLeadSource from '../../functions/lead-sources/update-lead-source.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { tenant } from '../harness/tenant.ts';
import { kindsOf } from './event-kinds.ts';

const acme = await tenant();

describe('a lead source', () => {
  test('a lead source is created for one team or all teams, read and listed', async () => {
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

  test('a lead source is created, changed, deactivated, activated and deleted, each with one event', async () => {
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

import { describe, expect, it } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import activateLeadSource from '../../functions/lead-sources/activate-lead-source.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import deactivateLeadSource from '../../functions/lead-sources/deactivate-lead-source.ts';
import deleteLeadSource from '../../functions/lead-sources/delete-lead-source.ts';
import listLeadSources from '../../functions/lead-sources/list-lead-sources.ts';
import readLeadSource from '../../functions/lead-sources/read-lead-source.ts';
import updateLeadSource from '../../functions/lead-sources/update-lead-source.ts';
import createLead from '../../functions/leads/create-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createRole from '../../functions/roles/create-role.ts';
import deleteRole from '../../functions/roles/delete-role.ts';
import listRoles from '../../functions/roles/list-roles.ts';
import readRole from '../../functions/roles/read-role.ts';
import setRolePermissions from '../../functions/roles/set-role-permissions.ts';
import updateRole from '../../functions/roles/update-role.ts';
import activateTeam from '../../functions/teams/activate-team.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import readTeam from '../../functions/teams/read-team.ts';
import updateTeam from '../../functions/teams/update-team.ts';
import readUser from '../../functions/users/read-user.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import { member } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

const kindsOf = async ({ admin }: Tenant) =>
  (await admin.ok(listEvents, { query: { pageSize: 100 } })).data.map(({ kind }) => kind).reverse();

describe('a team', () => {
  it('is made, changed, switched off and on, and deleted, each with its one event', async () => {
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

  it('that is inactive or deleted counts as none', async () => {
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

describe('a lead of a team that is gone', () => {
  it('can be moved without a word about the team', async () => {
    const acme = await tenant();
    const team = await acme.admin.ok(createTeam, { body: { name: 'West' } });
    const { id } = await acme.admin.ok(createLead, {
      body: { firstName: 'A', lastName: 'B', teamId: team.id },
    });
    await acme.admin.ok(deleteTeam, { params: { id: team.id } });
    const source = await acme.admin.ok(createLeadSource, { body: { name: 'Fair' } });
    const moved = await acme.admin.ok(updateLead, {
      params: { leadId: id },
      body: { leadSourceId: source.id },
    });
    expect(moved).toMatchObject({ teamId: team.id, leadSourceId: source.id });
  });
});

describe('a lead source', () => {
  it('is made, changed, switched off and on, and deleted, each with its one event', async () => {
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

describe('a role', () => {
  it('is made, changed and deleted, each with its one event', async () => {
    const acme = await tenant();
    const before = await kindsOf(acme);
    const role = await acme.admin.ok(createRole, {
      body: { name: 'Agent', flatPermissionsList: ['readLeads'] },
    });
    const params = { id: role.id };
    expect(await acme.admin.ok(readRole, { params })).toEqual(role);
    const permissions = { flatPermissionsList: ['writeLeads', 'readLeads', 'readLeads'] };
    const allowed = await acme.admin.ok(setRolePermissions, { params, body: permissions });
    expect(allowed.flatPermissionsList).toEqual(['readLeads', 'writeLeads']);
    expect((await acme.admin.ok(updateRole, { params, body: { name: 'Seller' } })).version).toBe(3);
    const stale = await acme.admin.call(updateRole, {
      params,
      body: { name: 'X' },
      headers: { 'if-match': '"1"' },
    });
    expect(stale.status).toBe(412);
    expect((await acme.admin.ok(listRoles, { query: { search: 'sell' } })).totalCount).toBe(1);
    await acme.admin.ok(deleteRole, { params });
    expect((await acme.admin.call(readRole, { params })).status).toBe(404);
    expect((await kindsOf(acme)).slice(before.length)).toEqual([
      'role_created',
      'role_permissions_updated',
      'role_permissions_updated',
      'role_deleted',
    ]);
  });

  it('has a name of its own, however many are made at once', async () => {
    const acme = await tenant();
    const spell = (n: number) => (n % 2 ? 'Agent' : 'AGENT');
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        acme.admin.call(createRole, { body: { name: spell(n), flatPermissionsList: [] } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.error === 'role_name_taken')).toHaveLength(9);
  });

  it('that is renamed stays with its users, and that is deleted leaves them without', async () => {
    const acme = await tenant();
    const { user } = await member(acme);
    const params = { email: user.email };
    const role = await acme.admin.ok(createRole, {
      body: { name: 'Agent', flatPermissionsList: ['readLeads'] },
    });
    await acme.admin.ok(setUserRoles, { params, body: { roles: ['Agent'] } });
    await acme.admin.ok(updateRole, { params: { id: role.id }, body: { name: 'Seller' } });
    expect(await acme.admin.ok(readUser, { params })).toMatchObject({
      flatRolesList: ['Seller'],
      flatPermissionsList: ['readLeads'],
    });
    await acme.admin.ok(deleteRole, { params: { id: role.id } });
    expect(await acme.admin.ok(readUser, { params })).toMatchObject({
      flatRolesList: [],
      flatPermissionsList: [],
    });
  });
});

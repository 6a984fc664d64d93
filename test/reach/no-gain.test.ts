import fc from 'fast-check';
import { expect, test } from 'vitest';
import archiveLead from '../../functions/leads/archive-lead.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import setLeadParticipants from '../../functions/leads/set-lead-participants.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createRole from '../../functions/roles/create-role.ts';
import setRolePermissions from '../../functions/roles/set-role-permissions.ts';
import createTeam from '../../functions/teams/create-team.ts';
import updateTeam from '../../functions/teams/update-team.ts';
import createUser from '../../functions/users/create-user.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import createView from '../../functions/views/create-view.ts';
import listViewRecords from '../../functions/views/list-view-records.ts';
import { allPermissions, limitedPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { clock } from '../harness/clock.ts';
import { type Member, member } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

const skip = { skipTeamAndSourceRequirement: true };
const names = { firstName: 'Ada', lastName: 'Byron' };
const wide = Object.keys(limitedPermissions) as Permission[];
const limited = Object.values(limitedPermissions).flatMap((parts) => Object.values(parts));
/** Every permission that is not about the four types. */
const others = allPermissions.filter((name) => !wide.includes(name) && !limited.includes(name));

interface World {
  acme: Tenant;
  attacker: Member;
  /** Users by number. The first one is the attacker. */
  users: string[];
  teams: number[];
  leads: number[];
}

async function makeWorld(): Promise<World> {
  const acme = await tenant();
  const teams = await Promise.all(
    ['West', 'East'].map(async (name) => (await acme.admin.ok(createTeam, { body: { name } })).id),
  );
  const attacker = await member(acme, [...others, 'readTeamLeads', 'writeOwnLeads', 'writeOwnApplications'], {
    teamId: teams[0],
  });
  const colleague = await member(acme, ['readOwnLeads'], { teamId: teams[1] });
  const users = [attacker, colleague].map(({ user }) => String(user.id));
  const leads: number[] = [];
  for (const [owner, team] of [
    [0, 0],
    [1, 0],
    [1, 1],
    [undefined, 1],
    [undefined, undefined],
  ] as const) {
    const fields = {
      ...(owner !== undefined && { assignedTo: users[owner] }),
      ...(team !== undefined && { teamId: teams[team] }),
    };
    leads.push((await acme.admin.ok(createLead, { query: skip, body: { ...names, ...fields } })).id);
  }
  return { acme, attacker, users, teams, leads };
}

/** The leads that the attacker may read, and those that it may change. */
async function reachOf({
  attacker: { client },
  leads,
}: World): Promise<{ read: number[]; change: number[] }> {
  const reach = { read: [] as number[], change: [] as number[] };
  for (const leadId of leads) {
    const params = { leadId };
    if ((await client.call(readLead, { params })).status === 200) reach.read.push(leadId);
    if ((await client.call(updateLead, { params, body: {} })).status === 200) reach.change.push(leadId);
  }
  return reach;
}

const number = fc.nat(9);
/** A change that the attacker tries. `at` returns an element of a list by a number. */
const steps: Readonly<Record<string, (world: World, one: number, other: number) => Promise<unknown>>> = {
  assign: ({ attacker, leads, users }, one, other) =>
    attacker.client.call(assignLead, {
      params: { leadId: at(leads, one) },
      body: { assignedTo: at([...users, null], other) },
    }),
  update: ({ attacker, leads, teams }, one, other) =>
    attacker.client.call(updateLead, {
      params: { leadId: at(leads, one) },
      body: { teamId: at([...teams, null], other) },
    }),
  participants: ({ attacker, leads, users }, one) =>
    attacker.client.call(setLeadParticipants, {
      params: { leadId: at(leads, one) },
      body: { participants: users },
    }),
  archive: ({ attacker, leads }, one) =>
    attacker.client.call(archiveLead, { params: { leadId: at(leads, one) } }),
  convert: ({ attacker, leads }, one) =>
    attacker.client.call(convertLead, { params: { leadId: at(leads, one) } }),
  'own team': ({ attacker, teams }, one) =>
    attacker.client.call(updateUser, {
      params: { email: attacker.user.email },
      body: { teamId: at(teams, one) },
    }),
  'own permissions': ({ attacker }, one) =>
    attacker.client.call(setUserPermissions, {
      params: { email: attacker.user.email },
      body: { flatPermissionsList: [at(wide, one), 'readTeamLeads', 'writeOwnLeads'] },
    }),
  'own role': async ({ attacker }, one, other) => {
    const flatPermissionsList = [at([...wide, ...limited], one * 10 + other)];
    const { body } = await attacker.client.call(createRole, {
      body: { name: `Role ${one} ${other}`, flatPermissionsList },
    });
    const params = { id: body.id ?? 0 };
    await attacker.client.call(setRolePermissions, { params, body: { flatPermissionsList } });
    await attacker.client.call(setUserRoles, {
      params: { email: attacker.user.email },
      body: { flatRolesList: [`Role ${one} ${other}`] } as never,
    });
  },
  'manager of a team': ({ attacker, teams }, one) =>
    attacker.client.call(updateTeam, {
      params: { id: at(teams, one) },
      body: { managerIds: [attacker.user.id] },
    }),
  'parent of a team': ({ attacker, teams }, one, other) =>
    attacker.client.call(updateTeam, {
      params: { id: at(teams, one) },
      body: { parentTeamId: at(teams, other) },
    }),
  /** Another user with all permissions that the attacker can grant makes the attacker a manager. */
  accomplice: async ({ acme, attacker, teams }, one, other) => {
    const email = `accomplice${one}${other}@example.com`;
    const { status } = await attacker.client.call(createUser, { body: { email } });
    if (status >= 300) return;
    const granted = await attacker.client.call(setUserPermissions, {
      params: { email },
      body: { flatPermissionsList: [...others] },
    });
    const accomplice = await member(acme, granted.status < 300 ? [...others] : []);
    const managerIds = [attacker.user.id];
    await accomplice.client.call(updateTeam, { params: { id: at(teams, one) }, body: { managerIds } });
    await accomplice.client.call(updateUser, {
      params: { email: attacker.user.email },
      body: { teamId: at(teams, other) },
    });
  },
  'another user': ({ attacker, teams }, one, other) =>
    attacker.client.call(createUser, {
      body: { email: `sock${one}${other}@example.com`, teamId: at(teams, one) },
    }),
  view: async ({ attacker }) => {
    const { body } = await attacker.client.call(createView, {
      body: { resource: 'lead', name: 'All', query: { archived: false }, sharedWith: 'everyone' },
    });
    await attacker.client.call(listViewRecords, { params: { id: body.id ?? 0 } });
  },
};

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

test('no permitted change gives a user with limited permissions access to another record', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), number, number), {
        minLength: 4,
        maxLength: 12,
      }),
      async (chosen) => {
        const world = await makeWorld();
        const before = await reachOf(world);
        expect([before.read.length, before.change.length]).toEqual([2, 1]);
        for (const [name, one, other] of chosen) {
          clock.advance(30_000);
          await steps[name]?.(world, one, other);
          const { read, change } = await reachOf(world);
          expect(before.read).toEqual(expect.arrayContaining(read));
          expect(before.change).toEqual(expect.arrayContaining(change));
        }
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 12) },
  );
});

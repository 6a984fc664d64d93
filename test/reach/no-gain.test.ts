import fc from 'fast-check';
import { expect, test } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import archiveLead from '../../functions/leads/archive-lead.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createRole from '../../functions/roles/create-role.ts';
import deleteRole from '../../functions/roles/delete-role.ts';
import setRolePermissions from '../../functions/roles/set-role-permissions.ts';
import createTeam from '../../functions/teams/create-team.ts';
import updateTeam from '../../functions/teams/update-team.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import undoBulk from '../../functions/tickets/undo-bulk.ts';
import createUser from '../../functions/users/create-user.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import createView from '../../functions/views/create-view.ts';
import listViewRecords from '../../functions/views/list-view-records.ts';
import type { CountedType } from '../../shared/people/users/count-reach.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { gainRuns } from '../harness/heavy.ts';
import { type Member, member } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { limited, others, wide } from './permission-parts.ts';
import { newRecords, type ReachedRecord } from './reached-records.ts';

const writeOwn = ['writeOwnLeads', 'writeOwnApplications', 'writeOwnMerchants', 'writeOwnTickets'] as const;
const readOwn = ['readOwnLeads', 'readOwnApplications', 'readOwnMerchants', 'readOwnTickets'] as const;
const readTeam = ['readTeamLeads', 'readTeamApplications', 'readTeamMerchants', 'readTeamTickets'] as const;
/** The permissions of the attacker for the four types: those with permissions for a team cannot be granted. */
const kinds: Readonly<Record<'own' | 'team', readonly Permission[]>> = {
  own: [...readOwn, ...writeOwn],
  team: [...readTeam, ...writeOwn],
};
/** The numbers of records that the attacker reads. */
const readable = { own: 3, team: 6 };

/** The permissions that the attacker can grant. */
const given: Permission[] = [...others, ...readOwn];

interface World {
  held: readonly Permission[];
  acme: Tenant;
  attacker: Member;
  /** A role of the attacker, which contains the permissions for leads. */
  roleId: number;
  /** Users by number. The first one is the attacker. */
  users: string[];
  teams: number[];
  lead: ReachedRecord[];
  ticket: ReachedRecord[];
  /** The leads, the tickets, and the applications or merchants. */
  records: ReachedRecord[];
  /** The bulk operations of the attacker. */
  bulks: string[];
}

/** The owners and teams of the records of a type, as numbers. The attacker reads the first two, and changes the first. */
const holdings = [
  [0, 0],
  [1, 0],
  [1, 1],
  [undefined, 1],
  [undefined, undefined],
] as const;

/** Creates leads, tickets, and either applications or merchants, whose rules are the same. */
async function makeWorld(kind: keyof typeof kinds, formal: 'application' | 'merchant'): Promise<World> {
  const held = kinds[kind];
  const acme = await tenant();
  const teams: number[] = [];
  for (const name of ['West', 'East']) teams.push((await acme.admin.ok(createTeam, { body: { name } })).id);
  const ofLeads = held.filter((name) => name.endsWith('Leads'));
  const role = await acme.admin.ok(createRole, { body: { name: 'Sales', flatPermissionsList: ofLeads } });
  const direct = [...others, ...held].filter((name) => !ofLeads.includes(name));
  const attacker = await member(acme, direct, { teamId: teams[0] });
  await acme.admin.ok(setUserRoles, { params: { email: attacker.user.email }, body: { roles: ['Sales'] } });
  const colleague = await member(acme, ['readOwnLeads'], { teamId: teams[1] });
  const users = [attacker, colleague].map(({ user }) => String(user.id));
  const newOf = async (type: CountedType) => {
    const records: ReachedRecord[] = [];
    for (const [owner, team] of type === 'lead' ? holdings : holdings.slice(0, 3)) {
      const record = await newRecords[type](acme.admin);
      const holding = {
        ...(owner !== undefined && { owner: at(users, owner) }),
        ...(team !== undefined && { teamId: at(teams, team) }),
      };
      expect(await record.give(acme.admin, holding)).toMatchObject({ status: 200 });
      records.push(record);
    }
    return records;
  };
  const [lead, ticket, third] = await Promise.all([newOf('lead'), newOf('ticket'), newOf(formal)]);
  return {
    held,
    acme,
    attacker,
    roleId: role.id,
    users,
    teams,
    lead,
    ticket,
    records: [...lead, ...ticket, ...third],
    bulks: [],
  };
}

/** The records that the attacker may read, those that it may change, and those with events that it may read. */
async function reachOf({ attacker: { client }, records }: World) {
  const reached = await concurrently(records.length, async (n) => {
    const record = at(records, n);
    const [read, change] = [await record.read(client), await record.change(client)];
    return { id: record.id, read: read.status === 200, change: change.status === 200 };
  });
  const idsWith = (use: 'read' | 'change') => reached.flatMap((one) => (one[use] ? [one.id] : []));
  const events = await client.ok(listEvents, { query: { pageSize: 100 } });
  const seen = new Set(events.data.map(({ subject }) => String(subject.id)));
  const ids = records.map(({ id }) => id);
  return {
    read: idsWith('read'),
    change: idsWith('change'),
    events: ids.filter((id) => seen.has(String(id))),
  };
}

/** Selects elements of lists, of which the longest contains all records. */
const number = fc.nat(10);
/** A change that the attacker tries. `at` returns an element of a list by a number. */
const steps: Readonly<Record<string, (world: World, one: number, other: number) => Promise<unknown>>> = {
  assign: ({ attacker, records, users }, one, other) =>
    at(records, one).give(attacker.client, { owner: at([...users, null], other) }),
  team: ({ attacker, records, teams }, one, other) =>
    at(records, one).give(attacker.client, { teamId: at([...teams, null], other) }),
  participants: ({ attacker, records, users }, one) => at(records, one).share(attacker.client, users),
  archive: ({ attacker, lead }, one) =>
    attacker.client.call(archiveLead, { params: { leadId: Number(at(lead, one).id) } }),
  convert: ({ attacker, lead }, one) =>
    attacker.client.call(convertLead, { params: { leadId: Number(at(lead, one).id) } }),
  bulk: async ({ attacker, ticket, users, teams, bulks }, one, other) => {
    const { body } = await attacker.client.call(bulkTickets, {
      body: {
        ticketIds: ticket.map(({ id }) => String(id)),
        action: 'assign',
        payload: { assignedTo: at([...users, null], one), assignedTeamId: at([...teams, null], other) },
      },
    });
    if (body.bulkId) bulks.push(body.bulkId);
  },
  'undo of a bulk operation': async ({ attacker, bulks }, one) => {
    if (bulks.length > 0) await attacker.client.call(undoBulk, { params: { bulkId: at(bulks, one) } });
  },
  'own team': ({ attacker, teams }, one) =>
    attacker.client.call(updateUser, {
      params: { email: attacker.user.email },
      body: { teamId: at(teams, one) },
    }),
  'own permissions': ({ attacker, held }, one) =>
    attacker.client.call(setUserPermissions, {
      params: { email: attacker.user.email },
      body: { flatPermissionsList: [at(wide, one), ...held] },
    }),
  'fewer own permissions': async ({ attacker, held }, one) => {
    const params = { email: attacker.user.email };
    const flatPermissionsList = [...others, ...held.slice(0, one % 4)];
    await attacker.client.call(setUserPermissions, { params, body: { flatPermissionsList } });
  },
  'no own roles': ({ attacker }) =>
    attacker.client.call(setUserRoles, { params: { email: attacker.user.email }, body: { roles: [] } }),
  'fewer permissions of the role': ({ attacker, roleId: id }) =>
    attacker.client.call(setRolePermissions, { params: { id }, body: { flatPermissionsList: [] } }),
  'no role': ({ attacker, roleId: id }) => attacker.client.call(deleteRole, { params: { id } }),
  'own role': async ({ attacker }, one, other) => {
    const flatPermissionsList = [at([...wide, ...limited], one * 11 + other)];
    const { body } = await attacker.client.call(createRole, {
      body: { name: `Role ${one} ${other}`, flatPermissionsList },
    });
    const params = { id: body.id ?? 0 };
    await attacker.client.call(setRolePermissions, { params, body: { flatPermissionsList } });
    await attacker.client.call(setUserRoles, {
      params: { email: attacker.user.email },
      body: { roles: [`Role ${one} ${other}`] },
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
      body: { flatPermissionsList: given },
    });
    const accomplice = await member(acme, granted.status < 300 ? given : []);
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
      fc.constantFrom('own' as const, 'team' as const),
      fc.constantFrom('application' as const, 'merchant' as const),
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), number, number), {
        minLength: 4,
        maxLength: 12,
      }),
      async (kind, formal, chosen) => {
        const world = await makeWorld(kind, formal);
        const before = await reachOf(world);
        expect([before.read.length, before.change.length]).toEqual([readable[kind], 3]);
        for (const [name, one, other] of chosen) {
          clock.advance(30_000);
          await steps[name]?.(world, one, other);
          const { read, change, events } = await reachOf(world);
          expect(before.read).toEqual(expect.arrayContaining(read));
          expect(before.change).toEqual(expect.arrayContaining(change));
          expect(before.events).toEqual(expect.arrayContaining(events));
        }
      },
    ),
    { numRuns: gainRuns },
  );
}, 3_600_000);

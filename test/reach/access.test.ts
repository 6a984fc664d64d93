import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import readLeadAccess from '../../functions/leads/read-lead-access.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { id: west } = await acme.admin.ok(createTeam, { body: { name: 'West' } });
const { id: east } = await acme.admin.ok(createTeam, { body: { name: 'East' } });
const members = {
  all: await member(acme, ['readLeads', 'writeLeads']),
  owner: await member(acme, ['readOwnLeads', 'writeOwnLeads'], { teamId: west }),
  team: await member(acme, ['readTeamLeads', 'writeOwnLeads'], { teamId: west }),
  otherTeam: await member(acme, ['readTeamLeads', 'writeTeamLeads'], { teamId: east }),
  writer: await member(acme, ['writeTeamLeads'], { teamId: west }),
  queue: await member(acme, ['readUnassignedLeads', 'writeUnassignedLeads']),
  nobody: await member(acme, ['readUsers']),
};
const everybody = Object.entries(members);

test.each([
  ['with an owner and a team', { assignedTo: String(members.owner.user.id), teamId: west }],
  ['of another team', { teamId: east }],
  ['without owner and team', {}],
])('the access of a lead %s is what each user can do', async (_, fields) => {
  const query = { skipTeamAndSourceRequirement: true };
  const lead = await acme.admin.ok(createLead, {
    query,
    body: { firstName: 'Ada', lastName: 'Byron', ...fields },
  });
  const params = { leadId: lead.id };
  const { users, apiKeys } = await acme.admin.ok(readLeadAccess, { params });
  expect(apiKeys).toMatchObject([{ read: ['all'], change: ['all'] }]);
  expect(users).toContainEqual(expect.objectContaining({ email: acme.adminEmail, read: ['administrator'] }));
  for (const [name, { client, user }] of everybody) {
    const known = users.find(({ id }) => id === user.id);
    const [read, change] = [
      await client.call(readLead, { params }),
      await client.call(updateLead, { params, body: {} }),
    ];
    expect([name, read.status === 200, change.status === 200]).toEqual([
      name,
      (known?.read.length ?? 0) > 0,
      (known?.change.length ?? 0) > 0,
    ]);
  }
});

test('the access names each reason', async () => {
  const lead = await acme.admin.ok(createLead, {
    query: { skipTeamAndSourceRequirement: true },
    body: {
      firstName: 'Ada',
      lastName: 'Byron',
      assignedTo: String(members.owner.user.id),
      teamId: west,
    },
  });
  const { users } = await acme.admin.ok(readLeadAccess, { params: { leadId: lead.id } });
  const shown = everybody.flatMap(([name, { user }]) => {
    const found = users.find(({ id }) => id === user.id);
    return found ? [[name, found.read, found.change]] : [];
  });
  expect(shown).toEqual([
    ['all', ['all'], ['all']],
    ['owner', ['owner'], ['owner']],
    ['team', ['team'], []],
    ['writer', [], ['team']],
  ]);
});

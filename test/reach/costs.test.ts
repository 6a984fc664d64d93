import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { measure } from '../costs/meter.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { id: teamId } = await acme.admin.ok(createTeam, { body: { name: 'West' } });
const all = await member(acme, ['readLeads'], { teamId });
const own = await member(acme, ['readOwnLeads'], { teamId });
const team = await member(acme, ['readTeamLeads'], { teamId });

const lead = await acme.admin.ok(createLead, {
  query: { skipTeamAndSourceRequirement: true },
  body: { firstName: 'Ada', lastName: 'Byron', assignedTo: String(own.user.id), teamId },
});

test('a lead costs a caller with a limited permission as much as any caller', async () => {
  const params = { leadId: lead.id };
  const costs = [];
  for (const { client } of [all, own, team]) {
    await client.ok(readLead, { params });
    const { read, exchanges } = await measure(() => client.ok(readLead, { params }));
    const sent = exchanges.map(({ operation }) => operation).filter((one) => one !== 'UpdateItem');
    costs.push([read, sent.sort()]);
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[2]).toEqual(costs[0]);
});

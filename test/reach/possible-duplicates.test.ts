import { expect, test } from 'vitest';
import saveExternalLead from '../../functions/extapi/save-external-lead.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import qualifyLead from '../../functions/leads/qualify-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import setLeadParticipants from '../../functions/leads/set-lead-participants.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createTeam from '../../functions/teams/create-team.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';
import { vendorOf } from '../external-api/vendor.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { admin } = acme;
const vendor = await vendorOf(acme);
const { id: east } = await admin.ok(createTeam, { body: { name: 'East' } });
const { id: west } = await admin.ok(createTeam, { body: { name: 'West' } });
const agent = await member(acme, ['readOwnLeads', 'writeOwnLeads', 'readEvents']);
const other = await member(acme, [], { teamId: west });
const idOf = ({ user }: { user: { id: number } }) => String(user.id);
const query = { skipTeamAndSourceRequirement: true };

/** A lead of the agent with three matches: one of the agent, one of a team, and one of a user with a team. */
async function leadWithMatches(email: string) {
  const create = (body: object) =>
    admin.ok(createLead, { query, body: { firstName: 'Grace', lastName: 'Hopper', email, ...body } });
  const own = await create({ assignedTo: idOf(agent) });
  const ofTeam = await create({ teamId: east, assignedTo: idOf(other) });
  const ofUser = await create({ assignedTo: idOf(other) });
  await drain();
  const externalId = email.replaceAll(/\W/g, '-');
  await vendor.ok(saveExternalLead, { body: { externalId, firstName: 'Ada', lastName: 'Byron', email } });
  await drain();
  const [lead] = (await admin.ok(listLeads, { query: { externalId: [externalId] } })).data;
  if (!lead) throw new Error('The lead was not created.');
  const params = { leadId: lead.id };
  await admin.ok(assignLead, { params, body: { assignedTo: idOf(agent) } });
  await drain();
  return { params, own, ofTeam, ofUser };
}

const { params, own, ofTeam, ofUser } = await leadWithMatches('grace@navy.test');
const hiddenDuplicates = [{ teamId: west }, { teamId: east }];
const shown = { possibleDuplicates: [own.id], hiddenDuplicates };

test('callers who reach all leads see every possible duplicate by id', async () => {
  const lead = await admin.ok(readLead, { params });
  expect(lead.possibleDuplicates).toEqual([ofUser.id, ofTeam.id, own.id]);
  expect(lead).not.toHaveProperty('hiddenDuplicates');
});

test('a possible duplicate that the caller does not reach is shown as hidden, with the team to ask', async () => {
  const { client } = agent;
  const listed = await client.ok(listLeads, { query: { externalKeyId: [vendor.id] } });
  const found = await client.ok(searchRecords, { query: { q: 'byron' } });
  const answers: unknown[] = [
    await client.ok(readLead, { params }),
    listed.data[0],
    found.leads?.[0],
    await client.ok(updateLead, { params, body: { notes: 'Called' } }),
    (await client.dryRun(updateLead, { params, body: { notes: 'Again' } })).answer,
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject(shown);
    for (const { id } of [ofTeam, ofUser]) expect(JSON.stringify(answer)).not.toContain(String(id));
  }
});

test('a replay hides a possible duplicate that the caller has lost since the first response', async () => {
  const { params: sent, own: match } = await leadWithMatches('replay@navy.test');
  const request = { params: sent, body: {}, headers: { 'idempotency-key': 'qualify once' } };
  const first = await agent.client.call(qualifyLead, request);
  expect((first.body as Lead).possibleDuplicates).toEqual([match.id]);
  await admin.ok(assignLead, { params: { leadId: match.id }, body: { assignedTo: idOf(other) } });
  const again = await agent.client.call(qualifyLead, request);
  expect(again.headers).toHaveProperty('idempotency-replayed');
  expect(again.body).not.toHaveProperty('possibleDuplicates');
  expect((again.body as Lead).hiddenDuplicates).toHaveLength(3);
});

test('a lead that was read can be sent back, and does not show whether a guessed id is a hidden duplicate', async () => {
  const { auditLog, ...lead } = await agent.client.ok(readLead, { params });
  const send = (body: object) => agent.client.call(updateLead, { params, body: body as never });
  expect(await send({ ...lead, notes: 'Sent back' })).toMatchObject({ status: 200 });
  const { version, updatedAt, ...current } = await agent.client.ok(readLead, { params });
  for (const guess of [[ofUser.id, ofTeam.id, own.id], [1]])
    expect(await send({ possibleDuplicates: guess, notes: current.notes })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'possibleDuplicates' }] },
    });
});

test('the event of a new lead does not name possible duplicates', async () => {
  const { auditLog } = await admin.ok(readLead, { params });
  expect(auditLog.map(({ event }) => event)).toContain('lead_created');
  expect(JSON.stringify(auditLog)).not.toContain('possibleDuplicates');
});

test('a participant in the hidden lead sees its id', async () => {
  const match = await leadWithMatches('shared@navy.test');
  const body = { participants: [idOf(agent)] };
  await admin.ok(setLeadParticipants, { params: { leadId: match.ofTeam.id }, body });
  expect(await agent.client.ok(readLead, { params: match.params })).toMatchObject({
    possibleDuplicates: [match.ofTeam.id, match.own.id],
    hiddenDuplicates: [{ teamId: west }],
  });
});

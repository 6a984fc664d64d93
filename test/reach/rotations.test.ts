import { beforeEach, expect, test } from 'vitest';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import readLeadRotation from '../../functions/lead-rotations/read-lead-rotation.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { type Member, member } from '../harness/member.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';

let acme: Tenant;
let members: Member[];
let rotationId: number;

beforeEach(async () => {
  acme = await tenant();
  members = [];
  for (let n = 0; n < 3; n++) members.push(await member(acme));
  const userRotationArray = members.map(({ user }) => ({ userId: String(user.id), weight: 1 }));
  const rotation = await acme.admin.ok(createLeadRotation, { body: { name: 'Inbound', userRotationArray } });
  rotationId = rotation.id;
});

const newLead = (by: Client) => by.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
/** Returns the position of a lead's assignee in the rotation. */
const turnOf = ({ assignedTo }: { assignedTo?: string }) =>
  members.findIndex(({ user }) => String(user.id) === assignedTo);
const position = async () =>
  (await acme.admin.ok(readLeadRotation, { params: { id: rotationId } })).currentPosition;

test('a rotation assigns the leads of a caller who cannot read them, and counts those of all callers', async () => {
  const writer = await member(acme, ['writeLeads']);
  const turns = [];
  for (const by of [acme.admin, writer.client, acme.admin, writer.client])
    turns.push(turnOf(await newLead(by)));
  expect(turns).toEqual([0, 1, 2, 0]);
});

test('a rotation counts hidden leads, and assigns an own lead that is hidden afterwards', async () => {
  const agent = await member(acme, ['readOwnLeads', 'writeOwnLeads']);
  expect(turnOf(await newLead(acme.admin))).toBe(0);
  const own = await newLead(agent.client);
  expect(own.assignedTo).toBe(String(agent.user.id));
  const params = { leadId: own.id };
  expect(turnOf(await agent.client.ok(assignLead, { params, body: {} }))).toBe(1);
  expect((await agent.client.call(readLead, { params })).status).toBe(404);
  expect(turnOf(await newLead(acme.admin))).toBe(2);
});

test.each<[string, Permission[]]>([
  ['reads and changes the own leads', ['readOwnLeads', 'writeOwnLeads']],
  ['reads the own leads and changes all of them', ['readOwnLeads', 'writeLeads']],
])('a lead of a caller who %s belongs to the caller, and takes no turn', async (_, permissions) => {
  const one = await member(acme, permissions);
  const before = await position();
  expect((await newLead(one.client)).assignedTo).toBe(String(one.user.id));
  expect(await position()).toEqual(before);
  expect(turnOf(await newLead(acme.admin))).toBe(0);
});

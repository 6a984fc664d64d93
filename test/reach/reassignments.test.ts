import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import createReassignment from '../../functions/reassignments/create-reassignment.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

test('a former user with hidden records only is an unknown user', async () => {
  const { client: by } = await member(acme, [
    ...(['readLeads', 'readTickets', 'writeLeads', 'writeTickets', 'readOwnMerchants'] as const),
  ]);
  const former = await Promise.all([1, 2].map(() => member(acme)));
  const [ownerId, other] = former.map(({ user }) => String(user.id));
  const { id: merchantId } = await acme.admin.ok(createMerchant, { body: { merchantName: 'Secret Coffee' } });
  await acme.admin.ok(setMerchantOwner, { params: { merchantId }, body: { ownerId } });
  for (const { user } of former) await acme.admin.ok(deleteUser, { params: { email: user.email } });
  await drain();
  const reassign = async (from = '') => {
    const { status, body } = await by.call(createReassignment, { body: { from, to: 'none' } });
    return { status, details: body.details };
  };
  const unknown = await reassign(other);
  expect(unknown.status).toBe(400);
  expect(await reassign(ownerId)).toEqual(unknown);
  const sent = { body: { from: String(ownerId), to: 'none' } };
  expect((await acme.admin.call(createReassignment, sent)).status).toBe(202);
});

test.each<[Permission, Permission]>([
  ['readOwnLeads', 'readOwnTickets'],
  ['readOwnLeads', 'readTickets'],
  ['readLeads', 'readOwnTickets'],
])('a user with %s and %s gets no records by reassigning those of a former colleague', async (...reads) => {
  const writes = ['writeLeads', 'writeTickets', 'writeUsers', 'readUsers'] as const;
  const one = await member(acme, [...reads, ...writes]);
  const [gone, leaving] = [await member(acme), await member(acme)];
  const { id } = await acme.admin.ok(createLead, {
    body: { firstName: 'Ada', lastName: 'Byron', assignedTo: String(gone.user.id) },
  });
  await acme.admin.ok(updateUser, { params: { email: gone.user.email }, body: { active: false } });
  const read = () => one.client.call(readLead, { params: { leadId: id } });
  const before = (await read()).status;
  const to = one.user.email;
  for (const refused of [
    await one.client.call(createReassignment, { body: { from: gone.user.email, to } }),
    await one.client.call(updateUser, {
      params: { email: leaving.user.email },
      query: { reassignTo: to },
      body: { active: false },
    }),
  ])
    expect([refused.status, refused.body.error]).toEqual([403, 'permission_denied']);
  await drain();
  expect((await read()).status).toBe(before);
});

import { expect, test } from 'vitest';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listNotifications from '../../functions/notifications/list-notifications.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const agent = await member(acme, ['readOwnLeads', 'readNotifications']);
const other = await member(acme, ['readLeads']);
const idOf = (one: { user: { id: number } }) => String(one.user.id);

const inbox = async () => {
  const { data } = await agent.client.ok(listNotifications);
  return data.map(({ event, notificationSubject }) => [event, notificationSubject]);
};

test('a user with a limited permission is notified of records that the user reaches', async () => {
  const lead = await acme.admin.ok(createLead, {
    body: { firstName: 'Ada', lastName: 'Byron', assignedTo: idOf(agent) },
  });
  await drain();
  const before = await inbox();
  expect(before).toContainEqual(['lead_created', expect.stringContaining('Ada Byron')]);

  await acme.admin.ok(assignLead, { params: { leadId: lead.id }, body: { assignedTo: idOf(other) } });
  await drain();
  expect((await inbox()).map(([, subject]) => subject)).toEqual(before.map(() => ''));
});

import { expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import activateDomain from '../../functions/domains/activate-domain.ts';
import deleteDomain from '../../functions/domains/delete-domain.ts';
import validateDomain from '../../functions/domains/validate-domain.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listNotifications from '../../functions/notifications/list-notifications.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import { portalOf } from '../../shared/accounts/portal.ts';
import { drain } from '../harness/drain.ts';
import { newTenant, sentMessages, to } from '../messages/world.ts';
import { publishFile, publishRecord, requested } from './world.ts';

test('a link contains the active domain and the path of the portal', () => {
  const vanityDomain = 'pay.example.com';
  expect(portalOf({})).toBeUndefined();
  expect(portalOf({ portalUrl: 'https://portal.example/staff/' })).toBe('https://portal.example/staff');
  expect(portalOf({ vanityDomain })).toBe('https://pay.example.com');
  expect(portalOf({ vanityDomain, portalUrl: 'http://portal.example:8080' })).toBe('https://pay.example.com');
  expect(portalOf({ vanityDomain, portalUrl: 'https://portal.example/staff/' })).toBe(
    'https://pay.example.com/staff',
  );
  expect(portalOf({ vanityDomain, portalUrl: 'https://%ff/' })).toBe('https://pay.example.com');
});

test('mails and notifications link to the active domain until it is deleted', async () => {
  const { admin, accountId, adminEmail } = await newTenant();
  const body = { portalUrl: 'https://portal.example/staff' };
  await admin.ok(updateAccount, { params: { id: accountId }, body });
  await admin.ok(setNotificationPreferences, {
    params: { email: adminEmail },
    body: [{ event: 'lead_created', deliveryPref: ['email', 'website'] }],
  });
  const linked = async (firstName: string): Promise<unknown[]> => {
    sentMessages.splice(0);
    const query = { skipTeamAndSourceRequirement: true };
    const { id } = await admin.ok(createLead, { query, body: { firstName, lastName: 'Byron' } });
    await drain();
    const [mail] = to(adminEmail);
    const [notification] = (await admin.ok(listNotifications)).data;
    return [mail?.text.match(`https://\\S+/leads/${id}`)?.[0], notification?.portalLink].map((link) =>
      link?.replace(String(id), '7'),
    );
  };
  const domain = await requested({ admin }, 'pay.example.com');
  publishRecord(domain);
  publishFile(domain);
  await admin.ok(validateDomain, { params: { id: domain.id } });
  expect(await linked('Ada')).toEqual(Array(2).fill('https://portal.example/staff/leads/7'));
  await admin.ok(activateDomain, { params: { id: domain.id } });
  expect(await linked('Grace')).toEqual(Array(2).fill('https://pay.example.com/staff/leads/7'));
  await admin.ok(deleteDomain, { params: { id: domain.id } });
  expect(await linked('Mary')).toEqual(Array(2).fill('https://portal.example/staff/leads/7'));
});

import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import logOut from '../../functions/auth/log-out.ts';
import listEvents from '../../functions/events/list-events.ts';
import proveEvent from '../../functions/events/prove-event.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import listNotifications from '../../functions/notifications/list-notifications.ts';
import createReassignment from '../../functions/reassignments/create-reassignment.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import setPreferences from '../../functions/users/set-notification-preferences.ts';
import updateUser from '../../functions/users/update-user.ts';
import { keyring } from '../../shared/security/keyring.ts';
import { verifyToken } from '../../shared/security/tokens.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { joins, member } from '../harness/member.ts';
import { scanTable } from '../harness/raw-table.ts';
import { sealAll } from '../harness/seal-events.ts';
import { newTenant, to } from '../messages/world.ts';
import { actingAs, reason } from './acting-as.ts';

const acme = await newTenant();
const agent = () => member(acme, ['readLeads', 'writeLeads', 'readNotifications']);

test('the user is informed by mail at once, also without any notification rule', async () => {
  const { user, client } = await agent();
  await client.ok(setPreferences, {
    params: { email: user.email },
    body: [{ event: 'user_impersonated', deliveryPref: [] }],
  });
  await actingAs(acme, user.email, { write: true });
  await drain();
  const [mail, ...others] = to(user.email);
  expect(others).toEqual([]);
  expect(mail?.subject).toMatch(/^User impersonated: /);
  expect(mail?.text).toContain(`${acme.adminEmail} can read and change records as the user`);
  expect(mail?.text).toContain(`Reason: ${reason}.`);
  expect(mail?.text).toContain('You cannot turn off this mail');
});

test('the mail about a read-only impersonation says so', async () => {
  const { user } = await agent();
  await actingAs(acme, user.email);
  await drain();
  expect(to(user.email)[0]?.text).toContain('can change nothing');
});

test('the user is notified of a change that the administrator makes as the user', async () => {
  const { user, client } = await agent();
  const { id } = await acme.admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const params = { leadId: id };
  await acme.admin.ok(assignLead, { params, body: { assignedTo: String(user.id) } });
  const session = await actingAs(acme, user.email, { write: true });
  await session.ok(updateLead, { params, body: { notes: 'Called' } });
  await drain();
  const { data } = await client.ok(listNotifications, { query: { event: 'lead_updated' } });
  expect(data[0]?.notificationBody).toMatch(`${acme.adminEmail} as ${user.email} changed the lead`);
});

test('the seal of an event covers the name of the administrator', async () => {
  const { user } = await agent();
  const session = await actingAs(acme, user.email, { write: true });
  await session.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const { data } = await acme.admin.ok(listEvents, { query: { kind: 'lead_created', pageSize: 1 } });
  await sealAll(acme.accountId);
  const { sealedText } = await acme.admin.ok(proveEvent, { params: { id: data[0]?.id ?? 0 } });
  expect(JSON.parse(sealedText).actor).toEqual({
    user: user.email,
    apiKey: null,
    impersonatedBy: acme.adminEmail,
  });
});

test('the table does not contain the token, also if the request has an Idempotency-Key', async () => {
  const { user } = await agent();
  const { token } = await acme.admin.ok(impersonateUser, {
    ...{ params: { email: user.email }, body: { reason } },
    headers: { 'idempotency-key': 'token' },
  });
  expect(JSON.stringify(await scanTable())).not.toContain(token.split('.')[2]);
});

test('the logout of an impersonation is in the log of its account, not of the user’s primary account', async () => {
  const home = await newTenant();
  const person = await member(home, ['readLeads']);
  await joins(person, acme);
  const session = await actingAs(acme, person.user.email);
  await session.ok(logOut);
  const query = { kind: 'user_logged_out' };
  expect(await home.admin.ok(listEvents, { query })).toMatchObject({ data: [] });
  const { data } = await acme.admin.ok(listEvents, { query });
  expect(data[0]?.actor).toMatchObject({ user: person.user.email, impersonatedBy: acme.adminEmail });
});

test('work that continues after the response names both people', async () => {
  const [leaver, successor] = [await agent(), await agent()];
  const { id } = await acme.admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const params = { leadId: id };
  await acme.admin.ok(assignLead, { params, body: { assignedTo: String(leaver.user.id) } });
  await acme.admin.ok(updateUser, { params: { email: leaver.user.email }, body: { active: false } });
  const manager = await member(acme, ['readLeads', 'writeLeads', 'readTickets', 'writeTickets']);
  const session = await actingAs(acme, manager.user.email, { write: true });
  await session.ok(createReassignment, {
    body: { from: String(leaver.user.id), to: String(successor.user.id) },
  });
  await drain();
  const query = { kind: 'lead_assigned', pageSize: 1 };
  const { data } = await acme.admin.ok(listEvents, { query });
  expect(data[0]).toMatchObject({
    subject: { id, assignedTo: String(successor.user.id) },
    actor: { user: manager.user.email, impersonatedBy: acme.adminEmail },
  });
});

test('a token whose administrator is missing, malformed or belongs to an API key is not accepted', async () => {
  const ring = await keyring();
  const now = clock.now();
  const sid = 'A'.repeat(22);
  const act = { sub: 'user:7', home: acme.accountId, sid, account: acme.accountId };
  const verify = async (claim: unknown, subject = 'user:9') => {
    const token = await new SignJWT({ sid, home: acme.accountId, act: claim })
      .setProtectedHeader({ alg: 'HS256', typ: 'session+jwt', kid: ring.current })
      .setIssuer('merchant-ops')
      .setAudience('merchant-ops-api')
      .setSubject(subject)
      .setIssuedAt(Math.floor(now.getTime() / 1000))
      .setExpirationTime(Math.floor(now.getTime() / 1000) + 60)
      .sign(ring.key(ring.current, 'session-token') ?? new Uint8Array());
    return verifyToken(token, now);
  };
  expect(await verify(act)).toMatchObject({ id: 9, impersonator: { id: 7, sessionId: sid } });
  expect(await verify(act, 'key:9')).toBeUndefined();
  for (const claim of [
    null,
    {},
    'user:7',
    { ...act, sub: 'key:7' },
    { ...act, sub: undefined },
    { ...act, sid: 'short' },
    { ...act, home: 'a#b' },
    { ...act, account: undefined },
  ])
    expect(await verify(claim), JSON.stringify(claim)).toBeUndefined();
});

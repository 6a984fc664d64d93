import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import createRole from '../../functions/roles/create-role.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import setUserRoles from '../../functions/users/set-user-roles.ts';
import updateUser from '../../functions/users/update-user.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { scanTable } from '../harness/raw-table.ts';
import { client } from '../harness/tenant.ts';
import { newTenant, to } from '../messages/world.ts';

const acme = await newTenant();
const globex = await newTenant();
const anybody = client({});
const password = 'a password of the invited user';
/** Returns the codes in the mails to an address, oldest first. */
const codesTo = (email: string) =>
  to(email).flatMap(({ text, subject }) =>
    subject.startsWith('Invitation') ? (/mo_pw_[\w-]+/.exec(text)?.[0] ?? []) : [],
  );
const setPassword = async (token = '') =>
  (await anybody.call(resetPassword, { body: { token, password } })).status;

describe('an invitation token', () => {
  test('the token of a new user is only mailed: no response, event or work item contains it', async () => {
    const email = 'mailed.only@example.com';
    const made = await acme.admin.ok(createUser, { body: { email } });
    await drain();
    const [token = ''] = codesTo(email);
    expect(made).not.toHaveProperty('token');
    expect(JSON.stringify(await scanTable())).not.toContain(token);
    expect(await setPassword(token)).toBe(200);
    expect(await setPassword(token)).toBe(400);
  });

  test('the token of an invitation to another account accepts only this invitation, and sets no password', async () => {
    const { user } = await member(acme);
    const { email } = user;
    await globex.admin.ok(addUserToAccount, { params: { email } });
    await drain();
    const [token = ''] = codesTo(email);
    expect(await setPassword(token)).toBe(400);
    const accepts = async (params: { email: string; accountId: string }) =>
      (await anybody.call(acceptMembership, { params, body: { token } })).status;
    expect(await accepts({ email, accountId: acme.accountId })).toBe(400);
    expect(await accepts({ email: globex.adminEmail, accountId: globex.accountId })).toBe(400);
    expect(await accepts({ email, accountId: globex.accountId })).toBe(200);
    expect(await accepts({ email, accountId: globex.accountId })).toBe(400);
  });

  test('only the mail to a user of no other account links to the portal of the account', async () => {
    const portalUrl = 'https://portal.example';
    const of = await newTenant();
    await of.admin.ok(updateAccount, { params: { id: of.accountId }, body: { portalUrl } });
    const { email } = (await member(acme)).user;
    await of.admin.ok(addUserToAccount, { params: { email } });
    await of.admin.ok(createUser, { body: { email: 'only.here@example.com' } });
    await drain();
    expect(to('only.here@example.com')[0]?.text).toContain(`${portalUrl}/password-reset`);
    expect(to(email)[0]?.text).not.toContain('portal.example');
    expect(to(email)[0]?.text).toContain(of.accountId);
  });

  test('an inactive user gets the mail when the user is activated', async () => {
    const email = 'inactive.first@example.com';
    await acme.admin.ok(createUser, { body: { email, active: false } });
    await drain();
    expect(codesTo(email)).toEqual([]);
    await acme.admin.ok(updateUser, { params: { email }, body: { active: true } });
    await drain();
    expect(await setPassword(codesTo(email)[0])).toBe(200);
  });

  test('an account can send at most ten invitations in an hour to one address', async () => {
    const email = 'invited.often@example.com';
    for (let n = 0; n < 12; n++) {
      await acme.admin.ok(createUser, { body: { email } });
      await drain();
      await acme.admin.ok(deleteUser, { params: { email } });
    }
    expect(codesTo(email)).toHaveLength(10);
    await globex.admin.ok(createUser, { body: { email } });
    await drain();
    expect(codesTo(email)).toHaveLength(11);
  });
});

describe('if the rights of an invited user grow', async () => {
  const clerk = (await member(acme, ['writeUsers', 'readUsers'])).client;
  await acme.admin.ok(createRole, { body: { name: 'Reader', flatPermissionsList: ['readLeads'] } });
  let created = 0;
  /** A member with only `writeUsers` invites a user. Then an administrator makes the change. */
  async function afterChange(change: (params: { email: string }) => Promise<unknown>) {
    created += 1;
    const email = `grown${created}@example.com`;
    await clerk.ok(createUser, { body: { email } });
    await drain();
    await change({ email });
    await drain();
    return codesTo(email);
  }

  test.each<[string, (params: { email: string }) => Promise<unknown>]>([
    ['administrator', (params) => acme.admin.ok(updateUser, { params, body: { accountAdmin: true } })],
    ['role', (params) => acme.admin.ok(setUserRoles, { params, body: { roles: ['Reader'] } })],
    [
      'permission',
      (params) => acme.admin.ok(setUserPermissions, { params, body: { flatPermissionsList: ['readLeads'] } }),
    ],
  ])('a new %s makes the older token invalid, and the user gets a new one', async (_, change) => {
    const [older, newer, ...more] = await afterChange(change);
    expect(more).toEqual([]);
    expect(await setPassword(older)).toBe(400);
    expect(await setPassword(newer)).toBe(200);
  });

  test('a change without more rights keeps the token', async () => {
    const [token, ...more] = await afterChange(async (params) => {
      await acme.admin.ok(updateUser, { params, body: { name: 'Renamed' } });
      await acme.admin.ok(setUserRoles, { params, body: { roles: [] } });
    });
    expect(more).toEqual([]);
    expect(await setPassword(token)).toBe(200);
  });

  test('the mail of a replaced invitation is not sent', async () => {
    const email = 'replaced.at.once@example.com';
    await clerk.ok(createUser, { body: { email } });
    await acme.admin.ok(updateUser, { params: { email }, body: { accountAdmin: true } });
    await drain();
    expect(codesTo(email)).toHaveLength(1);
    expect(await setPassword(codesTo(email)[0])).toBe(200);
  });

  test('a user who has a password gets no new invitation', async () => {
    const { user } = await member(acme);
    const params = { email: user.email };
    await acme.admin.ok(setUserPermissions, { params, body: { flatPermissionsList: ['readLeads'] } });
    await acme.admin.ok(updateUser, { params, body: { accountAdmin: true } });
    await drain();
    expect(codesTo(user.email)).toEqual([]);
  });
});

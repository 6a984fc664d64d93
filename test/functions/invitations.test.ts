import { describe, expect, test } from 'vitest';
import logIn from '../../functions/auth/log-in.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import updateUser from '../../functions/users/update-user.ts';
import { commit } from '../../shared/events/outbox.ts';
import { issuePasswordToken } from '../../shared/people/users/password-tokens.ts';
import { users } from '../../shared/people/users/store.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { joins, member, memberPassword } from '../harness/member.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';

/** An invitation token is valid only while the user belongs to the inviting account and to no other. */
const [acme, globex] = [await tenant(), await tenant()];
const anybody = client({});
const password = 'known to the account that made the user';
const refused = { status: 400, error: 'token_invalid' };

let invited = 0;
/** A user that acme created and invited. */
async function invitation(input: object = {}) {
  invited += 1;
  const email = `invited${invited}@example.com`;
  const { token = '', ...user } = await acme.admin.ok(createUser, { body: { email, ...input } });
  return { user, params: { email }, token };
}
const takeUp = async (token: string) => {
  const { status, body } = await anybody.call(resetPassword, { body: { token, password } });
  return { status, error: body.error };
};
const reject = async (token: string, email: string) => {
  expect(await takeUp(token)).toEqual(refused);
  expect((await anybody.call(logIn, { body: { email, password } })).status).toBe(401);
};

/** globex invites the user as an administrator. */
const invite = (params: { email: string }) =>
  globex.admin.ok(addUserToAccount, { params, body: { accountAdmin: true } });

test('an invitation is void for good after a second account invited the user', async () => {
  const { token, params } = await invitation();
  await invite(params);
  await reject(token, params.email);
  await globex.admin.ok(deleteUser, { params });
  await reject(token, params.email);
});

test('an invitation is void for good after the user was deactivated', async () => {
  const { token, params } = await invitation();
  await acme.admin.ok(updateUser, { params, body: { active: false } });
  await reject(token, params.email);
  await acme.admin.ok(updateUser, { params, body: { active: true } });
  await reject(token, params.email);
});

test('an invitation is void after a new one was created, which is valid', async () => {
  const { token, params } = await invitation();
  await acme.admin.ok(deleteUser, { params });
  const again = await acme.admin.ok(createUser, { body: params });
  await reject(token, params.email);
  expect((await takeUp(again.token ?? '')).status).toBe(200);
});

test('an invitation is void after an administrator set the password', async () => {
  const { token, params } = await invitation();
  await acme.admin.ok(forceUserPassword, { params, body: { password: memberPassword } });
  await reject(token, params.email);
  await signIn({ email: params.email, password: memberPassword });
});

test('an invitation is void if a second account invites the user between the read and the write', async () => {
  const { token, params } = await invitation();
  beforeNextTransaction(() => invite(params));
  await reject(token, params.email);
});

test('an invitation is void if the user is deactivated or removed between the read and the write', async () => {
  const [one, other] = [await invitation(), await invitation()];
  beforeNextTransaction(() => acme.admin.ok(updateUser, { params: one.params, body: { active: false } }));
  await reject(one.token, one.params.email);
  beforeNextTransaction(() => acme.admin.ok(deleteUser, { params: other.params }));
  await reject(other.token, other.params.email);
});

test('an invitation of an inactive user becomes valid when the user is activated', async () => {
  const { token, params } = await invitation({ active: false });
  await reject(token, params.email);
  await acme.admin.ok(updateUser, { params, body: { active: true } });
  expect((await takeUp(token)).status).toBe(200);
  await signIn({ email: params.email, password });
});

async function storedUser(email: string) {
  const address = await users.addressByEmailAcrossAccounts(email);
  return (address && (await users.find(address))) ?? expect.unreachable();
}

test('a reset token is valid even if the invitation is void', async () => {
  const { token, params } = await invitation();
  await invite(params);
  await reject(token, params.email);
  const reset = issuePasswordToken('reset', await storedUser(params.email), new Date());
  await commit({ writes: reset.writes, events: [], deadline: Date.now() + 10_000 });
  expect((await takeUp(reset.token)).status).toBe(200);
  await signIn({ email: params.email, password });
});

test('a reset token is valid for an hour', async () => {
  const { params } = await invitation();
  const stored = await storedUser(params.email);
  const issued = async (milliseconds: number) => {
    const { token, writes } = issuePasswordToken('reset', stored, new Date(Date.now() - milliseconds));
    await commit({ writes, events: [], deadline: Date.now() + 10_000 });
    return token;
  };
  const [late, intime] = [await issued(3600_000 + 1000), await issued(3600_000 - 60_000)];
  await reject(late, params.email);
  expect((await takeUp(intime)).status).toBe(200);
});

describe('a password that an administrator sets', () => {
  const body = { password: 'set by the administrator at home' };

  test('an administrator sets the password only of a user who belongs to no other account and is invited to none', async () => {
    const [shared, asked] = [await member(acme), await member(acme)];
    await joins(shared, globex);
    await invite({ email: asked.user.email });
    for (const { user } of [shared, asked]) {
      const params = { email: user.email };
      const response = await acme.admin.call(forceUserPassword, { params, body });
      expect([response.status, response.body.error]).toEqual([403, 'shared_user']);
      await signIn({ email: user.email, password: memberPassword });
      await globex.admin.ok(deleteUser, { params });
      await acme.admin.ok(forceUserPassword, { params, body });
    }
  });

  test('an administrator cannot set the password if another account invites the user between the read and the write', async () => {
    const { user } = await member(acme);
    const params = { email: user.email };
    beforeNextTransaction(() => invite(params));
    const response = await acme.admin.call(forceUserPassword, { params, body });
    expect([response.status, response.body.error]).toEqual([403, 'shared_user']);
    await signIn({ email: user.email, password: memberPassword });
  });
});

test('an invitation stored without the field invitationOpen is void', async () => {
  const { params, token } = await invitation();
  const stored = await storedUser(params.email);
  const { invitationOpen: _, ...before } = { ...stored, version: stored.version + 1 };
  const writes = users.replace(stored, before);
  await commit({ writes, events: [], deadline: Date.now() + 10_000 });
  expect(await takeUp(token)).toEqual(refused);
});

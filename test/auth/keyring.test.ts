import { describe, expect, test } from 'vitest';
import logIn from '../../functions/auth/log-in.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { createAccount } from '../../infra/operations/create-account.ts';
import { rightsOf } from '../../infra/rights/endpoint-rights.ts';
import { commit } from '../../shared/table/commit.ts';
import { issuePasswordToken } from '../../shared/users/password-tokens.ts';
import { users } from '../../shared/users/users.ts';
import { call } from '../harness/call.ts';

// As where a function is told of no secret. This process has read none yet.
delete process.env.SECRET_FILE;
const email = 'ada@acme.test';
const password = 'correct horse battery staple';
await createAccount({ name: 'Acme', adminEmail: email, adminPassword: password });

/** An invitation as it would come by mail. */
async function invitation(): Promise<string> {
  const address = await users.addressByEmailAcrossAccounts(email);
  const user = address && (await users.find(address));
  if (!user) throw new Error(`Nobody has the address ${email}`);
  const { token, writes } = issuePasswordToken('invitation', user, new Date());
  await commit({ writes, events: [], deadline: Date.now() + 1000 });
  return token;
}
const bodies: Record<string, () => Promise<object>> = {
  'POST /auth/password-reset-request': async () => ({ email }),
  'POST /auth/password-reset': async () => ({ token: await invitation(), password }),
};

describe('an endpoint without the right to the signing secret does its work without it', async () => {
  const routes = (await loadEndpoints())
    .filter(({ endpoint }) => !rightsOf(endpoint.contract).includes('secret:read'))
    .map(({ endpoint }) => ({ route: `${endpoint.contract.method} ${endpoint.contract.path}`, endpoint }));

  test.each(routes)('$route', async ({ route, endpoint }) => {
    const { status } = await call(endpoint, { body: await bodies[route]?.() });
    expect(status).toBe(endpoint.contract.method === 'ANY' ? 405 : 200);
  });
});

test('a login cannot do without the signing secret', async () => {
  expect((await call(logIn, { body: { email, password } })).status).toBe(500);
});

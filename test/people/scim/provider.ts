import { expect } from 'vitest';
import createApiKey from '../../../functions/apikeys/create-api-key.ts';
import logIn from '../../../functions/auth/log-in.ts';
import resetPassword from '../../../functions/auth/reset-password.ts';
import createScimUser from '../../../functions/scim/create-scim-user.ts';
import readScimUser from '../../../functions/scim/read-scim-user.ts';
import { mailedToken } from '../../harness/member.ts';
import { type Client, client, sessionIn, type Tenant } from '../../harness/tenant.ts';

const personPassword = 'a password that nobody else knows';

/** Returns an identity provider of an account: a client with the bearer token of a key that can only provision. */
export async function provider(of: Tenant): Promise<Client> {
  const body = { description: 'Identity provider', flatPermissionsList: ['provisionUsers'] };
  const { provisioningToken } = await of.admin.ok(createApiKey, { body });
  return client({ authorization: `Bearer ${provisioningToken}` });
}

let users = 0;

/** Creates a user and returns its id and email. `more` are further attributes. */
export async function provisioned(
  scim: Client,
  more: Record<string, unknown> = {},
): Promise<{ id: string; email: string }> {
  users += 1;
  const email = `person${users}@provisioned.test`;
  const { id } = await scim.ok(createScimUser, { body: { userName: email, ...more } });
  return { id, email };
}

export const read = (scim: Client, id: string) => scim.ok(readScimUser, { params: { id } });

/** Sets a password with a mailed reset token, and returns a session in the account. */
export async function signsIn(email: string, of: Tenant): Promise<Client> {
  const token = await mailedToken(email);
  await client({}).ok(resetPassword, { body: { token, password: personPassword } });
  return session(email, of);
}

/** Logs in with the password of `signsIn`. */
export async function session(email: string, of: Tenant): Promise<Client> {
  const { status, body } = await client({}).call(logIn, { body: { email, password: personPassword } });
  expect(status).toBe(200);
  return client({ authorization: `Bearer ${sessionIn(body).token}`, 'x-account-id': of.accountId });
}

/** The body of a PATCH. */
export const operations = (...list: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: list,
});

import impersonateUser from '../../functions/users/impersonate-user.ts';
import { type Client, client, type Tenant } from '../harness/tenant.ts';

export const reason = 'Ticket TKT-000001';

/** Returns a client with the session of an impersonation. */
export async function actingAs(
  { admin, accountId }: Tenant,
  email: string,
  { write = false }: { write?: boolean } = {},
): Promise<Client> {
  const { token } = await admin.ok(impersonateUser, { params: { email }, body: { reason, write } });
  return client({ 'x-account-id': accountId, authorization: `Bearer ${token}` });
}

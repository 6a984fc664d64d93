import { type BenchTable, logIn } from './function-programs.ts';

/** A user who reads only the own leads. */
export interface Owner {
  id: number;
  headers: Record<string, string>;
}

/** Creates a user of the account who has only the permission `readOwnLeads`. */
export async function createOwner({ account, env }: BenchTable): Promise<Owner> {
  // Imported only now, because shared/table/client.ts reads the environment when it is loaded.
  const [{ newMembership, newUser }, { memberships, users }, { hashPassword }, { authoredBy }, { transact }] =
    await Promise.all([
      import('../../shared/people/users/make-user.ts'),
      import('../../shared/people/users/store.ts'),
      import('../../shared/security/passwords.ts'),
      import('../../shared/table/revise.ts'),
      import('../../shared/table/transact.ts'),
    ]);
  const origin = { account, ...authoredBy('ada@example.com', new Date()) };
  const credentials = { email: 'grace@example.com', password: 'a compiler before its time' };
  const passwordHash = await hashPassword(credentials.password);
  const user = { ...newUser(credentials.email, origin), passwordHash, proved: true as const };
  const membership = {
    ...newMembership(user, { roleIds: [] }, origin),
    flatPermissionsList: ['readOwnLeads' as const],
  };
  await transact([...users.insert(user), ...memberships.insert(membership)], Date.now() + 10_000);
  return { id: user.id, headers: await logIn(env, account, credentials) };
}

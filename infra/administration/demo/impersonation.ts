import { at, type DemoCompany, readAll } from './company.ts';
import type { Staff } from './staff.ts';

interface KnownImpersonation {
  reason: string;
  expiresAt: string;
  endedAt?: string;
}

const reason = 'Demo: The list of leads is empty';

/** Acts as the first user and ends the impersonation. The user is informed by mail and in the inbox. */
export async function createImpersonation(company: DemoCompany, { users }: Staff): Promise<void> {
  const { account, send } = company;
  const path = `/users/${at(users, 0)}`;
  await company.each('impersonations', [path], async () => {
    const { impersonationForbidden } = await send<{ impersonationForbidden?: boolean }>(
      'GET',
      `/accounts/${account}`,
    );
    if (impersonationForbidden) return;
    const known = (await readAll<KnownImpersonation>(company, `${path}/impersonations`)).find(
      (one) => one.reason === reason,
    );
    if (!known) await send('POST', `${path}/impersonation`, { reason });
    // An earlier run may have stopped before the end.
    const isOpen = !known || (known.endedAt === undefined && Date.parse(known.expiresAt) > Date.now());
    if (isOpen) await send('DELETE', `${path}/impersonation`);
  });
}

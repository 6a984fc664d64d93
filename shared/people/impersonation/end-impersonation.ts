import type { SignedIn } from '../../security/principal.ts';
import type { Write } from '../../table/operations.ts';
import type { Authored } from '../../table/revise.ts';
import { endSelected, endsOf, readOpenImpersonations } from '../impersonation-records/open-impersonations.ts';

/** Returns the writes that end the impersonation whose session logs out, and those that the session began. */
export async function endWithSession(request: Authored & { principal: SignedIn }): Promise<Write[]> {
  const { principal } = request;
  const { impersonation, impersonates = [], id, sessionId } = principal;
  if (impersonation) {
    const open = await readOpenImpersonations(impersonation.account);
    return (await endSelected(open, (one) => one.id === impersonation.id, request)).writes;
  }
  const ends = await Promise.all(
    impersonates.map(async (account) =>
      endSelected(
        await readOpenImpersonations(account),
        ({ by, bySession }) => by === id && bySession === sessionId,
        request,
      ),
    ),
  );
  return endsOf(ends);
}

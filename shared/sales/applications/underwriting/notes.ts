import type { RequestInput } from '../../../endpoints/endpoint.ts';
import { notFound } from '../../../errors.ts';
import type { AccountId } from '../../../id/account-id.ts';
import { childStore } from '../../../table/child-store.ts';
import { inParallel } from '../../../table/in-parallel.ts';
import { childTotalsKey } from '../../../table/keys.ts';
import type { ListSource } from '../../../table/list-source.ts';
import { getItem } from '../../../table/read.ts';
import { applications } from '../store.ts';
import type { ApplicationNote } from './underwriting-schema.ts';

const children = childStore<ApplicationNote, 'note'>({
  resource: 'note',
  parent: 'application',
  parentOf: ({ applicationId }) => applicationId,
});

export const applicationNotes = {
  ...children,

  /**
   * A list source of the notes on an application. Reads throw `not_found` if the application does not exist, or the caller does
   * not reach it.
   */
  listOf(
    { account, requireReach }: Pick<RequestInput, 'account' | 'requireReach'>,
    applicationId: string,
  ): ListSource<ApplicationNote> {
    const source = children.listOf(account, applicationId);
    return {
      ...source,
      newest: async (bounds) => {
        const [, , found] = await inParallel([
          requireTotals(account, applicationId),
          requireReach('application', () => applications.getSummary(account, applicationId), applicationId),
          source.newest(bounds),
        ]);
        return found;
      },
    };
  },
};

/** Throws `not_found` unless the application exists. Reads the totals item, which is deleted with the application. */
async function requireTotals(account: AccountId, applicationId: string): Promise<void> {
  const totals = await getItem(childTotalsKey(account, applications.noun, applicationId));
  if (!totals) throw notFound('application', applicationId);
}

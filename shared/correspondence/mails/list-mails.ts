import type { AccountId } from '../../id/account-id.ts';
import { type ListSource, shortListSource } from '../../table/list-source.ts';
import { countOf, listOfIndex } from '../../table/secondary-indexes.ts';
import type { MailState, MailSummary, ThreadType } from './schema.ts';
import { isUndecided, mails } from './store.ts';

/** The number of index partitions to read for a filter by state. The index contains only undecided mails. */
export const partitionsOfStates = ({ state = [] }: { state?: readonly MailState[] }): number =>
  state.length > 0 && state.every(isUndecided) ? state.length : Number.POSITIVE_INFINITY;

/** Returns the mails of an account as a list source. An index of the table finds the undecided ones. */
export function mailsOf(
  account: AccountId,
  state: readonly MailState[] | undefined,
): ListSource<MailSummary> {
  if (!state?.every(isUndecided)) return mails.listOf(account);
  const count = () =>
    countOf(
      mails,
      account,
      state.map((of) => ({ of })),
    );
  return listOfIndex<MailSummary>(
    mails,
    account,
    'state',
    state.map((of) => [of]),
    count,
  );
}

/** A list reads at most this many mails of a record. */
const mostOfRecord = 10_000;

/**
 * Returns the mails in the thread of a record, newest first. A quarantined mail is in no thread. Without `held`, mails of
 * senders who do not take part are omitted.
 */
export const mailsOfRecord = (
  account: AccountId,
  type: ThreadType,
  id: string,
  { held }: { held: boolean },
): ListSource<MailSummary> =>
  shortListSource(async () => {
    const list = listOfIndex<MailSummary>(mails, account, 'holder', [[type, id]], async () => 0);
    const { items } = await list.newest({ limit: mostOfRecord });
    return held ? items : items.filter(({ state }) => state !== 'held');
  });

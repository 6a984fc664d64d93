import type { AccountId } from '../../id/account-id.ts';
import type { ListedNoun } from '../../table/keys.ts';
import type { HeldTotals } from '../../table/list-source.ts';
import { type CountedName, countsOf } from '../../table/secondary-indexes.ts';

/** The name of the counter of the records of others in which a user takes part. */
const sharedWith = (user: string): CountedName => ({ of: 'shared', within: [user] });

/** Returns the counters of a record for its participants, except the one who holds it. */
export const countedForParticipants = (
  { participants = [] }: { participants?: readonly string[] },
  holder: string,
): CountedName[] => participants.filter((one) => one !== holder).map(sharedWith);

/** Reads the counters `held`, and those of the records of others in which the participants take part. */
export async function readHeldTotals(
  store: { noun: ListedNoun },
  account: AccountId,
  held: readonly CountedName[],
  participants: readonly string[],
): Promise<HeldTotals> {
  const [own, shared] = await countsOf(store, account, [held, participants.map(sharedWith)]);
  return { held: own ?? 0, shared: shared ?? 0 };
}

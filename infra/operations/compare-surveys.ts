import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt } from '../../shared/id/mint.ts';
import type { Unlogged } from '../../shared/resources/declare.ts';
import { unloggedWords } from '../../shared/resources/derived.ts';
import type { AccountSurvey, KindCount, Survey } from './survey-table.ts';

/** The comparison of a restored table with its source. */
export interface Comparison {
  kinds: { kind: string; inTable: number; restored: number }[];
  accounts: number;
  /**
   * The number of accounts whose last event is from more than 15 minutes before the instant. Their items were
   * compared.
   */
  unchanged: number;
  /** The number of accounts that were deleted after the instant. They were not compared. */
  gone: number;
  differences: string[];
}

/** The longest time between the creation of an event's id and the commit of the event, in milliseconds. */
export const maxCommitDelay = 30_000;
/**
 * The longest time, in milliseconds, until consumers have processed an event. This includes the removal of a
 * deleted record's children.
 */
const followsWithin = 15 * 60_000;

/** The word in a kind for which a resource declares that changes add no event. Undefined if there is none. */
const unloggedAs = (kind: string): Unlogged | undefined => {
  const words = kind.split(' ');
  return unloggedWords[words[0] ?? ''] ?? unloggedWords[words.at(-1) ?? ''];
};

/** Reports whether every write of an item of this kind also adds an event to the item's account. */
export const changesWithEvents = (kind: string): boolean => unloggedAs(kind) === undefined;

/** Reports whether items of this kind never move to another account. Users move when their account is erased. */
const staysInAccount = (kind: string): boolean => kind !== 'USER' && unloggedAs(kind) !== 'later';

/**
 * Compares a table with a copy restored as of an instant. The table keeps changing, so the function compares:
 * - in every account, the events from before the instant, which never change;
 * - in accounts without events since 15 minutes before the instant, all items of kinds that change only with events;
 * - of other items that stay in their account, the number created before the instant, because none may be missing;
 * - the number of users of all accounts together, because a user may have moved to another account.
 */
export function compareSurveys(inTable: Survey, restored: Survey, instant: Date): Comparison {
  const ids = [...new Set([...inTable.accounts.keys(), ...restored.accounts.keys()])].sort();
  const comparison: Comparison = {
    kinds: [...new Set([...inTable.kinds.keys(), ...restored.kinds.keys()])].sort().map((kind) => ({
      kind,
      inTable: inTable.kinds.get(kind) ?? 0,
      restored: restored.kinds.get(kind) ?? 0,
    })),
    accounts: ids.length,
    unchanged: 0,
    gone: 0,
    differences: [],
  };
  const firstUnprocessed = firstIdAt(new Date(instant.getTime() - followsWithin));
  for (const id of ids) {
    const here = inTable.accounts.get(id);
    if (!here || here.gone) {
      comparison.gone += 1;
      continue;
    }
    const there = restored.accounts.get(id) ?? nothing;
    const unchanged = here.lastEvent < firstUnprocessed;
    if (unchanged) comparison.unchanged += 1;
    comparison.differences.push(...differencesOf(id, here, there, { unchanged, instant }));
  }
  const [users, found] = [usersIn(inTable), usersIn(restored)];
  if (users > found)
    comparison.differences.push(
      `USER: ${users} items created before ${instant.toISOString()}, but ${found} in the restored table.`,
    );
  return comparison;
}

const usersIn = ({ accounts }: Survey): number =>
  [...accounts.values()].reduce((sum, { kinds }) => sum + (kinds.get('USER')?.earlier ?? 0), 0);

const nothing: AccountSurvey = { kinds: new Map(), lastEvent: 0, gone: false };
const none: KindCount = { items: 0, digest: 0n, earlier: 0 };

function differencesOf(
  account: AccountId,
  here: AccountSurvey,
  there: AccountSurvey,
  { unchanged, instant }: { unchanged: boolean; instant: Date },
): string[] {
  const at = instant.toISOString();
  const differences: string[] = [];
  if (there.lastEvent >= firstIdAt(new Date(instant.getTime() + maxCommitDelay)))
    differences.push(`Account ${account}: the restored table has events from after ${at}.`);
  for (const kind of [...new Set([...here.kinds.keys(), ...there.kinds.keys()])].sort()) {
    const [one, other] = [here.kinds.get(kind) ?? none, there.kinds.get(kind) ?? none];
    const exact = kind === 'EVENT' || (unchanged && changesWithEvents(kind));
    const what = `Account ${account}: ${kind}:`;
    const items = kind === 'EVENT' ? `events before ${at}` : 'items';
    if (exact && one.items !== other.items)
      differences.push(`${what} ${one.items} ${items}, but ${other.items} in the restored table.`);
    else if (exact && one.digest !== other.digest)
      differences.push(`${what} the ${one.items} ${items} differ in the restored table.`);
    else if (!exact && staysInAccount(kind) && one.earlier > other.earlier)
      differences.push(
        `${what} ${one.earlier} items created before ${at}, but ${other.earlier} in the restored table.`,
      );
  }
  return differences;
}

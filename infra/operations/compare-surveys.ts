import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt } from '../../shared/id/mint.ts';
import type { AccountSurvey, KindCount, Survey } from './survey-table.ts';

/** How a table that was restored compares with the one it was restored from. */
export interface Comparison {
  /** How many items both have of each kind. */
  kinds: { kind: string; inTable: number; restored: number }[];
  accounts: number;
  /** In so many nothing happened since: they were compared item for item. */
  unchanged: number;
  /** So many were deleted since, and were not compared. */
  gone: number;
  /** A sentence for each thing that the restored table lacks, or has otherwise. */
  differences: string[];
}

/** An event is minted when it is decided and in the table when it is committed: so many milliseconds apart at most. */
export const maxCommitDelay = 30_000;
/** What follows from an event, such as the removal of what hung on a record, has happened so many milliseconds later. */
const followsWithin = 15 * 60_000;

/** By the first word of their kinds: what functions count, send, file and clean up at their own pace. */
const ownPace = new Set([
  'AUDIENCE',
  'BACKLOG',
  'CALLS',
  'DIGEST',
  'IDEMPOTENCY',
  'INBOX',
  'QUOTA',
  'SEAL',
  'SEALHEAD',
  'SENDING',
  'SESSION',
  'TICKETNUMBERS',
  'WAKE',
]);
/** The same by their last word: audit entries that a consumer writes, turns that were taken, how deliveries fare. */
const ownPaceOf = new Set(['AUDIT', 'SLOT', 'HEALTH']);
/** What has no events, or is changed by a request in another account: users belong to several. */
const withoutEvents = new Set([
  'ACCOUNTS',
  'DATAKEYS',
  'LOOKUP',
  'MEMBER',
  'PARTNERCATEGORY',
  'TICKETTYPEMAPPING',
  'USER',
]);

const wordsOf = (kind: string): [first: string, last: string] => {
  const words = kind.split(' ');
  return [words[0] ?? '', words.at(-1) ?? ''];
};

/** Whether items of a kind are written with an event of their account, and never without. */
export const changesWithEvents = (kind: string): boolean => {
  const [first, last] = wordsOf(kind);
  return !ownPace.has(first) && !ownPaceOf.has(last) && !withoutEvents.has(first);
};

/**
 * Whether an item that says it was created before an instant was there at that instant, under the same kind and in the same
 * account: users move where theirs is erased.
 */
const staysOfItsKind = (kind: string): boolean =>
  changesWithEvents(kind) || (withoutEvents.has(wordsOf(kind)[0]) && kind !== 'USER');

/**
 * Compares what was found in a table with what was found in one that was restored from it as of an instant. The first goes on
 * changing, so what may be expected is this: in every account the very same events from before the instant, as events never
 * change; where nothing happened since, the same items of each kind that changes with events; and elsewhere, of such a kind,
 * whatever is there still and says that it was created before. Of users it is as many, wherever they live now.
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
  const settled = firstIdAt(new Date(instant.getTime() - followsWithin));
  for (const id of ids) {
    const here = inTable.accounts.get(id);
    if (!here || here.gone) {
      comparison.gone += 1;
      continue;
    }
    const there = restored.accounts.get(id) ?? nothing;
    const unchanged = here.lastEvent < settled;
    if (unchanged) comparison.unchanged += 1;
    comparison.differences.push(...differencesOf(id, here, there, { unchanged, instant }));
  }
  const [users, found] = [usersIn(inTable), usersIn(restored)];
  if (users > found)
    comparison.differences.push(
      `Of ${users} items USER that were created before ${instant.toISOString()} the restored table has ${found}.`,
    );
  return comparison;
}

/** How many say that they were created before, in all accounts. */
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
    differences.push(`Account ${account}: the restored table has events that happened after ${at}.`);
  for (const kind of [...new Set([...here.kinds.keys(), ...there.kinds.keys()])].sort()) {
    const [one, other] = [here.kinds.get(kind) ?? none, there.kinds.get(kind) ?? none];
    const exact = kind === 'EVENT' || (unchanged && changesWithEvents(kind));
    const of = kind === 'EVENT' ? `events before ${at}` : `items ${kind}`;
    if (exact && one.items !== other.items)
      differences.push(`Account ${account}: of ${one.items} ${of} the restored table has ${other.items}.`);
    else if (exact && one.digest !== other.digest)
      differences.push(`Account ${account}: its ${one.items} ${of} are others in the restored table.`);
    else if (!exact && staysOfItsKind(kind) && one.earlier > other.earlier)
      differences.push(
        `Account ${account}: of ${one.earlier} ${of} that were created before ${at} the restored table has ${other.earlier}.`,
      );
  }
  return differences;
}

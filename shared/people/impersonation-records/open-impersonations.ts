import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { putIfAbsent, putIfEquals, type Write } from '../../table/operations.ts';
import { getItem, getItems } from '../../table/read.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { openImpersonationsKey } from './keys.ts';
import type { StoredImpersonation } from './schema.ts';
import { impersonations } from './store.ts';

/** A user can have at most 20 open impersonations, and an account 80, so that one transaction can end all of them. */
const [mostOfUser, mostOfAccount] = [20, 80];

interface OpenImpersonation {
  id: number;
  userId: number;
  /** The administrator and the administrator's session. */
  by: number;
  bySession: string;
  expiresAt: string;
}

/**
 * The open impersonations of an account, in one item. A session of an impersonation is valid only while it is in this
 * list. So the limits are a condition of the transaction that begins an impersonation, and the end of an impersonation
 * removes it from the list. An impersonation that has ended can never continue.
 */
export interface OpenImpersonations {
  account: AccountId;
  /** Absent if the account has never had an impersonation. */
  revision?: number;
  list: readonly OpenImpersonation[];
}

const openIn = (account: AccountId, item: Item | undefined): OpenImpersonations =>
  item ? { ...recordOf<OpenImpersonations>(item), account } : { account, list: [] };

export const readOpenImpersonations = async (account: AccountId): Promise<OpenImpersonations> =>
  openIn(account, await getItem(openImpersonationsKey(account)));

/** Reports whether the item contains the impersonation. */
export const isOpen = (item: Item | undefined, id: number): boolean =>
  item !== undefined && recordOf<OpenImpersonations>(item).list.some((one) => one.id === id);

/** Returns the write that adds an impersonation to the list. Throws `quota_exceeded`. */
export function addOpen(open: OpenImpersonations, added: OpenImpersonation, now: Date): Write {
  const others = open.list.filter(({ expiresAt }) => Date.parse(expiresAt) > now.getTime());
  const ofUser = others.filter(({ userId }) => userId === added.userId);
  for (const { found, most, holder } of [
    { found: ofUser.length, most: mostOfUser, holder: 'A user' },
    { found: others.length, most: mostOfAccount, holder: 'An account' },
  ])
    if (found >= most)
      throw new ApiError('quota_exceeded', {
        message: `${holder} can have at most ${most} open impersonations. End them first.`,
      });
  return replaceList(open, [...others, added]);
}

function replaceList({ account, revision }: OpenImpersonations, list: readonly OpenImpersonation[]): Write {
  const next = { list, revision: (revision ?? 0) + 1 };
  const item = { ...openImpersonationsKey(account), type: 'open-impersonations', ...next };
  return revision === undefined ? putIfAbsent(item) : putIfEquals(item, 'revision', revision);
}

/** Returns the writes that end the selected impersonations, and their records as they were. */
export async function endSelected(
  open: OpenImpersonations,
  isSelected: (one: OpenImpersonation) => boolean,
  request: Authored,
): Promise<{ writes: Write[]; ended: StoredImpersonation[] }> {
  const { account } = open;
  const { now } = request;
  const selected = open.list.filter((one) => Date.parse(one.expiresAt) > now.getTime() && isSelected(one));
  if (selected.length === 0) return { writes: [], ended: [] };
  const records = await impersonations.findMany(account, selected);
  const ended = records.filter(({ endedAt }) => endedAt === undefined);
  const endedAt = now.toISOString();
  return {
    ended,
    writes: [
      replaceList(
        open,
        open.list.filter((one) => !selected.includes(one)),
      ),
      ...ended.flatMap((one) => impersonations.replace(one, revise(one, { endedAt }, request))),
    ],
  };
}

/** The most writes that end impersonations. The rest of the transaction needs fewer than 20. */
const mostWrites = 81;

/**
 * Returns the writes of the ends in several accounts, as far as they fit into a transaction. The lists come first, so that
 * every impersonation ends. In the extreme case, records are without the time of their end.
 */
export const endsOf = (ends: readonly { writes: Write[] }[]): Write[] =>
  [
    ...ends.flatMap(({ writes: [list] }) => list ?? []),
    ...ends.flatMap(({ writes: [, ...records] }) => records),
  ].slice(0, mostWrites);

/** Returns the ends of impersonations that fit into a transaction together with so many other ends of sessions. */
export const endsThatFit = (ends: readonly Write[], others: number): Write[] =>
  ends.slice(0, mostWrites - others);

/**
 * Returns the writes that end the impersonations of a person and by a person in some accounts, except those that the
 * session `kept` began.
 */
export async function endOfPerson(
  accounts: readonly AccountId[],
  id: number,
  request: Authored,
  kept?: string,
): Promise<Write[]> {
  const items = await getItems(accounts.map(openImpersonationsKey));
  const ends = await Promise.all(
    accounts.map((account, n) =>
      endSelected(
        openIn(account, items[n]),
        ({ userId, by, bySession }) => userId === id || (by === id && bySession !== kept),
        request,
      ),
    ),
  );
  return endsOf(ends);
}

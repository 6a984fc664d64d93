import type { AccountId } from '../../id/account-id.ts';
import { type Item, recordOf } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import { putIfAbsent, putIfEquals, type Write } from '../../table/operations.ts';
import { getItems } from '../../table/read.ts';
import type { Micros } from '../amounts/micros.ts';
import { monthSumsKey, owedKey } from './keys.ts';

/** What the statements of a beneficiary for a month add up to. */
export interface MonthSums {
  /** The exact sum of all lines. */
  exact: Micros;
  /** The exact sum of the lines about rows of files. */
  residuals: Micros;
  /** The sum of the totals of the statements, in the smallest unit of the currency. */
  minor: number;
}

/**
 * What the next statement of a beneficiary carries forward, in the smallest unit of the currency. Negative: what the
 * beneficiary owes. Positive: payments that did not arrive, and whose runs were reversed.
 */
export interface Owed {
  balance: number;
}

type Versioned<T> = T & { version: number };

/** The sums of a beneficiary before a statement. */
export interface Standing {
  month: Versioned<MonthSums>;
  owed: Versioned<Owed>;
}

/** Reads the sums of a beneficiary. */
export async function readStanding(
  account: AccountId,
  beneficiary: string,
  month: string,
): Promise<Standing> {
  const [sums, owed] = await getItems([
    monthSumsKey(account, beneficiary, month),
    owedKey(account, beneficiary),
  ]);
  return {
    month: sums ? recordOf<Standing['month']>(sums) : { version: 0, exact: 0, residuals: 0, minor: 0 },
    owed: owedIn(owed),
  };
}

/** Returns the exact posted shares of a beneficiary in a month. */
export const residualsOfMonth = async (
  account: AccountId,
  beneficiary: string,
  month: string,
): Promise<Micros> => (await readStanding(account, beneficiary, month)).month.residuals;

/** The balances of some beneficiaries, as they were read and as they become. */
export type Balances = Map<string, { before: Standing['owed']; balance: number }>;

/** Reads the balances of beneficiaries. */
export async function readBalances(account: AccountId, beneficiaries: Iterable<string>): Promise<Balances> {
  const names = [...new Set(beneficiaries)];
  const items = await getItems(names.map((name) => owedKey(account, name)));
  return new Map(
    names.map((name, n) => {
      const before = owedIn(items[n]);
      return [name, { before, balance: before.balance }];
    }),
  );
}

/** Returns the writes of changed balances. They conflict if another statement was posted meanwhile. */
export const balanceWrites = (account: AccountId, balances: Balances): Write[] =>
  [...balances].flatMap(([beneficiary, { before, balance }]) =>
    balance === before.balance ? [] : put(owedKey(account, beneficiary), { balance }, before.version),
  );

const owedIn = (item: Item | undefined): Standing['owed'] =>
  item ? recordOf<Standing['owed']>(item) : { version: 0, balance: 0 };

function put(key: Key, fields: object, version: number): Write {
  const item = { ...key, type: 'residual-balance', ...fields, version: version + 1 };
  return version === 0 ? putIfAbsent(item) : putIfEquals(item, 'version', version);
}

/** Returns the writes of changed sums. They conflict if another statement was posted meanwhile. */
export function standingWrites(
  { account, beneficiary, month }: { account: AccountId; beneficiary: string; month: string },
  before: Standing,
  after: { month: MonthSums; owed: Owed },
): Write[] {
  return [
    put(monthSumsKey(account, beneficiary, month), after.month, before.month.version),
    put(owedKey(account, beneficiary), after.owed, before.owed.version),
  ];
}

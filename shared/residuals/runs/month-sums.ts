import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
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

/** What a beneficiary owes: 0 or negative, in the smallest unit of the currency. */
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
    owed: owed ? recordOf<Standing['owed']>(owed) : { version: 0, balance: 0 },
  };
}

/** Returns the exact posted shares of a beneficiary in a month. */
export const residualsOfMonth = async (
  account: AccountId,
  beneficiary: string,
  month: string,
): Promise<Micros> => (await readStanding(account, beneficiary, month)).month.residuals;

/** Returns the writes of changed sums. They conflict if another statement was posted meanwhile. */
export function standingWrites(
  { account, beneficiary, month }: { account: AccountId; beneficiary: string; month: string },
  before: Standing,
  after: { month: MonthSums; owed: Owed },
): Write[] {
  const put = (key: Key, fields: object, version: number): Write => {
    const item = { ...key, type: 'residual-balance', ...fields, version: version + 1 };
    return version === 0 ? putIfAbsent(item) : putIfEquals(item, 'version', version);
  };
  return [
    put(monthSumsKey(account, beneficiary, month), after.month, before.month.version),
    put(owedKey(account, beneficiary), after.owed, before.owed.version),
  ];
}

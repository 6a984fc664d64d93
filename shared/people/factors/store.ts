import { type Item, recordOf } from '../../table/item.ts';
import {
  checkAbsent,
  deleteIfVersion,
  putIfAbsent,
  putIfEquals,
  putItem,
  type Write,
} from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { factorsKey } from '../users/keys.ts';
import type { StoredUser } from '../users/schema.ts';
import { noFactors } from './rules.ts';
import type { StoredFactors } from './schema.ts';

type Person = Pick<StoredUser, 'home' | 'id'>;

/** The second factors of persons. They belong to the person, not to an account. */
export const factors = {
  async of({ home, id }: Person): Promise<StoredFactors> {
    const item = await getItem(factorsKey(home, id));
    return item ? recordOf<StoredFactors>(item) : noFactors;
  },

  /** The item is deleted only with the person. Fails with a conflict if another request has changed the factors. */
  replace(person: Person, before: StoredFactors, after: StoredFactors): Write[] {
    const item = itemOf(person, after, before.version + 1);
    return [before.version === 0 ? putIfAbsent(item) : putIfEquals(item, 'version', before.version)];
  },

  /**
   * Moves the factors of a person to the partition of the account that stores the person from now on. Fails with a
   * conflict if another request has changed the factors.
   */
  async move(from: Person, to: Person): Promise<Write[]> {
    const stored = await this.of(from);
    const key = factorsKey(from.home, from.id);
    if (stored.version === 0) return [checkAbsent(key)];
    return [deleteIfVersion(key, stored.version), putItem(itemOf(to, stored, stored.version + 1))];
  },
};

const itemOf = ({ home, id }: Person, stored: StoredFactors, version: number): Item => ({
  ...factorsKey(home, id),
  type: 'factors',
  ...stored,
  version,
});

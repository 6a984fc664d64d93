import { isDeepStrictEqual } from 'node:util';

/** The fields that every change updates. */
interface Revisable {
  version: number;
  updatedAt: string;
}

/** Who changes something, and when: what every request knows. */
export interface Authored {
  principal: { actor: { user: string } };
  now: Date;
}

/** The author of a change that is made without a request of a principal. */
export const authoredBy = (user: string, now: Date): Authored => ({ principal: { actor: { user } }, now });

/** The fields to set: a value sets, null clears, undefined leaves as it is. */
export type Revision<R> = { [K in keyof R]?: R[K] | null };

/**
 * The next state of a record: the given fields applied, the version one higher, and who did it when. A change without
 * a principal leaves `updatedBy` as it was. Where nothing differs the very same record is returned, so that nothing is
 * written and no event is emitted.
 */
export function revise<R extends Revisable>(
  record: R,
  revision: Revision<R>,
  { principal, now }: Pick<Authored, 'now'> & Partial<Authored>,
): R {
  const after: R = { ...record };
  let changed = false;
  for (const name of Object.keys(revision) as (keyof R)[]) {
    const value = revision[name];
    if (value === undefined || sameValue(value, record[name] ?? null)) continue;
    changed = true;
    if (value === null) delete after[name];
    else after[name] = value as R[keyof R];
  }
  if (!changed) return record;
  const revised = { ...after, version: record.version + 1, updatedAt: now.toISOString() };
  return principal ? { ...revised, updatedBy: principal.actor.user } : revised;
}

/**
 * Whether two values are the same as JSON has it: whatever the order of their fields, which DynamoDB does not keep,
 * and a field that is undefined counts as absent.
 */
export const sameValue = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(asJson(one), asJson(other));

const asJson = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;

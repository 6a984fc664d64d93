import { sameValue } from './same-value.ts';

/** The fields that every change updates. */
interface Revisable {
  version: number;
  updatedAt: string;
}

/** The fields to change: a value sets, null clears, undefined leaves as it is. */
export type Revision<R> = { [K in keyof R]?: R[K] | null };

/**
 * The next state of a record: the given fields applied, the version one higher, the time and the author set.
 * Where nothing differs the same object is returned, so that nothing is written and no event emitted.
 */
export function revise<R extends Revisable>(
  record: R,
  revision: Revision<R>,
  by: string | undefined,
  now: Date,
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
  return by === undefined ? revised : { ...revised, updatedBy: by };
}

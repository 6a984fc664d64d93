import { isDeepStrictEqual } from 'node:util';

interface Revisable {
  version: number;
  updatedAt: string;
}

/** The author and the time of a change. Every request contains both fields. */
export interface Authored {
  principal: { actor: { user: string } };
  now: Date;
}

/** Returns the author and the time of a change that is not made by a request. */
export const authoredBy = (user: string, now: Date): Authored => ({ principal: { actor: { user } }, now });

/** The fields to set. Null clears a field, undefined keeps it. */
export type Revision<R> = { [K in keyof R]?: R[K] | null };

/**
 * Applies a revision: sets the fields, increments the version and records author and time. Without a principal,
 * `updatedBy` does not change. If no value differs, returns the same object, so that nothing is written or emitted.
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

/** Reports whether two values are equal as JSON. The order of fields is ignored. Undefined equals a missing field. */
export const sameValue = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(asJson(one), asJson(other));

const asJson = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;

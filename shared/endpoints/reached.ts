import { ApiError, notFound } from '../errors.ts';
import type { ReachedType } from '../resources/registry.ts';
import type { Principal } from '../security/principal.ts';
import { mayReach, reachesEvery } from '../security/reach.ts';
import { type Contract, useOf } from './contract.ts';

/**
 * Throws unless the caller reaches a record. `reference` is the id in the request. A hidden record is a 404, as if it had
 * never existed. A record that the caller may read but not change is a 403. If `record` is a function, it reads the record.
 * It is called only for callers who reach some of the records, so that other callers need no read.
 */
export type RequireReach = (
  type: ReachedType,
  record: object | (() => Promise<object>),
  reference: number | string,
) => Promise<void>;

/** Returns the function `requireReach` of a request. The caller may become known after the record was read. */
export const reachRequirement =
  (contract: Contract, caller: Promise<Principal> | Principal | undefined): RequireReach =>
  async (type, record, reference) => {
    const principal = await caller;
    if (!principal) throw new Error(`${contract.path} has no caller.`);
    const use = useOf(contract, principal, type);
    if (use === undefined || reachesEvery(principal, type, use)) return;
    const found: object = typeof record === 'function' ? await record() : record;
    if (mayReach(principal, type, use, found)) return;
    if (mayReach(principal, type, 'read', found)) throw new ApiError('permission_denied');
    throw notFound(type, reference);
  };

/** Returns the record that `reading` reads, if the caller reaches it; see `RequireReach`. */
export async function reached<R extends { id: number | string }>(
  { requireReach }: { requireReach: RequireReach },
  type: ReachedType,
  reading: Promise<R>,
  reference?: number | string,
): Promise<R> {
  const record = await reading;
  await requireReach(type, record, reference ?? record.id);
  return record;
}

/** Throws `permission_denied` if a caller with a limited permission creates a record that it would not reach. */
export function requireOwnNew(principal: Principal, type: ReachedType, record: object): void {
  if (mayReach(principal, type, 'write', record)) return;
  throw new ApiError('permission_denied', {
    message: 'Your permission is limited to some of the records, and would not include the new record.',
  });
}

import { readExpiry } from '../../accounts/expiry.ts';
import type { Account } from '../../accounts/schema.ts';
import { invalid } from '../../errors.ts';
import type { LookupOption } from './schema.ts';

/** The largest number of ancestors of an option. */
export const maxAncestors = 20;

/** Reports whether an option is active and not expired. */
export const isSelectable = (
  { is_active, expires_at }: Pick<LookupOption, 'is_active' | 'expires_at'>,
  now: Date,
): boolean => is_active && (expires_at === undefined || expires_at > now.toISOString());

/** Returns the body of a request with the expiry as it is stored. Throws `invalid_input`. */
export const withStoredExpiry = <B extends { expires_at?: string | null }>(
  body: B,
  accountRecord: Pick<Account, 'timezone'>,
): B =>
  typeof body.expires_at === 'string'
    ? { ...body, expires_at: readExpiry('expires_at', body.expires_at, accountRecord) }
    : body;

/** Throws if an option cannot have this parent. `ancestors` starts with the parent. `self` is the id of the option. */
export function checkParent(
  parentId: number | null | undefined,
  ancestors: readonly Pick<LookupOption, 'parent_id'>[],
  self?: number,
): void {
  if (parentId === undefined || parentId === null) return;
  if (parentId === self || ancestors.some(({ parent_id }) => parent_id !== undefined && parent_id === self))
    throw invalid('parent_id', 'must not be the option itself or an option below it');
  if (ancestors.length === 0) throw invalid('parent_id', 'is not the id of a lookup option in this account');
  if (ancestors.length > maxAncestors)
    throw invalid('parent_id', `gives the option more than ${maxAncestors} ancestors`);
}

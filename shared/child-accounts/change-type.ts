import type { AccountLimits, StoredAccount } from '../accounts/schema.ts';
import { invalid } from '../errors.ts';
import { updated } from '../events/emit.ts';
import type { Effects } from '../events/envelope.ts';
import type { Static } from '../schema.ts';
import { readGrant } from '../security/grants.ts';
import type { SignedIn } from '../security/principal.ts';
import { revise } from '../table/revise.ts';
import { renewChildren } from './renew-children.ts';
import type { AccountType, AccountTypePatch } from './schema.ts';
import { accountTypes } from './store.ts';

interface Caller {
  principal: SignedIn;
  accountRecord: StoredAccount;
}

type Settings = Pick<AccountType, 'permissions' | 'limits'>;

/**
 * Checks the permissions and limits of a type. Throws `permission_unknown`, `grant_exceeds_own` for a permission that the
 * account itself cannot use, and `invalid_input` for a limit above the account's own limit.
 */
export function typeFrom<T extends Partial<Settings>>(body: T, { principal, accountRecord }: Caller): T {
  const { permissions, limits } = body;
  if (limits) requireWithin(limits, accountRecord.limits);
  return permissions ? { ...body, permissions: readGrant(permissions, principal, 'permissions') } : body;
}

function requireWithin(limits: AccountLimits, own: AccountLimits = {}): void {
  for (const name of Object.keys(own) as (keyof AccountLimits)[]) {
    const [limit, most] = [limits[name], own[name]];
    if (limit !== undefined && most !== undefined && limit > most)
      throw invalid(`limits.${name}`, `must be at most ${most}, the limit of this account`);
  }
}

/** Changes a type. A job applies the change to the accounts of the type. */
export function changeAccountType(
  before: AccountType,
  body: Static<typeof AccountTypePatch>,
  request: Caller & { now: Date },
): Effects & { response: AccountType } {
  const { principal, now } = request;
  const after = revise(before, typeFrom(body, request), request);
  if (after === before) return { response: after, writes: [], events: [] };
  return {
    response: after,
    writes: [...accountTypes.replace(before, after), ...renewChildren(after.accountId, principal.actor, now)],
    events: updated(accountTypes, 'account_type_updated', before, after),
  };
}

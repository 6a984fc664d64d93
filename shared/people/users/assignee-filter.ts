import { filterBy } from '../../endpoints/list-filters.ts';
import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import { array, string } from '../../schema.ts';
import type { SignedIn } from '../../security/principal.ts';
import { converted, type ListSource, readOnce } from '../../table/list-source.ts';
import { namesSelf } from './is-self.ts';
import { isActiveMember } from './rules.ts';
import { findMemberByReference, memberships, readAllMembers } from './store.ts';
import { unassigned } from './unassigned.ts';

/** The value of the filter `assignedTo` for records whose assignee is not an active member. */
const inactive = 'inactive';

/** The value for the user who sends the request. */
const me = 'me';

/** A listed record. `listAssignedTo` sets `isWanted` if the record matches the filter `assignedTo`. */
export interface Assigned {
  assignedTo?: string;
  isWanted?: true;
}

/** The filter `assignedTo` of a list. The list's source must be wrapped by `listAssignedTo`. */
export const assigneeFilter = {
  ...filterBy(
    array(string({ minLength: 1, maxLength: 254 }), {
      description:
        'Ids or email addresses of users. Email addresses of other users require `readUsers`. `me` is the user who sends the request. `none` matches records without an assignee. `inactive` matches records whose assignee left the account, was removed or is not active.',
    }),
    ({ isWanted }: Assigned) => isWanted === true,
    // The search index cannot apply `inactive`, because no record changes when its assignee leaves the account.
    (values) => (filtersByInactive(values) ? undefined : values),
  ),
  forCaller(value: unknown, principal: SignedIn | undefined): unknown {
    const values = [value].flat().map((one) => ownIdFor(one, principal));
    if (!principal && values.some(isEmail)) return undefined;
    // Otherwise, the response would show which addresses belong to users of the account.
    if (principal && !principal.permissions.has('readUsers') && values.some(isEmail))
      throw invalid('assignedTo', 'must not be an email, because the caller may not read users');
    if (!values.includes(me)) return values;
    if (principal?.kind === 'key')
      throw invalid(
        'assignedTo',
        'must not be `me` in a request with an API key, because leads and tickets are assigned to users',
      );
    return principal && values.map((one) => (one === me ? String(principal.id) : one));
  },
};

const isEmail = (value: unknown): boolean => String(value).includes('@');

/** Replaces the caller's own email by the caller's id. */
const ownIdFor = (value: unknown, principal: SignedIn | undefined): unknown =>
  principal && isEmail(value) && namesSelf(principal, String(value)) ? String(principal.id) : value;

/** The users to which the filter refers, for `references`. `listAssignedTo` rejects unknown email addresses. */
export const assignees = {
  idFrom: (value: string): string => value,
  async findMany(account: AccountId, values: readonly string[]): Promise<unknown[]> {
    const ids = values.map(asRecordId).filter((id) => id !== undefined);
    return ids.length < values.length ? [...values] : memberships.findMany(account, ids);
  },
};

export const filtersByInactive = (wanted: readonly unknown[] | undefined): boolean =>
  wanted?.includes(inactive) ?? false;

/**
 * Returns the source of a list with the filter `assignedTo`. `wanted` is the value of the filter. `sourceOf` receives the
 * user ids that it contains, and `none`. The source throws `invalid_input` for a value that is no user of the account.
 */
export function listAssignedTo<R, S extends Assigned>(
  account: AccountId,
  wanted: unknown,
  sourceOf: (holders: readonly string[]) => ListSource<R, S>,
): ListSource<R, S> {
  if (wanted === undefined) return sourceOf([]);
  const values = [wanted].flat().map(String);
  const readHolders = readOnce(() =>
    Promise.all(values.filter((value) => value !== inactive).map(holderFrom(account))),
  );
  const readSource = readOnce(async () => sourceOf([...new Set(await readHolders())]));
  const readMark = readOnce(async () => {
    const [holders, isInactive] = await Promise.all([
      readHolders(),
      filtersByInactive(values) ? inactiveIn(account) : () => false,
    ]);
    return (record: S): S =>
      holders.includes(record.assignedTo ?? unassigned) || isInactive(record.assignedTo)
        ? { ...record, isWanted: true }
        : record;
  });
  const source: Omit<ListSource<R, S>, 'show'> = {
    newest: async (bounds) => (await readSource()).newest(bounds),
    total: async () => (await readSource()).total(),
    index: {
      async read({ filters, ...query }, limits) {
        const [{ index }, holders] = await Promise.all([readSource(), readHolders()]);
        const resolved = filters.map((filter) =>
          filter.field === 'assignedTo' && filter.values ? { ...filter, values: holders } : filter,
        );
        return index?.read({ ...query, filters: resolved }, limits);
      },
      load: async (ids) => (await (await readSource()).index?.load(ids)) ?? [],
    },
  };
  return {
    ...converted(source, readMark),
    show: async (page) =>
      (await readSource()).show(page.map(({ isWanted, ...record }) => record as unknown as S)),
  };
}

/** Replaces the emails in values of the filter by user ids. Throws `invalid_input` for an email of no user of the account. */
export const resolveAssignees = (account: AccountId, values: readonly unknown[]): Promise<unknown[]> =>
  Promise.all(values.map((value) => (isEmail(value) ? holderFrom(account)(String(value)) : value)));

/** Returns the user id of a value of the filter. Only user ids and `none` may become part of a key. */
const holderFrom = (account: AccountId) => async (value: string) => {
  if (value === unassigned || asRecordId(value) !== undefined) return value;
  const member = value.includes('@') ? await findMemberByReference(account, value) : undefined;
  if (!member) throw invalid('assignedTo', 'must be the id or email of a user, `none` or `inactive`');
  return String(member.id);
};

/** Reads all members of the account in one query. Returns whether a user is none of the active ones. */
async function inactiveIn(account: AccountId): Promise<(assignee: string | undefined) => boolean> {
  const members = await readAllMembers(account);
  const active = new Set(members.filter(isActiveMember).map(({ id }) => String(id)));
  return (assignee) => assignee !== undefined && !active.has(assignee);
}

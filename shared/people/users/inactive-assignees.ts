import type { AccountId } from '../../id/account-id.ts';
import { array, string } from '../../schema.ts';
import type { ListSource } from '../../table/list-source.ts';
import { isActiveMember } from './rules.ts';
import { readAllMembers } from './store.ts';

/** The value of the filter `assignedTo` for unassigned records, which is also their holder in the index `holder`. */
export const unassigned = 'none';
/** The value of the filter `assignedTo` for records whose assignee is not an active member. */
const inactive = 'inactive';

export const AssigneeFilter = array(string({ minLength: 1, maxLength: 254 }), {
  description:
    'User ids. `none` matches records without an assignee. `inactive` matches records whose assignee left the account, was removed or is not active.',
});

/** A listed record. `inactiveAssignee` is set only if the request has the filter `inactive`. */
export interface Assigned {
  assignedTo?: string;
  inactiveAssignee?: true;
}

export const filtersByInactive = (holders: readonly unknown[] | undefined): boolean =>
  holders?.includes(inactive) ?? false;

/** Reports whether a record matches one of the values of the filter `assignedTo`. */
export const isAssignedTo = (
  { assignedTo = unassigned, inactiveAssignee }: Assigned,
  holders: readonly string[],
): boolean => holders.includes(assignedTo) || (inactiveAssignee === true && filtersByInactive(holders));

/** Sets `inactiveAssignee` of the records of a list. Reads all members of the account in one query. */
export const withInactiveAssignees = <R, S extends Assigned>(
  account: AccountId,
  source: ListSource<R, S>,
): ListSource<R, S> => ({
  ...source,
  async newest(bounds) {
    const [found, members] = await Promise.all([source.newest(bounds), readAllMembers(account)]);
    const active = new Set(members.filter(isActiveMember).map(({ id }) => String(id)));
    const isInactive = ({ assignedTo }: S) => assignedTo !== undefined && !active.has(assignedTo);
    const items = found.items.map((record) =>
      isInactive(record) ? { ...record, inactiveAssignee: true as const } : record,
    );
    return { ...found, items };
  },
});

import type { Account } from '../accounts/schema.ts';
import { ApiError, notFound } from '../errors.ts';
import { principalKeyOf, type SignedIn } from '../security/principal.ts';
import { readsSome } from '../security/reach.ts';
import { builtInViews } from './built-in-views.ts';
import type { SavedView, StoredView } from './schema.ts';

/** The part of a request that determines the views of the caller. */
interface Caller {
  principal: SignedIn;
  accountRecord: Account;
}

export const showView = ({ owner: _, ...view }: StoredView): SavedView => ({ ...view, builtIn: false });

/** Reports whether a principal may read some records of a view. The list itself hides the others. */
const mayReadRecords = (principal: SignedIn, { resource }: Pick<SavedView, 'resource'>): boolean =>
  readsSome(principal, resource);

/** Throws `permission_denied` if the caller may not read the records of a view. */
export function requireReadableRecords(principal: SignedIn, view: Pick<SavedView, 'resource'>): void {
  if (!mayReadRecords(principal, view)) throw new ApiError('permission_denied');
}

const isOwn = (principal: SignedIn, { owner }: StoredView): boolean => owner === principalKeyOf(principal);

const isSeenBy = (principal: SignedIn, view: StoredView): boolean =>
  isOwn(principal, view) ||
  view.sharedWith === 'everyone' ||
  (view.sharedWith === 'team' && view.teamId === principal.teamId);

/**
 * Returns the views that the caller sees, sorted by id: the built-in views, own views, and views shared with the caller.
 * Omits the views of records that the caller may not read.
 */
export const viewsFor = ({ principal, accountRecord }: Caller, stored: readonly StoredView[]): SavedView[] =>
  [...builtInViews(accountRecord), ...stored.filter((view) => isSeenBy(principal, view)).map(showView)]
    .filter((view) => mayReadRecords(principal, view))
    .sort((one, other) => one.id - other.id);

/**
 * Returns a view of the caller. `stored` is the stored view with this id. Throws `not_found` if the view is not shared with
 * the caller, and `permission_denied` if the caller may not read its records.
 */
export function requireView(
  { principal, accountRecord }: Caller,
  id: number,
  stored?: StoredView,
): SavedView {
  const isSeen = stored && isSeenBy(principal, stored);
  const view = isSeen ? showView(stored) : builtInViews(accountRecord).find((one) => one.id === id);
  if (!view) throw notFound('view', id);
  requireReadableRecords(principal, view);
  return view;
}

/**
 * Returns the stored view. Throws the errors of `requireView`, and `permission_denied` unless the caller created the view
 * or is an administrator.
 */
export function requireChangeable(caller: Caller, id: number, stored?: StoredView): StoredView {
  requireView(caller, id, stored);
  if (!stored)
    throw new ApiError('permission_denied', { message: 'Built-in views cannot be changed or deleted.' });
  if (!caller.principal.administrator && !isOwn(caller.principal, stored))
    throw new ApiError('permission_denied', {
      message: 'Only the creator of a view or an administrator can change or delete it.',
    });
  return stored;
}

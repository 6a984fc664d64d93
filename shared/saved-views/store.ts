import type { AccountId } from '../id/account-id.ts';
import { recordStore } from '../table/record-store.ts';
import { scopedBy } from '../table/scope.ts';
import { maxViews, type StoredView } from './schema.ts';

const records = recordStore<StoredView, 'view'>({ resource: 'view', scope: scopedBy(() => [], maxViews) });

/** The saved views of an account, except the built-in views. An insert throws `quota_exceeded` above 200 views. */
export const savedViews = {
  ...records,

  /** Returns the views of all callers, newest first. */
  all: (account: AccountId): Promise<StoredView[]> => records.newest(account, maxViews),
};

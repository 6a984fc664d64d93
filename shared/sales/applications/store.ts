import type { AccountId } from '../../id/account-id.ts';
import type { AuditEntry } from '../../integrity/audit/schema.ts';
import { hashAppKey } from '../../security/app-keys.ts';
import { recordOf } from '../../table/item.ts';
import { auditRange, recordKey } from '../../table/keys.ts';
import { deleteItem, putItem, type TransactItem, type Write } from '../../table/operations.ts';
import { queryItems } from '../../table/read.ts';
import { recordStore, shownEntries } from '../../table/record-store.ts';
import { indexRowWrites } from '../duplicate-detection/index-rows.ts';
import { appKeyKey } from './app-key/keys.ts';
import type { WithAppKey } from './app-key/new-app-key.ts';
import type { Completeness } from './completeness/required-items.ts';
import { parseApplicationId } from './record/application-id.ts';
import { blindValuesOfApplication } from './record/encrypt-application.ts';
import { applicationEventFields, applicationSubject } from './record/event-fields.ts';
import { indexedApplicationFields } from './record/indexed-fields.ts';
import type { ApplicationSummary } from './record/schema.ts';
import type { StoredApplication } from './record/stored-application.ts';
import { largestApplicationSummary, summarizeApplication } from './summarize-application.ts';

/** A new application, with its appKey in plain text. */
interface NewApplication {
  after: StoredApplication;
  completeness: Completeness;
  appKey: string;
}

const records = recordStore<StoredApplication, 'application', ApplicationSummary>({
  resource: 'application',
  idFrom: parseApplicationId,
  children: true,
  summary: summarizeApplication,
  largestSummary: largestApplicationSummary,
  indexedFields: indexedApplicationFields,
});

/**
 * The applications of an account. Each application has an item, a summary item, an item with the hash of its appKey,
 * and a row in the duplicate index for each compared value. One transaction writes all of these.
 */
export const applications = {
  ...records,

  ...applicationSubject,
  forEvents: applicationEventFields,

  insert: ({ after, completeness, appKey }: NewApplication): Write[] => [
    ...records.insert(after, summarizeApplication(after, completeness)),
    appKeyItem(after, appKey),
    ...indexRowWrites(holderOf(after), [], blindValuesOfApplication(after)),
  ],

  /** Returns no writes if the two states are the same object. */
  replace: (before: StoredApplication, after: StoredApplication, completeness?: Completeness): Write[] =>
    before === after
      ? []
      : [
          ...records.replace(before, after, summarizeApplication(after, completeness)),
          ...indexRowWrites(
            holderOf(after),
            blindValuesOfApplication(before),
            blindValuesOfApplication(after),
          ),
        ],

  /** Like `replace`, but also replaces the appKey. The previous key becomes invalid. */
  replaceWithAppKey: (before: StoredApplication, { application, appKey }: WithAppKey): Write[] => [
    ...applications.replace(before, application),
    appKeyItem(application, appKey),
  ],

  /** Replaces the record with a tombstone. Also deletes the list entry, the appKey and the duplicate index rows. */
  delete: (application: StoredApplication, now: Date): Write[] => [
    ...records.delete(application, now),
    deleteItem(appKeyKey(application.accountId, application.id)),
    ...indexRowWrites(holderOf(application), blindValuesOfApplication(application), []),
  ],
};

const holderOf = ({ accountId, id }: StoredApplication) =>
  ({ account: accountId, type: 'application', id }) as const;

const appKeyItem = ({ accountId, id }: StoredApplication, appKey: string): TransactItem =>
  putItem({ ...appKeyKey(accountId, id), type: 'app-key', hash: hashAppKey(appKey) });

/** Returns the newest 100 audit entries of an application, newest first. */
export async function auditLogOf(account: AccountId, id: string): Promise<AuditEntry[]> {
  const partition = recordKey(account, 'APPLICATION', id).pk;
  const entries = await queryItems({
    partition,
    sortKey: auditRange,
    limit: shownEntries,
    newestFirst: true,
  });
  return entries.map((entry) => recordOf<AuditEntry>(entry));
}

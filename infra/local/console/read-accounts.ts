import { listedAccounts } from '../../../shared/accounts/directory.ts';
import { accountKey } from '../../../shared/accounts/keys.ts';
import type { StoredAccount } from '../../../shared/accounts/schema.ts';
import { depthOf } from '../../../shared/child-accounts/effective-settings.ts';
import { countRecords } from '../../../shared/child-accounts/report.ts';
import { showChild } from '../../../shared/child-accounts/show-child.ts';
import { accountTypes } from '../../../shared/child-accounts/store.ts';
import { type Closing, closings } from '../../../shared/closing/store.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import { isTombstone, recordOf } from '../../../shared/table/item.ts';
import { getItems } from '../../../shared/table/read.ts';
import { mostAccounts } from './queue-states.ts';

/**
 * Reads the first 50 accounts in the order of their tree, the types of the account's child accounts, and the proofs of
 * erased accounts.
 */
export async function readAccountTree(account: AccountId) {
  const listed = await listedAccounts();
  const [records, types, erased] = await Promise.all([
    readRecords(listed.slice(0, mostAccounts)),
    accountTypes.all(account),
    closings.listErased(),
  ]);
  return {
    total: listed.length,
    accounts: await Promise.all(
      inTreeOrder(records).map(async (record) => {
        const type = await typeOf(record);
        return { ...shownAccount(account, record), ...(type && { typeName: type.name }) };
      }),
    ),
    types,
    erased: erased.map(({ account: id, name, closedAt, erasedAt, removed, finalCheck }) => ({
      ...{ id, name, closedAt, erasedAt },
      items: Object.values(removed.items).reduce((sum, count) => sum + count, 0),
      complete: finalCheck.items === 0 && finalCheck.files === 0,
    })),
  };
}

/**
 * Reads an account with its type, the numbers of its records, and the progress of its deletion. Returns undefined if
 * the account does not exist or is being erased.
 */
export async function readAccountDetails(own: AccountId, id: AccountId) {
  const [record] = await readRecords([id]);
  if (!record) return undefined;
  const [type, counts, closing] = await Promise.all([typeOf(record), countRecords(id), closings.find(id)]);
  return {
    account: shownAccount(own, record),
    ...(type && { type }),
    counts,
    ...(closing && { closing: shownClosing(closing) }),
  };
}

/** The type of an account, which belongs to its parent. */
const typeOf = async ({ parentAccountId: parent, accountTypeId: id }: StoredAccount) =>
  parent && id !== undefined ? accountTypes.find(parent, id) : undefined;

async function readRecords(ids: readonly AccountId[]): Promise<StoredAccount[]> {
  const items = await getItems(ids.map(accountKey));
  return items.flatMap((item) => (item && !isTombstone(item) ? [recordOf<StoredAccount>(item)] : []));
}

/** Sorts accounts so that child accounts follow their parent. Accounts with an unlisted parent are on the first level. */
function inTreeOrder(records: readonly StoredAccount[]): StoredAccount[] {
  const listed = new Set<string>(records.map(({ id }) => id));
  const oldestFirst = records.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
  const below = (parent: string | undefined): StoredAccount[] =>
    oldestFirst
      .filter(({ parentAccountId: id }) => (id !== undefined && listed.has(id) ? id : undefined) === parent)
      .flatMap((record) => [record, ...below(record.id)]);
  return below(undefined);
}

const shownAccount = (own: AccountId, record: StoredAccount) => {
  const { id, parentAccountId, closedAt, erasesAt } = record;
  return {
    ...showChild(record),
    level: depthOf(record),
    isOwn: id === own,
    isChild: parentAccountId === own,
    ...(parentAccountId !== undefined && { parentAccountId }),
    ...(closedAt !== undefined && { closedAt }),
    ...(erasesAt !== undefined && { erasesAt }),
  };
};

/** The progress of a deletion, without the keys of the export's files. */
const shownClosing = ({ closedBy, due, export: { counts, sha256 }, erasure }: Closing) => ({
  ...{ closedBy, due },
  exported: sha256 !== undefined,
  records: Object.values(counts).reduce((sum, count) => sum + count, 0),
  ...(erasure && { erasureStartedAt: erasure.startedAt }),
});

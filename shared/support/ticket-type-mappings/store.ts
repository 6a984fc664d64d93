import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';
import { deleteItem, putIfAbsent, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { scopedBy } from '../../table/scope.ts';
import { maxMappings, type StoredMapping } from './schema.ts';

const records = recordStore<StoredMapping, 'ticket_type_mapping'>({
  resource: 'ticket_type_mapping',
  scope: scopedBy(() => [], maxMappings),
});

/** The mappings of partner categories. One item per category ensures that a category has only one mapping. */
export const mappings = {
  ...records,

  all: (account: AccountId): Promise<StoredMapping[]> => records.newest(account, maxMappings),

  /** The mapping of a category of the partner. */
  async findByCategory(accountId: AccountId, partnerCategoryId: number): Promise<StoredMapping | undefined> {
    const item = await getItem(keyOf({ accountId, partnerCategoryId }));
    return item && records.find(accountId, Number(item.mappingId));
  },

  /** Throws `mapping_exists` if the category already has a mapping, and `quota_exceeded` above 500 mappings. */
  insert: (mapping: StoredMapping): Write[] => [...records.insert(mapping), take(mapping)],

  replace: (before: StoredMapping, after: StoredMapping): Write[] =>
    before.partnerCategoryId === after.partnerCategoryId
      ? records.replace(before, after)
      : [...records.replace(before, after), take(after), deleteItem(keyOf(before))],

  delete: (mapping: StoredMapping, now: Date): Write[] => [
    ...records.delete(mapping, now),
    deleteItem(keyOf(mapping)),
  ],
};

const keyOf = ({
  accountId,
  partnerCategoryId,
}: Pick<StoredMapping, 'accountId' | 'partnerCategoryId'>): Key => ({
  pk: tenantPartition(accountId, 'PARTNERCATEGORY', String(partnerCategoryId)),
  sk: 'PARTNERCATEGORY',
});

const take = (mapping: StoredMapping): Write =>
  putIfAbsent(
    { ...keyOf(mapping), type: 'partner-category', mappingId: mapping.id },
    new ApiError('mapping_exists', {
      details: [{ field: 'partnerCategoryId', message: 'already has a mapping' }],
    }),
  );

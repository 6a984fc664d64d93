import { createHash } from 'node:crypto';
import { canonicalJson } from '../../events/canonical.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { digits, idText, type Key, type RecordId, tenantPartition } from '../../table/keys.ts';
import { putIfAbsent, putItem, type TransactItem } from '../../table/operations.ts';
import { getItem, getItems } from '../../table/read.ts';

/** The id under which a key sent a record. The same id of another key, or of another type, is a different id. */
export interface ExternalReference {
  account: AccountId;
  keyId: number;
  type: 'lead' | 'application';
  externalId: string;
}

/** The record with an external id. */
export interface ExternalId {
  recordId: RecordId;
  /** The hash of each field's value, as the key sent it last. Only for leads. */
  sent?: Record<string, string>;
}

const keyOf = ({ account, keyId, type, externalId }: ExternalReference): Key => ({
  pk: tenantPartition(account, 'EXTERNALID', digits(keyId), type, idText(externalId)),
  sk: 'RECORD',
});

const itemOf = (reference: ExternalReference, found: ExternalId): Item => {
  const { account: accountId, keyId, type: recordType, externalId } = reference;
  return { ...keyOf(reference), type: 'external-id', accountId, id: externalId, keyId, recordType, ...found };
};

/**
 * The ids of the external API. The transaction that creates a record writes its item. So concurrent requests with the
 * same id create one record: the condition of the item fails for the others, which read again and change the record.
 */
export const externalIds = {
  async find(reference: ExternalReference): Promise<ExternalId | undefined> {
    const item = await getItem(keyOf(reference));
    return item && recordOf<ExternalId>(item);
  },

  async findMany(references: readonly ExternalReference[]): Promise<(ExternalId | undefined)[]> {
    const items = await getItems(references.map(keyOf));
    return items.map((item) => item && recordOf<ExternalId>(item));
  },

  insert: (reference: ExternalReference, found: ExternalId): TransactItem =>
    putIfAbsent(itemOf(reference, found)),

  /** Has no condition. The transaction must contain a condition on the version of the record. */
  replace: (reference: ExternalReference, found: ExternalId): TransactItem =>
    putItem(itemOf(reference, found)),
};

/** Returns a hash of each sent value, to recognize values that are sent again. */
export const hashesOf = (fields: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, hashOf(value)]),
  );

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson([value]))
    .digest('base64url')
    .slice(0, 22);

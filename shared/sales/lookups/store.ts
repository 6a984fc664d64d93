import { notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordKey } from '../../table/keys.ts';
import { checkAt, type TransactItem } from '../../table/operations.ts';
import { recordStore } from '../../table/record-store.ts';
import { scopedBy } from '../../table/scope.ts';
import { maxAncestors } from './rules.ts';
import type { LookupField, StoredLookupOption } from './schema.ts';

const store = recordStore<StoredLookupOption, 'lookup_option'>({
  noun: 'LOOKUP',
  subject: 'lookup_option',
  scope: scopedBy(({ table, field }) => [table, field], 1000),
});

/** The lookup options of an account, at most 1,000 of a table's field. */
export const lookups = {
  ...store,

  /** The option. Throws `not_found`, for one of another table or field as for one that does not exist. */
  async getOf(
    account: AccountId,
    { table, field, id }: LookupField & { id: number },
  ): Promise<StoredLookupOption> {
    const option = await store.get(account, id);
    if (option.table !== table || option.field !== field) throw notFound(store.subject, id);
    return option;
  },

  /** A field's options as the source of a list. */
  listIn: (account: AccountId, { table, field }: LookupField) => store.listOf(account, [table, field]),

  /**
   * The option with this id, the one above it, and so on: to where there is none above, to the option `below`, or to one
   * more than may stand there. An option that was deleted counts as none.
   */
  async readAncestors(
    account: AccountId,
    parentId: number | null | undefined,
    below?: number,
  ): Promise<StoredLookupOption[]> {
    const line: StoredLookupOption[] = [];
    let next = parentId ?? undefined;
    while (next !== undefined && next !== below && line.length <= maxAncestors) {
      const option = await store.find(account, next);
      if (option) line.push(option);
      next = option?.parent_id;
    }
    return line;
  },

  /**
   * Fails the transaction unless each of these options is as it was read. So two that are put below each other at once
   * cannot both be, and none is put below one that was deleted meanwhile.
   */
  ancestorsUnchanged: (line: readonly StoredLookupOption[]): TransactItem[] =>
    line.map(({ accountId, id, version }) => {
      // If-Match is about the option itself.
      const { basedOn, ...check } = checkAt(recordKey(accountId, store.noun, id), version);
      return check;
    }),
};

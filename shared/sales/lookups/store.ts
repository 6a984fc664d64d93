import { notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordKey } from '../../table/keys.ts';
import { checkAt, type TransactItem } from '../../table/operations.ts';
import { recordStore } from '../../table/record-store.ts';
import { scopedBy } from '../../table/scope.ts';
import { maxAncestors } from './rules.ts';
import type { LookupField, StoredLookupOption } from './schema.ts';

const store = recordStore<StoredLookupOption, 'lookup_option'>({
  resource: 'lookup_option',
  noun: 'LOOKUP',
  scope: scopedBy(({ table, field }) => [table, field], 1000),
});

/** The lookup options of an account, at most 1,000 for each field. */
export const lookups = {
  ...store,

  /** Like `get`, but also throws `not_found` if the option belongs to another table or field. */
  async getOf(
    account: AccountId,
    { table, field, id }: LookupField & { id: number },
  ): Promise<StoredLookupOption> {
    const option = await store.get(account, id);
    if (option.table !== table || option.field !== field) throw notFound(store.subject, id);
    return option;
  },

  listIn: (account: AccountId, { table, field }: LookupField) => store.listOf(account, [table, field]),

  /**
   * Reads a parent and its ancestors, at most `maxAncestors` + 1 options. Stops at a deleted option, and before the
   * option whose id is `below`.
   */
  async readAncestors(
    account: AccountId,
    parentId: number | null | undefined,
    below?: number,
  ): Promise<StoredLookupOption[]> {
    const ancestors: StoredLookupOption[] = [];
    let next = parentId ?? undefined;
    while (next !== undefined && next !== below && ancestors.length <= maxAncestors) {
      const option = await store.find(account, next);
      if (option) ancestors.push(option);
      next = option?.parent_id;
    }
    return ancestors;
  },

  /**
   * Fails the transaction if one of these options has changed since it was read. Without this check, concurrent
   * requests could create a cycle or delete a parent.
   */
  ancestorsUnchanged: (ancestors: readonly StoredLookupOption[]): TransactItem[] =>
    ancestors.map(({ accountId, id, version }) => {
      // Omits `basedOn`, because If-Match applies only to the option in the request.
      const { basedOn, ...check } = checkAt(recordKey(accountId, store.noun, id), version);
      return check;
    }),
};

import { ApiError } from '../../errors.ts';
import { byName } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordKey } from '../../table/keys.ts';
import { checkAt, type TransactItem } from '../../table/operations.ts';
import { recordStore } from '../../table/record-store.ts';
import { scopedBy } from '../../table/scope.ts';
import { maxArchivedRules, maxRules, type StoredRule, type UnderwritingRule } from './schema.ts';

/** The list of a rule. Submissions read only the rules that are not archived. */
const scopeOf = (archived: boolean) => [archived ? 'ARCHIVED' : 'CURRENT'];

const records = recordStore<StoredRule, 'underwriting_rule'>({
  resource: 'underwriting_rule',
  scope: scopedBy(
    ({ archived }) => scopeOf(archived),
    ({ archived }) => (archived ? maxArchivedRules : maxRules),
  ),
});

const show = ({ writer: _, ...rule }: StoredRule): UnderwritingRule => rule;

/** The automatic underwriting rules of an account. An insert throws `quota_exceeded` above 50 rules that are not archived. */
export const underwritingRules = {
  ...records,
  describe: byName,
  show,
  /** Events do not contain `tested`, because a test has an event of its own. */
  forEvents: ({ tested: _, ...rule }: StoredRule) => show(rule),

  /** Returns all rules that are not archived. Reads an eventually consistent index. */
  current: (account: AccountId): Promise<StoredRule[]> => records.newest(account, maxRules, scopeOf(false)),

  listIn: (account: AccountId, archived: boolean) => ({
    ...records.listOf(account, scopeOf(archived)),
    show: async (page: StoredRule[]) => page.map(show),
  }),

  /** Returns a condition that fails if a rule has changed. It is not compared with If-Match. */
  requireCurrent({ accountId, id, version }: StoredRule): TransactItem {
    const { basedOn, ...check } = checkAt(recordKey(accountId, records.noun, id), version);
    return check;
  },
};

/** Throws `rule_archived`. */
export function requireNotArchived({ archived }: StoredRule): void {
  if (archived) throw new ApiError('rule_archived');
}

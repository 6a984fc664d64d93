import { filterBy } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { listedRuleFields, UnderwritingRule } from '../../shared/sales/underwriting-rules/schema.ts';
import { underwritingRules } from '../../shared/sales/underwriting-rules/store.ts';
import { boolean } from '../../shared/schema.ts';

export default listing(
  {
    path: '/underwriting-rules',
    permission: 'readUnderwritingRules',
    item: UnderwritingRule,
    shortList: { order: ['priority'] },
    fields: listedRuleFields,
    customFilters: {
      archived: {
        ...filterBy(
          boolean({
            default: false,
            description: 'If true, lists the archived rules instead of the others.',
          }),
          () => true,
        ),
        isAppliedBySource: true,
      },
    },
    summary: 'List underwriting rules',
    description: 'By default, rules are sorted by priority, in the order in which they run.',
  },
  ({ account, query }) => underwritingRules.listIn(account, query.archived === true),
);

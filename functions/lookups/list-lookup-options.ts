import { filterBy } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { isSelectable } from '../../shared/sales/lookups/rules.ts';
import { LookupFieldParams, LookupOption } from '../../shared/sales/lookups/schema.ts';
import { lookups } from '../../shared/sales/lookups/store.ts';
import { boolean } from '../../shared/schema.ts';

export default listing(
  {
    path: '/lookup/{table}/{field}',
    permission: 'readLookups',
    params: LookupFieldParams,
    item: LookupOption,
    shortList: { order: ['custom_sort_index', 'displayOrder', 'text'] },
    fields: {
      locale: ['filter'],
      createdAt: ['sort'],
      updatedAt: ['sort'],
      value: ['filter', 'search', 'sort'],
      text: ['search', 'sort'],
      displayOrder: ['sort'],
      custom_sort_index: ['sort'],
      group_name: ['filter', 'sort'],
      parent_id: ['filter'],
      description: ['search'],
    },
    customFilters: {
      all: filterBy(
        boolean({ default: false, description: 'Also list inactive and expired options.' }),
        (option: LookupOption, all, now) => all || isSelectable(option, now),
      ),
    },
    summary: 'List the options of a lookup field',
    description:
      'By default, options are sorted by custom_sort_index, then displayOrder, then text. Options that lack a sort field come last.',
  },
  ({ account, params }) => lookups.listIn(account, params),
);

import { filterBy } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { sealsOf } from '../../shared/integrity/event-seals/list-seals.ts';
import { Seal } from '../../shared/integrity/event-seals/schema.ts';
import { dateTime } from '../../shared/schema.ts';

export default listing(
  {
    path: '/events/seals',
    permission: 'readEvents',
    item: Seal,
    fields: { to: ['sort'], number: ['filter', 'sort'] },
    timeField: 'to',
    customFilters: {
      since: filterBy(dateTime(), ({ to }: Seal, since) => to > since),
      until: filterBy(dateTime(), ({ to }: Seal, until) => to <= until),
    },
    summary: 'List the seals of the event log',
    description:
      'The events of the account are sealed every ten minutes, with a delay of five minutes. To detect a later change or removal of sealed events, store the `hash` of the newest seal outside this service.',
  },
  ({ account }) => sealsOf(account),
);

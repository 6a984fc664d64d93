import { filterBy, listing } from '../../shared/endpoints/listing.ts';
import { sealsOf } from '../../shared/integrity/event-seals/list-seals.ts';
import { Seal } from '../../shared/integrity/event-seals/schema.ts';
import { dateTime } from '../../shared/schema.ts';

export default listing(
  {
    path: '/events/seals',
    permission: 'readEvents',
    item: Seal,
    filters: ['number'],
    sorts: ['to', 'number'],
    searchable: [],
    timeField: 'to',
    customFilters: {
      since: filterBy(dateTime(), ({ to }: Seal, since) => to > since),
      until: filterBy(dateTime(), ({ to }: Seal, until) => to <= until),
    },
    summary: 'List the seals of the event log',
    description:
      'Every ten minutes, five minutes behind, the events of the account are sealed. Note the `hash` of the newest seal elsewhere: nobody can change or cut off then what it stands for without being found out.',
  },
  ({ account }) => sealsOf(account),
);

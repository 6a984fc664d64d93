import { filterBy } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { parentOfEvent, subjectsWithReach } from '../../shared/endpoints/parent-records.ts';
import { hiddenWithParents } from '../../shared/endpoints/read-shown.ts';
import { happeningOf } from '../../shared/events/kinds.ts';
import { eventLog } from '../../shared/events/log.ts';
import { HappeningField, LoggedEvent } from '../../shared/events/schema.ts';
import { array, dateTime, string } from '../../shared/schema.ts';

export default listing(
  {
    path: '/events',
    permission: 'readEvents',
    reach: subjectsWithReach,
    parents: hiddenWithParents(parentOfEvent),
    item: LoggedEvent,
    fields: { occurredAt: ['sort'], kind: ['filter', 'sort'] },
    timeField: 'occurredAt',
    customFilters: {
      happening: filterBy(array(HappeningField), (event: LoggedEvent, wanted) => {
        const happening = happeningOf(event);
        return happening !== undefined && wanted.includes(happening);
      }),
      subjectType: filterBy(string(), ({ subject }: LoggedEvent, type) => subject.type === type),
      subjectId: filterBy(string(), ({ subject }: LoggedEvent, id) => String(subject.id) === id),
      actor: filterBy(
        string(),
        ({ actor }: LoggedEvent, name) => actor.user === name || actor.apiKey === name,
      ),
      since: filterBy(dateTime(), (event: LoggedEvent, since) => event.occurredAt > since),
      until: filterBy(dateTime(), (event: LoggedEvent, until) => event.occurredAt <= until),
    },
    summary: 'List the events of the account',
    description:
      'Events are kept for at least 400 days. The events of records that the caller does not reach are left out, and then `totalCount` is exact only on the last page.',
  },
  ({ account, now }) => eventLog(account, now),
);

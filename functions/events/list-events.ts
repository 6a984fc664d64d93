import { eventLog } from '../../shared/events/log.ts';
import { LoggedEvent } from '../../shared/events/schema.ts';
import { listing } from '../../shared/http/listing.ts';
import { dateTime, string } from '../../shared/schema.ts';

export default listing(
  {
    path: '/events',
    permission: 'readEvents',
    item: LoggedEvent,
    filters: ['kind'],
    sorts: ['occurredAt', 'kind'],
    searchable: [],
    timeField: 'occurredAt',
    customFilters: {
      subjectType: {
        schema: string(),
        matches: ({ subject }: LoggedEvent, type: string) => subject.type === type,
      },
      subjectId: {
        schema: string(),
        matches: ({ subject }: LoggedEvent, id: string) => String(subject.id) === id,
      },
      actor: {
        schema: string(),
        matches: ({ actor }: LoggedEvent, who: string) => actor.user === who || actor.apiKey === who,
      },
      since: {
        schema: dateTime(),
        matches: (event: LoggedEvent, since: string) => event.occurredAt > since,
      },
      until: {
        schema: dateTime(),
        matches: (event: LoggedEvent, until: string) => event.occurredAt <= until,
      },
    },
    summary: 'List the events of the account',
    description: 'Events are kept for at least 400 days.',
  },
  ({ account, now }) => eventLog(account, now),
);

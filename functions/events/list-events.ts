import { LoggedEvent } from '../../events/logged-event.ts';
import { eventLog } from '../../events/store.ts';
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
    age: 'occurredAt',
    where: {
      subjectType: {
        schema: string(),
        holds: ({ subject }: LoggedEvent, type: string) => subject.type === type,
      },
      subjectId: {
        schema: string(),
        holds: ({ subject }: LoggedEvent, id: string) => String(subject.id) === id,
      },
      actor: {
        schema: string(),
        holds: ({ actor }: LoggedEvent, who: string) => actor.user === who || actor.apiKey === who,
      },
      since: {
        schema: dateTime(),
        holds: (event: LoggedEvent, since: string) => event.occurredAt > since,
      },
      until: {
        schema: dateTime(),
        holds: (event: LoggedEvent, until: string) => event.occurredAt <= until,
      },
    },
    summary: 'List the events of the account',
    description: 'Events are kept for at least 400 days.',
  },
  ({ account, now }) => eventLog(account, now),
);

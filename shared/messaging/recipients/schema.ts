import { EventKindField } from '../../events/schema.ts';
import { channels } from '../../people/users/channels.ts';
import { array, boolean, nullable, object, oneOf, openObject, string } from '../../schema.ts';

const ServiceRuleEntry = object({
  to: oneOf(['assignee', 'administrator', 'user_concerned'], {
    description:
      'Who has the record, the administrators of the account, or the user whom the event is about.',
  }),
  channels: array(oneOf(channels)),
  always: boolean({ description: 'false: only of some of the events, such as a lead that nobody got.' }),
});

/** What GET /event-kinds says of one kind. */
export const EventKindEntry = object({
  kind: EventKindField,
  group: string({ examples: ['Leads'] }),
  description: string({ examples: ['A lead was created.'] }),
  occurs: boolean({
    description:
      'false: nothing emits it yet. Preferences and subscriptions may name it, and the response has a warning.',
  }),
  subjectType: array(string({ examples: ['lead'] }), {
    description: 'What its events are about: one of these.',
  }),
  permission: array(string({ examples: ['readLeads'] }), {
    description:
      'What it takes to read every event of the kind, all of it; `administrator`: an administrator.',
  }),
  serviceRule: array(ServiceRuleEntry, {
    description: 'Whom the service tells of it without being asked. A rule of the user’s own comes first.',
  }),
  schema: nullable(openObject({ description: 'JSON Schema of `data`; null where nothing emits it yet.' })),
});

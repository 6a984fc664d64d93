import { object, oneOf } from '../schema.ts';
import { changeHappenings, happeningsOf, resource } from './declare.ts';

/** The list of a view, without its content: a private view stays hidden from readers of the event log. */
const detail = object({
  list: oneOf(['lead', 'application', 'merchant', 'ticket'], { description: 'The record type of the list.' }),
  sharedWith: oneOf(['me', 'team', 'everyone']),
});

export const viewResource = resource({
  name: 'view',
  readers: { of: ['lead', 'application', 'merchant', 'ticket'] },
  words: 'saved view',
  portal: 'list',
  exported: true,
  unlogged: { VIEW: 'without an event' },
  reference: {
    place: 9.5,
    name: 'Views',
    description: 'Saved filters of the lists of leads, applications, merchants and tickets.',
  },
  events: {},
  happenings: happeningsOf('view', changeHappenings('view', detail, 'A saved view')),
});

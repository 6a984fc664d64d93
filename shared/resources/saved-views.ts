import { object, oneOf } from '../schema.ts';
import { happening, happeningsOf, resource } from './declare.ts';
import { changedText, did } from './text.ts';

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
  audited: false,
  children: [],
  exported: true,
  unlogged: { VIEW: 'without an event' },
  reference: {
    place: 9.5,
    name: 'Views',
    description: 'Saved filters of the lists of leads, applications, merchants and tickets.',
  },
  events: {},
  happenings: happeningsOf('view', {
    view_created: happening('created', detail, 'A saved view was created.', did('created')),
    view_updated: happening('updated', detail, 'A saved view changed.', changedText),
    view_deleted: happening('deleted', detail, 'A saved view was deleted.', did('deleted')),
  }),
});

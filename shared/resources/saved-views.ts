import { resource } from './declare.ts';

/** A change of a view emits `no_event_name` without content: a private view stays hidden from readers of the event log. */
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
});

import { resource } from './declare.ts';

/**
 * Views have no events: the interface's list of event kinds is closed, and an event about a private view would show its
 * name and query to every reader of the event log.
 */
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

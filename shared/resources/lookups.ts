import { resource } from './declare.ts';

export const lookupOptionResource = resource({
  name: 'lookup_option',
  readers: { own: 'Lookups' },
  portal: 'list',
  exported: { type: 'lookup', as: 'lookup' },
  unlogged: { LOOKUP: 'without an event' },
  reference: {
    place: 6,
    name: 'Lookup values',
    description: 'Option lists, keyed by table and field.',
    segments: ['lookup'],
  },
  events: {},
});

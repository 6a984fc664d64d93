import { reading, resource } from './declare.ts';

export const lookupOptionResource = resource({
  name: 'lookup_option',
  readers: { own: 'Lookups' },
  portal: 'list',
  audited: false,
  children: [],
  exported: { type: 'lookup', as: 'lookup' },
  unlogged: { LOOKUP: 'without an event' },
  reads: [
    reading(
      'options of a lookup field, at most 1,000',
      'LOOKUP#table#field',
      'id',
      'shared/sales/lookups/store.ts',
      'list',
    ),
  ],
  reference: {
    place: 6,
    name: 'Lookup values',
    description: 'Option lists, keyed by table and field.',
    segments: ['lookup'],
  },
  events: {},
});

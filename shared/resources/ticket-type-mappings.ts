import { reading, resource } from './declare.ts';

export const ticketTypeMappingResource = resource({
  name: 'ticket_type_mapping',
  readers: { own: 'Integrations' },
  portal: 'list',
  audited: false,
  children: [],
  exported: true,
  items: { 'partner-category': 'derived' },
  unlogged: { TICKETTYPEMAPPING: 'without an event', PARTNERCATEGORY: 'without an event' },
  reads: [
    reading(
      "mapping of a partner's category",
      'PARTNERCATEGORY#category',
      'PARTNERCATEGORY',
      'shared/support/integrations/store.ts',
    ),
  ],
  reference: {
    place: 19,
    name: 'Partner integration',
    description: 'The connection to the partner, and the mapping of its categories to ticket types.',
    segments: ['integrations'],
  },
  events: {},
});

import { integer, object, optional, string } from '../schema.ts';
import { happening, happeningsOf, resource } from './declare.ts';
import { changedText, did } from './text.ts';

const detail = object({
  partnerCategoryId: integer({ description: 'The id of the category at the partner.', examples: [31] }),
  partnerCategoryName: optional(string({ examples: ['Hardware'] })),
  serviceTicketTypeId: string({ examples: ['tty_65YB3N0G2M1'] }),
});
const labelled = { label: 'partnerCategoryName' } as const;

export const ticketTypeMappingResource = resource({
  name: 'ticket_type_mapping',
  readers: { own: 'Integrations' },
  portal: 'list',
  exported: true,
  items: { 'partner-category': 'derived' },
  unlogged: { TICKETTYPEMAPPING: 'without an event', PARTNERCATEGORY: 'without an event' },
  reference: {
    place: 19,
    name: 'Partner integration',
    description: 'The connection to the partner, and the mapping of its categories to ticket types.',
    segments: ['integrations'],
  },
  events: {},
  happenings: happeningsOf('ticket_type_mapping', {
    ticket_type_mapping_created: happening(
      'created',
      detail,
      'A partner category was mapped to a ticket type.',
      did('created'),
      labelled,
    ),
    ticket_type_mapping_updated: happening(
      'updated',
      detail,
      'The mapping of a partner category changed.',
      changedText,
      labelled,
    ),
    ticket_type_mapping_deleted: happening(
      'deleted',
      detail,
      'The mapping of a partner category was deleted.',
      did('deleted'),
      labelled,
    ),
  }),
});

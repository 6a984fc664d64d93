import { changeEvents, event, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { changedNotice } from './text.ts';

export const merchantResource = resource({
  name: 'merchant',
  readers: 'own',
  reach: { owners: ['ownerId'], team: 'teamId' },
  portal: 'record',
  searched: true,
  children: ['note', 'equipment', 'document'],
  exported: true,
  items: { 'merchant-summary': 'derived' },
  reference: {
    place: 17,
    description: 'Merchants with their principals, banking, rates, risk, equipment, notes and documents.',
  },
  events: {
    ...changeEvents('merchant', 'A merchant'),
    merchant_updated: event(changed, 'A merchant or its equipment changed.', changedNotice),
  },
});

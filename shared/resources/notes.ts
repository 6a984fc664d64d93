import { object, recordId } from '../schema.ts';
import { event, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { text } from './text.ts';

export const notes = resource({
  name: 'note',
  readers: { of: ['merchant'] },
  portal: 'parent',
  audited: false,
  children: [],
  exported: true,
  reference: null,
  events: {
    note_created: event(
      changed,
      'A note about a merchant was created.',
      text('added', '{actor} added a note about a merchant.'),
    ),
    note_deleted: event(
      object({ merchantId: recordId() }),
      'A note about a merchant was deleted.',
      text('deleted', '{actor} deleted a note about a merchant.'),
    ),
    note_updated: event(
      changed,
      'A note about a merchant changed.',
      text('changed', '{actor} changed a note about a merchant.'),
    ),
  },
});

import { object, recordId } from '../schema.ts';
import { event, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { noticeOf } from './text.ts';

export const noteResource = resource({
  name: 'note',
  readers: { of: ['merchant'] },
  portal: 'parent',
  exported: true,
  events: {
    note_created: event(
      changed,
      'A note about a merchant was created.',
      noticeOf('added', '{actor} added a note about a merchant.'),
    ),
    note_deleted: event(
      object({ merchantId: recordId() }),
      'A note about a merchant was deleted.',
      noticeOf('deleted', '{actor} deleted a note about a merchant.'),
    ),
    note_updated: event(
      changed,
      'A note about a merchant changed.',
      noticeOf('changed', '{actor} changed a note about a merchant.'),
    ),
  },
});

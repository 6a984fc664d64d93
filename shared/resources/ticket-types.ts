import { boolean, object } from '../schema.ts';
import { changeEvents, event, resource } from './declare.ts';
import { noticeOf } from './text.ts';

export const ticketTypeResource = resource({
  name: 'ticket_type',
  readers: 'own',
  portal: 'record',
  exported: true,
  reference: { place: 10, description: 'Kinds of tickets and their custom fields.' },
  events: {
    ...changeEvents('ticket_type', 'A ticket type'),
    ticket_type_status_changed: event(
      object({ from: boolean({ description: 'The old value of `isActive`.' }), to: boolean() }),
      'A ticket type was activated or deactivated.',
      noticeOf('status changed', '{actor} deactivated {record}.', {
        variants: [{ if: { to: 'true' }, body: '{actor} activated {record}.' }],
      }),
    ),
  },
});

import { changeEvents, event, resource } from './declare.ts';
import { fromToNumber, fromToText } from './event-data.ts';
import { changedField, noticeOf } from './text.ts';

export const ticketRotationResource = resource({
  name: 'ticket_rotation',
  readers: 'own',
  portal: 'record',
  exported: true,
  reference: { place: 11, description: 'Weighted round-robin assignment of new tickets to users.' },
  events: {
    ...changeEvents('ticket_rotation', 'A ticket rotation'),
    ticket_rotation_status_changed: event(
      fromToText('active', 'inactive'),
      'A ticket rotation was activated or deactivated.',
      changedField('status'),
    ),
    ticket_rotation_position_reset: event(
      fromToNumber('The old value of `currentPosition`.', 2, 0),
      'The position of a ticket rotation was reset.',
      noticeOf('position reset', '{actor} reset the position of {record}[ from {from}][ to {to}].'),
    ),
  },
});

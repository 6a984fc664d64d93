import { object, recordId } from '../schema.ts';
import { changeEvents, event, resource } from './declare.ts';
import { noData } from './event-data.ts';
import { did, noticeOf } from './text.ts';

export const midResource = resource({
  name: 'mid',
  words: 'MID',
  readers: { of: ['merchant'] },
  portal: 'parent',
  exported: true,
  items: { 'mid-number': 'derived' },
  events: {
    ...changeEvents('mid', 'A MID'),
    mid_assigned: event(
      object({ from: recordId(), to: recordId() }),
      'A MID was assigned to another merchant.',
      noticeOf('moved', '{actor} moved {record} to another merchant.'),
    ),
    mid_activated: event(noData, 'A MID was activated.', did('activated')),
    mid_suspended: event(noData, 'A MID was suspended.', did('suspended')),
  },
});

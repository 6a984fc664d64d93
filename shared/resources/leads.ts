import { object, optional, string, unsafe } from '../schema.ts';
import { changeEvents, event, resource } from './declare.ts';
import { changed, changesSchema, fromToUser, noData } from './event-data.ts';
import { assigneeChanged, because, changedNotice, createdOrUnassigned, did, noticeOf } from './text.ts';

const reasoned = object({ reason: optional(string({ examples: ['Asked for a call next year.'] })) });

export const leadResource = resource({
  name: 'lead',
  readers: 'own',
  reach: { owners: ['assignedTo'], team: 'teamId', unassigned: true },
  portal: 'record',
  audited: true,
  searched: true,
  exported: true,
  reference: { place: 3, description: 'Potential customers, from first contact to conversion.' },
  events: {
    ...changeEvents('lead', 'A lead'),
    lead_created: event(
      object({
        changes: changesSchema,
        unassigned: optional(
          unsafe<true>({ const: true, description: 'No member of the rotation was eligible.' }),
        ),
      }),
      'A lead was created.',
      createdOrUnassigned,
    ),
    lead_updated: event(changed, 'Fields of a lead changed.', changedNotice),
    lead_qualified: event(reasoned, 'A lead was qualified.', did('qualified', 'qualified', because)),
    lead_disqualified: event(
      reasoned,
      'A lead was disqualified.',
      did('disqualified', 'disqualified', because),
    ),
    lead_assigned: event(
      fromToUser,
      'A lead was assigned, reassigned or unassigned.',
      assigneeChanged('assigned', 'to', 'assignee'),
    ),
    lead_converted: event(
      object({ applicationId: string({ examples: ['app_65YB3N0G2M1'] }) }),
      'An application was created from a lead.',
      noticeOf('converted', '{actor} created an application from {record}.'),
    ),
    lead_archived: event(noData, 'A lead was archived.', did('archived')),
    lead_unarchived: event(noData, 'A lead was unarchived.', did('unarchived')),
  },
});

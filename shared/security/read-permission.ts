import type { Event } from '../events/envelope.ts';
import type { Permission } from './permissions.ts';

/** What somebody must hold to read a record, by the type that events call it by. */
const subjectPermissions: Readonly<Record<string, Permission | 'administrator'>> = {
  account: 'administrator',
  api_key: 'readApiKeys',
  application: 'readApplications',
  lead: 'readLeads',
  lead_rotation: 'readLeadRotations',
  lead_source: 'readLeadSources',
  merchant: 'readMerchants',
  mid: 'readMerchants',
  note: 'readMerchants',
  role: 'readRoles',
  team: 'readTeams',
  ticket: 'readTickets',
  ticket_rotation: 'readTicketRotations',
  ticket_type: 'readTicketTypes',
  user: 'readUsers',
  webhook: 'readWebhooks',
};

/** All that somebody must hold to read what an event is about. Of an unknown type administrators alone may. */
export const permissionsToRead = ({
  subject,
  data,
}: Pick<Event, 'subject' | 'data'>): readonly (Permission | 'administrator')[] => [
  subjectPermissions[subject.type] ?? 'administrator',
  ...('visibility' in data && data.visibility === 'internal' ? ['readInternalComments' as const] : []),
];

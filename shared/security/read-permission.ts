import type { SubjectType } from '../events/catalogue.ts';
import type { Event } from '../events/envelope.ts';
import type { EventKind } from '../events/kinds.ts';
import { subjectTypes } from '../events/subject-types.ts';
import type { Permission } from './permissions.ts';

/** What it takes to read: a permission, or to be an administrator of the account. */
export type ReadPermission = Permission | 'administrator';

/** What it takes to read the records that events are about, by the type of their subject. */
export const subjectPermissions = {
  account: ['administrator'],
  api_key: ['readApiKeys'],
  application: ['readApplications'],
  /** Of which record it hangs on, its parent says: it takes the permission of that alone. */
  document: ['readApplications', 'readMerchants', 'readTickets'],
  lead: ['readLeads'],
  lead_rotation: ['readLeadRotations'],
  lead_source: ['readLeadSources'],
  merchant: ['readMerchants'],
  mid: ['readMerchants'],
  note: ['readMerchants'],
  role: ['readRoles'],
  team: ['readTeams'],
  ticket: ['readTickets'],
  ticket_rotation: ['readTicketRotations'],
  ticket_type: ['readTicketTypes'],
  user: ['readUsers'],
  webhook: ['readWebhooks'],
} as const satisfies Record<SubjectType, readonly [ReadPermission, ...ReadPermission[]]>;

/** What it takes to read the subject of an event, all of it; of an internal comment, the permission to read those too. */
export function permissionsToRead({
  subject,
  data,
}: Pick<Event, 'subject' | 'data'>): readonly ReadPermission[] {
  const needed: readonly ReadPermission[] = subjectPermissions[subject.parent?.type ?? subject.type];
  const internal = 'visibility' in data && data.visibility === 'internal';
  return internal ? [...needed, 'readInternalComments'] : needed;
}

/** What it takes to read every event of a kind, whatever it is about. */
export function permissionsOfKind(kind: EventKind): readonly ReadPermission[] {
  const needed: ReadPermission[] = subjectTypes[kind].flatMap((type) => [...subjectPermissions[type]]);
  return [
    ...new Set(kind === 'ticket_comment_added' ? [...needed, 'readInternalComments' as const] : needed),
  ];
}

/** Whether somebody in an account may read what takes all of it. An administrator holds every permission. */
export const mayRead = (
  { administrator, permissions }: { administrator: boolean; permissions: ReadonlySet<string> },
  needed: readonly ReadPermission[],
): boolean => administrator || needed.every((one) => one !== 'administrator' && permissions.has(one));

import type { SubjectType } from '../events/catalogue.ts';
import type { Event } from '../events/envelope.ts';
import type { EventKind } from '../events/kinds.ts';
import { subjectTypes } from '../events/subject-types.ts';
import type { Permission } from './permissions.ts';

/** A requirement to read a record: a permission, or `administrator` if only administrators may read the record. */
export type ReadPermission = Permission | 'administrator';

/** The requirements to read the subjects of events, by subject type. */
export const subjectPermissions = {
  account: ['administrator'],
  api_key: ['readApiKeys'],
  application: ['readApplications'],
  /**
   * A document belongs to an application, a merchant or a ticket. Reading the events of all documents requires all
   * three permissions. For the event of one document, `permissionsToRead` requires only the permission for its parent.
   */
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

/**
 * Returns all requirements to read the data and the label of an event. Internal comments require an additional
 * permission. Users may always read the events about themselves.
 */
export function permissionsToRead(
  { subject, data }: Pick<Event, 'subject' | 'data'>,
  readerId?: number,
): readonly ReadPermission[] {
  if (subject.type === 'user' && subject.id === readerId) return [];
  const needed: readonly ReadPermission[] = subjectPermissions[subject.parent?.type ?? subject.type];
  const internal = 'visibility' in data && data.visibility === 'internal';
  return internal ? [...needed, 'readInternalComments'] : needed;
}

/** Returns the requirements to read all events of a kind. */
export function permissionsOfKind(kind: EventKind): readonly ReadPermission[] {
  const needed: ReadPermission[] = subjectTypes[kind].flatMap((type) => [...subjectPermissions[type]]);
  return [
    ...new Set(kind === 'ticket_comment_added' ? [...needed, 'readInternalComments' as const] : needed),
  ];
}

interface Reader {
  administrator: boolean;
  permissions: ReadonlySet<string>;
}

/** Reports whether a member meets all requirements. An administrator always meets them. */
export const mayRead = ({ administrator, permissions }: Reader, needed: readonly ReadPermission[]): boolean =>
  administrator || needed.every((one) => one !== 'administrator' && permissions.has(one));

/** Like `mayRead`, but the permission `readEvents` covers every event. */
export const mayReadEvents = (reader: Reader, needed: readonly ReadPermission[]): boolean =>
  reader.permissions.has('readEvents') || mayRead(reader, needed);

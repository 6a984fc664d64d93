import type { Event } from '../events/envelope.ts';
import {
  type ReadPermission,
  reachedRecords,
  subjectPermissions,
  subjectTypes,
} from '../resources/derived.ts';
import type { EventKind, ReachedType } from '../resources/registry.ts';
import { hidesSome, isReachedType, mayReach, type Reaching, reachedTypes, readsSome } from './reach.ts';

/**
 * Returns all requirements to read the data and the label of an event. Internal comments require an additional
 * permission. Users may always read the events about themselves.
 */
export function permissionsToRead(
  { subject, data }: Pick<Event, 'subject' | 'data'>,
  readerId?: number,
): readonly ReadPermission[] {
  if (subject.type === 'user' && subject.id === readerId) return [];
  const needed = subjectPermissions[subject.parent?.type ?? subject.type];
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

/** Reports whether events of a kind can belong to records that are hidden from a caller. */
export function hidesSomeOfKind(principal: Reaching, kind: EventKind): boolean {
  const needed = permissionsOfKind(kind);
  const isAbout = (type: ReachedType): boolean =>
    // The changes of mails and invoices have no kinds of their own.
    kind === 'no_event_name' ||
    needed.includes(reachedRecords[type].read) ||
    (type === 'merchant' && needed.includes('readInvoices'));
  return reachedTypes.some((type) => isAbout(type) && hidesSome(principal, type));
}

interface Reader {
  administrator: boolean;
  permissions: ReadonlySet<string>;
}

/**
 * Reports whether a member meets all requirements. Administrators have their permissions like others, because an account
 * may be limited to some permissions.
 */
export const mayRead = ({ administrator, permissions }: Reader, needed: readonly ReadPermission[]): boolean =>
  needed.every((one) => (one === 'administrator' ? administrator : permissions.has(one)));

/** Returns the record that permissions for an event concern, if permissions can be limited to some records of its type. */
export function reachedSubject({
  subject,
}: Pick<Event, 'subject'>): { type: ReachedType; id: number | string } | undefined {
  const { type, id } = subject.parent ?? subject;
  return isReachedType(type) ? { type, id } : undefined;
}

/** Reports whether a permission of a reader is limited to some of the records that an event can be about. */
export const isLimitedFor = (
  reader: Pick<Reaching, 'permissions'>,
  event: Pick<Event, 'subject'>,
): boolean => {
  const type = reachedSubject(event)?.type;
  if (type === undefined) return false;
  return !reader.permissions.has(reachedRecords[type].read) && readsSome(reader, type);
};

/**
 * Reports whether a reader meets all requirements to read an event. A reader with a limited permission must reach the record.
 * `record` is its current state; undefined if it does not exist.
 */
export function mayReadEvent(
  reader: Pick<Reader, 'administrator'> & Reaching,
  event: Pick<Event, 'subject'>,
  needed: readonly ReadPermission[],
  record: object | undefined,
): boolean {
  const type = reachedSubject(event)?.type;
  const isReachedRecord = type && record && mayReach(reader, type, 'read', record);
  return mayRead(
    reader,
    needed.filter((one) => !(isReachedRecord && one === reachedRecords[type].read)),
  );
}

/** Reports whether an account with these permissions meets all requirements. Undefined means all permissions. */
export const accountAllows = (
  permissions: readonly string[] | undefined,
  needed: readonly ReadPermission[],
): boolean =>
  permissions === undefined || mayRead({ administrator: true, permissions: new Set(permissions) }, needed);

/** Like `mayRead`, but the permission `readEvents` covers every event. */
export const mayReadEvents = (reader: Reader, needed: readonly ReadPermission[]): boolean =>
  reader.permissions.has('readEvents') || mayRead(reader, needed);

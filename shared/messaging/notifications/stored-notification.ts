import type { Event } from '../../events/envelope.ts';
import type { permissionsToRead } from '../../security/read-permission.ts';
import type { NotificationPlace } from './rules.ts';

export interface NotificationText {
  subject: string;
  body: string;
  /** The event is an error. */
  error: boolean;
  portalLink?: string;
  portalLinkDescription?: string;
}

/** A notification as it is stored. Its id is that of its event. */
export interface StoredNotification extends NotificationPlace {
  event: Event['kind'];
  /** The permissions needed to read the record; none if it is the user itself. */
  needs: ReturnType<typeof permissionsToRead>;
  data: Record<string, unknown>;
  text: NotificationText;
}

/** The fields that a search covers: all text fields. */
export const textFields = [
  'event',
  'user',
  'account_id',
  'notificationSubject',
  'notificationBody',
  'portalLink',
  'portalLinkDescription',
] as const;

/** The fields to sort by: all except `data`. */
export const scalarFields = ['id', ...textFields, 'error', 'markedRead', 'created'] as const;

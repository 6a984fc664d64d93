import type { Event } from '../../events/envelope.ts';
import type { permissionsToRead } from '../../security/read-permission.ts';
import type { NotificationPlace } from './rules.ts';

/** What a notification says, as a template made it of its event. */
export interface NotificationText {
  subject: string;
  body: string;
  /** It tells of an error. */
  error: boolean;
  portalLink?: string;
  portalLinkDescription?: string;
}

/** A notification as its inbox holds it. Its id is its event's. */
export interface StoredNotification extends NotificationPlace {
  event: Event['kind'];
  /** What it takes to read what it is about: nothing where that is the user itself. */
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

/** What notifications are sorted by: every field but `data`. */
export const scalarFields = ['id', ...textFields, 'error', 'markedRead', 'created'] as const;

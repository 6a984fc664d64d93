import type { NotificationText } from '../../channels/channel.ts';
import type { Event } from '../../events/envelope.ts';
import type { permissionsToRead } from '../../security/read-permission.ts';
import type { NotificationPlace } from './rules.ts';

/** A notification as it is stored. Its id is the id of its event. */
export interface StoredNotification extends NotificationPlace {
  event: Event['kind'];
  /** The permissions needed to read the record; empty if the event is about the recipient. */
  needs: ReturnType<typeof permissionsToRead>;
  data: Record<string, unknown>;
  text: NotificationText;
}

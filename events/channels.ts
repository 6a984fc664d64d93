import type { Event } from '../shared/events/envelope.ts';
import { intoDigest } from '../shared/messaging/messages/add-to-digest.ts';
import type { FanOut } from '../shared/messaging/recipients/fan-out.ts';
import { intoInbox, intoWorkQueue } from '../shared/messaging/recipients/hand-over.ts';

/** Returns one function for each notification channel. Each function passes the event to one recipient. */
export const channelsOf = (event: Event): FanOut['channels'] => ({
  website: intoInbox(event),
  email: intoWorkQueue('MAIL'),
  sms: intoWorkQueue('SMS'),
  weekly_email_digest: intoDigest('weekly'),
  monthly_email_digest: intoDigest('monthly'),
});

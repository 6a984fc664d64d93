import type { AccountId } from '../id/account-id.ts';
import type { Event, EventDraft } from './envelope.ts';
import { type EventContext, eventOf } from './event-of.ts';

interface Scheduled {
  account: AccountId;
  now: Date;
  /** The name of the schedule: its file in events/schedules/. */
  schedule: string;
}

/** Who acts where nobody sent a request. */
const system: EventContext['actor'] = { user: 'system', apiKey: null };

/** The event of something that a schedule does of itself, without a request: its way is that of every other event. */
export const systemEvent = (draft: EventDraft, { account, now, schedule }: Scheduled): Event =>
  eventOf(draft, {
    account,
    actor: system,
    now,
    request: { method: 'SCHEDULE', path: schedule, headers: {}, ipAddress: '' },
  });

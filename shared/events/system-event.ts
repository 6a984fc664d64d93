import type { AccountId } from '../id/account-id.ts';
import type { Event, EventDraft } from './envelope.ts';
import { type EventContext, eventOf } from './event-of.ts';

interface Scheduled {
  account: AccountId;
  now: Date;
  /** The name of the schedule's file in events/schedules/. */
  schedule: string;
}

/** The actor of events without a request. */
const system: EventContext['actor'] = { user: 'system', apiKey: null };

/** Returns the event of a scheduled task. */
export const systemEvent = (draft: EventDraft, { account, now, schedule }: Scheduled): Event =>
  eventOf(draft, {
    account,
    actor: system,
    now,
    request: { method: 'SCHEDULE', path: schedule, headers: {}, ipAddress: '' },
  });

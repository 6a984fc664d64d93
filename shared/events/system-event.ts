import type { AccountId } from '../id/account-id.ts';
import type { Actor, Event, EventDraft, RequestTrace } from './envelope.ts';
import { eventOf } from './event-of.ts';

interface Scheduled {
  account: AccountId;
  now: Date;
  /** The name of the schedule's file in events/schedules/, or of the job. */
  schedule: string;
  /** The caller who requested a job. Default: the system. */
  actor?: Actor;
}

/** The actor of events without a caller. */
export const systemActor: Actor = { user: 'system', apiKey: null };

/** Returns what an event contains in place of a request. */
export const traceOfTask = (task: string): RequestTrace => ({
  method: 'SCHEDULE',
  path: task,
  headers: {},
  ipAddress: '',
});

/** Returns the event of a scheduled task or a job. */
export const systemEvent = (
  draft: EventDraft,
  { account, now, schedule, actor = systemActor }: Scheduled,
): Event =>
  eventOf(draft, {
    account,
    actor,
    now,
    request: traceOfTask(schedule),
  });

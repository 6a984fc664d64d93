import type { Event, Subject } from '../events/envelope.ts';
import { mayReadEvents, permissionsToRead } from '../security/read-permission.ts';
import { isCounterDelta, type RecordChange, type Write } from '../table/operations.ts';
import type { PreviewedEffects } from './preview-effects.ts';
import type { KnownCaller } from './steps.ts';

/** The response to a dry run: the response, changes, events and recipients that the request would produce. */
export interface DryRun<R = unknown> extends PreviewedEffects {
  dryRun: true;
  answer: R;
  /** The records that would be written. */
  changes: RecordChange[];
  events: { kind: string; subject: Subject; data: object }[];
}

/** The writes and events of a request. */
export interface PlannedChanges {
  writes: readonly Write[];
  events: readonly Event[];
}

/** Builds the response to a dry run. Without permission to read an event, it contains no data and no label. */
export const dryRunOf = (
  answer: unknown,
  { writes, events }: PlannedChanges,
  effects: PreviewedEffects,
  caller: KnownCaller,
): DryRun => ({
  dryRun: true,
  answer,
  changes: writes.flatMap((write) => (isCounterDelta(write) || !write.change ? [] : [write.change])),
  events: events.map((event) => eventFor(caller, event)),
  ...effects,
});

const eventFor = (caller: KnownCaller, event: Event): DryRun['events'][number] => {
  const { kind, subject, data } = event;
  if (mayReadEvent(caller, event)) return { kind, subject, data };
  return { kind, subject: { type: subject.type, id: subject.id }, data: {} };
};

/** The caller's permissions apply only to events of the account in the request. */
function mayReadEvent({ account, principal }: KnownCaller, event: Event): boolean {
  if (!principal) return false;
  const needed = permissionsToRead(event, principal.kind === 'user' ? principal.id : undefined);
  return needed.length === 0 || (event.accountId === account && mayReadEvents(principal, needed));
}

import type { EventDraft, Subject } from '../events/envelope.ts';
import type { Principal } from '../security/principal.ts';
import { isCounterDelta, type RecordChange, type Write } from '../table/operations.ts';
import type { PreviewedEffects } from './preview-effects.ts';

/** What a dry run responds with: the response there would be, and what would have happened. */
export interface DryRun<R = unknown> extends PreviewedEffects {
  dryRun: true;
  answer: R;
  /** The records that would be written. */
  changes: RecordChange[];
  events: { kind: string; subject: Subject; data: object }[];
}

/** What a request would write and emit. */
export interface PlannedChanges {
  writes: readonly Write[];
  events: readonly EventDraft[];
}

/** What a request would do that would respond with this. An applicant is told of events no more than what they are about. */
export const dryRunOf = (
  answer: unknown,
  { writes, events }: PlannedChanges,
  effects: PreviewedEffects,
  principal: Principal | undefined,
): DryRun => ({
  dryRun: true,
  answer,
  changes: writes.flatMap((write) => (isCounterDelta(write) || !write.change ? [] : [write.change])),
  events: events.map(({ kind, subject, data }) =>
    principal?.kind === 'applicant'
      ? { kind, subject: { type: subject.type, id: subject.id }, data: {} }
      : { kind, subject, data },
  ),
  ...effects,
});

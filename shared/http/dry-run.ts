import type { EventDraft, Subject } from '../events/envelope.ts';
import type { Principal } from '../security/principal.ts';
import { isCounterDelta, type RecordChange, type Write } from '../table/operations.ts';
import type { PreviewedEffects } from './preview-effects.ts';

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
  events: readonly EventDraft[];
}

/** Builds the response to a dry run. For applicants, events contain only the kind and the record's type and id. */
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

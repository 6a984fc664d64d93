import type { EventDraft, Subject } from '../events/envelope.ts';
import { isCounterDelta, type RecordChange, type Write } from '../table/operations.ts';
import type { Outcome } from './endpoint.ts';

/** What a dry run responds with: the response there would be, and what would have happened. */
export interface DryRun<R = unknown> {
  dryRun: true;
  answer: R;
  /** The records that would be written. */
  changes: RecordChange[];
  events: { kind: string; subject: Subject; data: object }[];
}

/** What a decision would do, after the parts that it committed on the way. */
export const dryRunOf = (
  { response, writes = [], events = [] }: Outcome<unknown>,
  parts: { writes: readonly Write[]; events: readonly EventDraft[] } = { writes: [], events: [] },
): DryRun => ({
  dryRun: true,
  answer: response,
  changes: [...parts.writes, ...writes].flatMap((write) =>
    isCounterDelta(write) || !write.change ? [] : [write.change],
  ),
  events: [...parts.events, ...events].map(({ kind, subject, data }) => ({ kind, subject, data })),
});

import { isCounterDelta, type RecordChange } from '../table/operations.ts';
import type { Outcome } from './endpoint.ts';

/** What a dry run responds with: the response there would be, and what would have happened. */
export interface DryRun<R = unknown> {
  dryRun: true;
  answer: R;
  /** The records that would be written. */
  changes: RecordChange[];
  events: { kind: string; subject: { type: string; id: number | string; version?: number }; data: object }[];
}

/** What a decision would do. */
export const dryRunOf = ({ response, writes = [], events = [] }: Outcome<unknown>): DryRun => ({
  dryRun: true,
  answer: response,
  changes: writes.flatMap((write) => (isCounterDelta(write) || !write.change ? [] : [write.change])),
  events: events.map(({ kind, subject, data }) => ({ kind, subject, data })),
});

import { type Schedule, scheduleHandler } from '../../events/schedule.ts';
import { scheduleStatements } from '../../infra/rights/event-rights.ts';
import { rejectInconsistentReads } from './consistent-reads.ts';
import './rights.ts';
import { rejectSilentChanges } from './silent-changes.ts';
import { runAs } from './wire.ts';

rejectInconsistentReads();
rejectSilentChanges();

/** Runs a schedule at a given time, with the rights of its function. */
export const runSchedule = (schedule: Schedule, now: Date): Promise<void> =>
  runAs({ functionName: 'a schedule', statements: scheduleStatements(schedule) }, () =>
    scheduleHandler(schedule, () => now)({}),
  );

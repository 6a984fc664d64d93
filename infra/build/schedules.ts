import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Schedule } from '../../events/schedule.ts';
import { root } from './endpoints.ts';

/** A schedule and the file that declares it. */
export interface ScheduleFile {
  /** `sla-sweep`, from `events/schedules/sla-sweep.ts`. */
  name: string;
  /** Relative to the root. */
  file: string;
  schedule: Schedule;
}

/** Every schedule there is: one for each file of events/schedules/. Adding a file is all it takes. */
export async function loadSchedules(folder = 'events/schedules'): Promise<ScheduleFile[]> {
  if (!existsSync(join(root, folder))) return [];
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts'));
  return Promise.all(
    files.sort().map(async (name) => {
      const file = `${folder}/${name}`;
      const { default: schedule } = await import(pathToFileURL(join(root, file)).href);
      if (!isSchedule(schedule))
        throw new Error(`${file} exports no schedule whose run ends before the next`);
      return { name: name.replace(/\.ts$/, ''), file, schedule };
    }),
  );
}

function isSchedule(value: unknown): value is Schedule {
  const { every, timeoutSeconds = Number.NaN, run } = (value ?? {}) as Partial<Schedule>;
  return typeof run === 'function' && timeoutSeconds > 0 && timeoutSeconds < (every?.minutes ?? 0) * 60;
}

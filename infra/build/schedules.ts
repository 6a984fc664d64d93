import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Consumer } from '../../events/consumer.ts';
import type { Schedule } from '../../events/schedule.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { defaultExports, root } from './endpoints.ts';

export interface ScheduleFile {
  /** `sla-sweep`, from `events/schedules/sla-sweep.ts`. */
  name: string;
  /** The path relative to the root. */
  file: string;
  schedule: Schedule;
}

/** All schedules: one for each file of events/schedules/. */
export async function loadSchedules(folder = 'events/schedules'): Promise<ScheduleFile[]> {
  if (!existsSync(join(root, folder))) return [];
  return (await defaultExports<Schedule>(folder)).map(({ name, file, exported }) => {
    if (!isSchedule(exported))
      throw new Error(`${file} exports no schedule with a timeout shorter than its interval`);
    return { name, file, schedule: exported };
  });
}

function isSchedule(value: Partial<Schedule> | undefined): value is Schedule {
  const { every, timeoutSeconds = Number.NaN, run } = value ?? {};
  return typeof run === 'function' && timeoutSeconds > 0 && timeoutSeconds < (every?.minutes ?? 0) * 60;
}

/** The file of each queue's consumer, relative to the root. */
export async function loadConsumers(): Promise<Map<QueueName, string>> {
  const consumers = await defaultExports<Consumer>('events/consumers');
  const fileOf = (queue: QueueName): string => {
    const [found, other] = consumers.filter(({ exported }) => exported?.queue === queue);
    if (!found || other) throw new Error(`The queue ${queue} needs one consumer in events/consumers.`);
    return found.file;
  };
  return new Map(queueNames.map((queue) => [queue, fileOf(queue)]));
}

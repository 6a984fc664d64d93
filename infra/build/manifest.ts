import type { Schedule } from '../../events/schedule.ts';
import type { Admission, ContractTerms } from '../../shared/endpoints/contract.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import type { EndpointFile } from './endpoints.ts';
import type { ScheduleFile } from './schedules.ts';

/** A bundled Lambda: a folder to deploy as it is, with `entry.mjs` and its `handler` inside. */
export interface BundledFunction {
  /** Deterministic and unique, such as `leads-create-lead`. */
  name: string;
  /** Relative to the project's root: `.build/functions/leads-create-lead`. */
  folder: string;
  /** Bytes of the minified bundle. */
  bytes: number;
}

export interface BundledEndpoint extends BundledFunction {
  contract: Omit<ContractTerms, 'params' | 'query' | 'body' | 'response'> & Admission;
}

export interface BundledSchedule extends BundledFunction, Omit<Schedule, 'run'> {
  /** Its name: that of its file in events/schedules/. */
  schedule: string;
}

/** What a build made: everything the CDK app, the local runner and the tests need to know of it. */
export interface Manifest {
  endpoints: BundledEndpoint[];
  /** The function that reads the table's stream. */
  relay: BundledFunction;
  /** One for each queue; `queue` is its name in shared/events/queues.ts. */
  consumers: (BundledFunction & { queue: QueueName })[];
  /** The functions that run by the clock. */
  schedules: BundledSchedule[];
}

/** The manifest of a build of these, whose functions `bundled` finds by their names. */
export const manifestOf = (
  endpoints: readonly EndpointFile[],
  schedules: readonly ScheduleFile[],
  bundled: (name: string) => BundledFunction,
): Manifest => ({
  endpoints: endpoints.map(({ name, endpoint }) => {
    const { params, query, body, response, ...contract } = endpoint.contract;
    return { ...bundled(name), contract };
  }),
  relay: bundled('events-relay'),
  consumers: queueNames.map((queue) => ({ ...bundled(`events-${queue}`), queue })),
  schedules: schedules.map(({ name, schedule: { run, ...schedule } }) => ({
    ...bundled(`schedules-${name}`),
    schedule: name,
    ...schedule,
  })),
});

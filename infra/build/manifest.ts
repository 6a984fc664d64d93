import type { Schedule } from '../../events/schedule.ts';
import type { Admission, ContractTerms } from '../../shared/endpoints/contract.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import type { EndpointFile } from './endpoints.ts';
import type { ScheduleFile } from './schedules.ts';

/** A bundled Lambda: a folder to deploy, with the `handler` in `entry.mjs`. */
export interface BundledFunction {
  /** Unique, for example `leads-create-lead`. */
  name: string;
  /** Relative to the root, for example `.build/functions/leads-create-lead`. */
  folder: string;
  /** Bytes of the minified bundle. */
  bytes: number;
}

export interface BundledEndpoint extends BundledFunction {
  contract: Omit<ContractTerms, 'params' | 'query' | 'body' | 'response'> & Admission;
}

export interface BundledSchedule extends BundledFunction, Omit<Schedule, 'run'> {
  /** The name of the schedule's file in events/schedules/. */
  schedule: string;
}

/** The result of a build, for the CDK app, the local service and the tests. */
export interface Manifest {
  endpoints: BundledEndpoint[];
  relay: BundledFunction;
  /** The authorizer of the APIs, which rejects requests that do not come from the stage's front. */
  authorizer: BundledFunction;
  /** One consumer for each queue of shared/events/queues.ts. */
  consumers: (BundledFunction & { queue: QueueName })[];
  schedules: BundledSchedule[];
}

export const authorizerName = 'http-authorize-origin';

/** The manifest of a build. `bundled` returns a function by its name. */
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
  authorizer: bundled(authorizerName),
  consumers: queueNames.map((queue) => ({ ...bundled(`events-${queue}`), queue })),
  schedules: schedules.map(({ name, schedule: { run, ...schedule } }) => ({
    ...bundled(`schedules-${name}`),
    schedule: name,
    ...schedule,
  })),
});

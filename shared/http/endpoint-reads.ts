import type { Access } from '../endpoints/contract.ts';
import type { Endpoint, RequestInput } from '../endpoints/endpoint.ts';

/** The input of an endpoint's `read`. The contract can have any `access`. */
type Input = RequestInput<unknown, unknown, unknown, Access>;

/**
 * The reads of an endpoint for one request. They may start in parallel with authentication, which saves a round trip.
 * After a version conflict, the next decision reads again.
 */
export interface EndpointReads {
  /** Starts the read for the first decision. */
  begin(input: Input): void;
  /** Drops the started read, because the request is for another account. */
  drop(): void;
  /** Returns the data for the next decision. Throws the errors of the endpoint's `read`. */
  next(input: Input): Promise<unknown>;
}

export function endpointReads({ read }: Pick<Endpoint, 'read'>): EndpointReads {
  let begun: Promise<unknown> | undefined;
  return {
    begin(input) {
      begun = read?.(input);
      // `next` throws the error after authorization. Before that, the error would reveal which records exist.
      begun?.catch(() => undefined);
    },
    drop() {
      begun = undefined;
    },
    async next(input) {
      const first = begun;
      begun = undefined;
      return first ?? read?.(input);
    },
  };
}

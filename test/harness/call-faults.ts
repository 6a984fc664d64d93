import { type WireFault, type WireRequest, watchWire } from './wire.ts';

/** How often each kind of fault was injected, by service, such as `sqs reset`. */
export type Injected = ReadonlyMap<string, number>;

/**
 * Lets calls that functions of ours make fail, as `faultOf` says of each: reads and writes of DynamoDB, SQS, SES, SNS, KMS,
 * S3. What the test itself calls is left alone. Returns what was injected so far and an end.
 */
export function failCalls(faultOf: (request: WireRequest) => WireFault | undefined): {
  injected: Injected;
  stop: () => void;
} {
  const injected = new Map<string, number>();
  const stop = watchWire({
    fault(request) {
      const fault = request.invocation && faultOf(request);
      if (!fault) return undefined;
      const name = `${request.service} ${typeof fault === 'string' ? fault : fault.error}`;
      injected.set(name, (injected.get(name) ?? 0) + 1);
      return fault;
    },
  });
  return { injected, stop };
}

/** A throttle as each service words it. */
const throttles: Readonly<Record<string, string>> = {
  dynamodb: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
  sqs: 'com.amazonaws.sqs#RequestThrottled',
  ses: 'TooManyRequestsException',
  sns: 'Throttling',
};

/** A throttle of a service. */
export const throttleOf = (service: string): WireFault => ({
  error: throttles[service] ?? 'ThrottlingException',
  status: service === 'ses' ? 429 : 400,
});

/** Numbers from 0 to 1 that are the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

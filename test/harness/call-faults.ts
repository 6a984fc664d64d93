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
      const name = `${request.service} ${typeof fault === 'string' ? fault : (fault.reason ?? fault.error)}`;
      injected.set(name, (injected.get(name) ?? 0) + 1);
      return fault;
    },
  });
  return { injected, stop };
}

/**
 * The errors of each service that pass by themselves, with their HTTP status, from the API references. The first of each is
 * its throttle.
 */
const passingErrors: Readonly<Record<string, readonly (readonly [error: string, status: number])[]>> = {
  dynamodb: [
    ['ProvisionedThroughputExceededException', 400],
    ['ThrottlingException', 400],
    ['RequestLimitExceeded', 400],
    ['InternalServerError', 500],
  ],
  sqs: [
    ['RequestThrottled', 400],
    ['KmsThrottled', 400],
    ['InternalFailure', 500],
    ['ServiceUnavailable', 503],
  ],
  s3: [
    ['SlowDown', 503],
    ['ServiceUnavailable', 503],
    ['InternalError', 500],
    ['OperationAborted', 409],
  ],
  kms: [
    ['ThrottlingException', 400],
    ['DependencyTimeoutException', 500],
    ['KMSInternalException', 500],
    ['KeyUnavailableException', 500],
  ],
  secretsmanager: [
    ['ThrottlingException', 400],
    ['InternalServiceError', 500],
  ],
  ses: [
    ['TooManyRequestsException', 429],
    ['InternalServiceErrorException', 500],
  ],
  sns: [
    ['Throttling', 400],
    ['ThrottledException', 429],
    ['KMSThrottlingException', 400],
    ['InternalErrorException', 500],
  ],
};

/** The faults that only some operations have. A batch returns a write that meets a transaction as unprocessed. */
const ofOperation: Readonly<Record<string, readonly WireFault[]>> = {
  PutItem: [{ error: 'TransactionConflictException' }],
  UpdateItem: [{ error: 'TransactionConflictException' }],
  DeleteItem: [{ error: 'TransactionConflictException' }],
  TransactWriteItems: [
    { error: 'TransactionInProgressException' },
    ...['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'].map((reason) => ({
      error: 'TransactionCanceledException',
      reason,
    })),
  ],
  // A response to HEAD has no body, so that nobody could see this code in it.
  GetObject: [{ error: 'RequestTimeout' }],
  CopyObject: [{ error: 'RequestTimeout' }],
  DeleteObject: [{ error: 'RequestTimeout' }],
  BatchGetItem: ['unprocessed'],
  BatchWriteItem: ['unprocessed'],
};

/** All that can go wrong with a request and passes by itself. */
export const passingFaultsOf = ({ service, operation }: WireRequest): readonly WireFault[] => [
  ...(passingErrors[service] ?? []).map(([error, status]) => ({ error, status })),
  ...(ofOperation[operation] ?? []),
  'reset',
  'lost',
];

/** A throttle of a service. */
export function throttleOf(service: string): WireFault {
  const [error, status] = passingErrors[service]?.[0] ?? ['ThrottlingException', 400];
  return { error, status };
}

/** Numbers from 0 to 1 that are the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

import { type WireFault, type WireRequest, watchWire } from './wire.ts';

/** The number of injected faults of each kind. A key consists of the service and the fault, for example `sqs reset`. */
type Injected = ReadonlyMap<string, number>;

/**
 * Calls `faultOf` for each AWS request of our functions, and injects the returned fault, if any. Supports
 * DynamoDB, SQS, SES, SNS, KMS and S3. Requests of the test itself do not fail. `injected` contains the number of
 * faults so far, and `stop` ends the injection.
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
 * The transient errors of each service with their HTTP status, from the API references. The first error of each
 * service is its throttling error.
 */
const transientErrors: Readonly<Record<string, readonly (readonly [error: string, status: number])[]>> = {
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

/**
 * Additional faults of specific operations. If a write of a batch conflicts with a transaction, DynamoDB returns the
 * write as unprocessed.
 */
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
  // HeadObject is not listed, because its response has no body that could contain an error code.
  GetObject: [{ error: 'RequestTimeout' }],
  CopyObject: [{ error: 'RequestTimeout' }],
  DeleteObject: [{ error: 'RequestTimeout' }],
  BatchGetItem: ['unprocessed'],
  BatchWriteItem: ['unprocessed'],
};

/** Every transient fault that this request can have. */
export const transientFaultsOf = ({ service, operation }: WireRequest): readonly WireFault[] => [
  ...(transientErrors[service] ?? []).map(([error, status]) => ({ error, status })),
  ...(ofOperation[operation] ?? []),
  'reset',
  'lost',
];

/** The throttling error of a service. */
export function throttleOf(service: string): WireFault {
  const [error, status] = transientErrors[service]?.[0] ?? ['ThrottlingException', 400];
  return { error, status };
}

/** A pseudo-random generator of numbers from 0 to 1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

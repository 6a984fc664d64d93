import { type WireRequest, watchWire } from './wire.ts';

/** What a request reads the base table by: `ConsistentRead` of each part. An index cannot be read consistently. */
function promises({ operation, input }: WireRequest): unknown[] {
  switch (operation) {
    case 'GetItem':
    case 'Scan':
      return [input.ConsistentRead];
    case 'Query':
      return input.IndexName === undefined ? [input.ConsistentRead] : [];
    case 'BatchGetItem':
      return Object.values(input.RequestItems as Record<string, { ConsistentRead?: boolean }>).map(
        ({ ConsistentRead }) => ConsistentRead,
      );
    default:
      return [];
  }
}

/**
 * Refuses every read of the base table by a function of ours that does not ask for consistency: an emulator always
 * answers with the latest, so that nothing else would show what DynamoDB may answer with.
 */
export const rejectInconsistentReads = (): (() => void) =>
  watchWire({
    refuse: (request) =>
      request.invocation && promises(request).some((promise) => promise !== true)
        ? `${request.operation} of the base table must ask for ConsistentRead: ${JSON.stringify(request.input)}`
        : undefined,
  });

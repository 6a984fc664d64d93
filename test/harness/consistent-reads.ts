import { type WireRequest, watchWire } from './wire.ts';

/** The search index is updated after the records, so its reads need not be consistent. */
const isSearchIndex = ({ ':pk': partition }: Record<string, { S?: string }> = {}): boolean =>
  /^ACCOUNT#[^#]+#SEARCH#/.test(partition?.S ?? '');

/** Returns the value of `ConsistentRead` for each read that must be consistent. Reads of an index cannot be consistent. */
function promises({ operation, input }: WireRequest): unknown[] {
  switch (operation) {
    case 'GetItem':
    case 'Scan':
      return [input.ConsistentRead];
    case 'Query':
      return input.IndexName === undefined && !isSearchIndex(input.ExpressionAttributeValues as never)
        ? [input.ConsistentRead]
        : [];
    case 'BatchGetItem':
      return Object.values(input.RequestItems as Record<string, { ConsistentRead?: boolean }>).map(
        ({ ConsistentRead }) => ConsistentRead,
      );
    default:
      return [];
  }
}

/**
 * Rejects every eventually consistent read of the base table by one of our functions. The emulator always returns the
 * latest data, so no other check would find such a read.
 */
export const rejectInconsistentReads = (): (() => void) =>
  watchWire({
    refuse: (request) =>
      request.invocation && promises(request).some((promise) => promise !== true)
        ? `${request.operation} of the base table must set ConsistentRead: ${JSON.stringify(request.input)}`
        : undefined,
  });

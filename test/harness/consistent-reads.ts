import { type WireRequest, watchWire } from './wire.ts';

/**
 * The search index is updated after the records, so its reads need not be consistent. `GET /search` reads the entries of
 * all child accounts in the same way.
 */
function isSearched({ input, invocation }: WireRequest): boolean {
  const { ':pk': partition } = (input.ExpressionAttributeValues ?? {}) as Record<string, { S?: string }>;
  const [, part = ''] = /^ACCOUNT#[^#]+#(.*)$/.exec(partition?.S ?? '') ?? [];
  const isSearch = invocation?.functionName === 'GET /search';
  return part.startsWith('SEARCH#') || (isSearch && part === 'CHILDACCOUNT');
}

/** Returns the value of `ConsistentRead` for each read that must be consistent. Reads of an index cannot be consistent. */
function promises(request: WireRequest): unknown[] {
  const { operation, input } = request;
  switch (operation) {
    case 'GetItem':
    case 'Scan':
      return [input.ConsistentRead];
    case 'Query':
      return input.IndexName === undefined && !isSearched(request) ? [input.ConsistentRead] : [];
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

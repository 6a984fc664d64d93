import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { table } from '../../shared/table/client.ts';

/** The fields of a write request that contain the key of the item. */
interface SingleWrite {
  Key?: object;
  Item?: Record<string, unknown>;
}

/** The fields of a transaction request that contain the keys of its items. */
interface Transaction {
  TransactItems: Record<string, SingleWrite>[];
}

interface WireRequest {
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

interface Handler {
  handle(request: WireRequest, options?: unknown): Promise<{ response: unknown }>;
}

/** Faults that occur in DynamoDB under load, but not in emulators. */
interface Faults {
  /** The share of writes that are throttled, from 0 to 1. */
  throttles?: number;
  /** The share of reads that are throttled, from 0 to 1. */
  readThrottles?: number;
  /** The share of transactions and single writes that fail with an artificial conflict, from 0 to 1. */
  conflicts?: number;
  /** The cancellation reason of transactions with an artificial conflict. Default: `TransactionConflict`. */
  reason?: string;
  /** The share of batches that return all keys or writes as unprocessed, from 0 to 1. */
  unprocessed?: number;
  /** Reports whether a write of a batch, given as JSON, is returned as unprocessed. */
  leaves?: (write: string) => boolean;
  /** The share of transactions that succeed but whose response is lost, from 0 to 1. */
  lostResponses?: number;
  /**
   * Delays the first transaction until another transaction needs one of its items, so that the two transactions overlap
   * at any speed of the engine. The delay is at most five seconds.
   */
  overlap?: boolean;
}

/** The request handler of the table's client. `injectFaults` replaces its `handle` method. */
const handler: Partial<Handler> = table.config.requestHandler;
const wire: Handler = NodeHttpHandler.prototype;
const real: Handler = { handle: (request, options) => wire.handle.call(handler, request, options) };

/** The number of injected faults since the last `injectFaults`. */
export const injected = { throttles: 0, conflicts: 0, overlaps: 0, unprocessed: 0, lostResponses: 0 };

/** The items of transactions in progress, with the start time of each transaction. */
const inFlight = new Map<string, number>();

/**
 * The time in milliseconds after which a transaction no longer conflicts with others. With a longer time, a busy
 * machine would cancel transactions more often than needed.
 */
const transactionTakes = 20;

/**
 * Limits the number of transactions in progress. Otherwise, transactions would overlap while they wait for a socket,
 * instead of while the engine executes them.
 */
const engine = {
  handler: new NodeHttpHandler() as Handler,
  free: 8,
  waiting: [] as (() => void)[],

  /** Waits for a free slot, and returns the function that releases the slot. */
  async enter(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((admit) => this.waiting.push(admit));
    return () => {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    };
  },
};

/**
 * Injects the faults of DynamoDB under load into requests to the table, below the SDK. If two transactions overlap on
 * an item, the second is cancelled. A single write to an item of a transaction in progress fails, too. Throttles and
 * conflicts are injected at random with the given probabilities.
 */
export function injectFaults({
  throttles = 0,
  readThrottles = 0,
  conflicts = 0,
  reason = 'TransactionConflict',
  unprocessed = 0,
  leaves,
  lostResponses = 0,
  overlap = false,
}: Faults = {}): void {
  Object.assign(injected, { throttles: 0, conflicts: 0, overlaps: 0, unprocessed: 0, lostResponses: 0 });
  const meet = overlap ? firstMeeting() : undefined;
  handler.handle = async (request, options) => {
    const operation = request.headers['x-amz-target']?.split('.')[1] ?? '';
    const isWrite = /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(operation);
    if (Math.random() < (isWrite ? throttles : readThrottles)) {
      injected.throttles += 1;
      return apiError('com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException', {});
    }
    if (operation.startsWith('Batch') && Math.random() < unprocessed) {
      injected.unprocessed += 1;
      const { RequestItems } = JSON.parse(textOf(request));
      const left =
        operation === 'BatchGetItem' ? { UnprocessedKeys: RequestItems } : { UnprocessedItems: RequestItems };
      return answer(200, { Responses: {}, ...left });
    }
    if (operation === 'BatchWriteItem' && leaves) return takeSome(request, leaves);
    if (/^(Put|Update|Delete)Item$/.test(operation)) {
      const name = keyOf(JSON.parse(textOf(request)) as SingleWrite);
      const overlaps = performance.now() - (inFlight.get(name) ?? -Infinity) < transactionTakes;
      if (!overlaps && Math.random() >= conflicts) return real.handle(request, options);
      injected[overlaps ? 'overlaps' : 'conflicts'] += 1;
      return apiError('com.amazonaws.dynamodb.v20120810#TransactionConflictException', {});
    }
    if (operation !== 'TransactWriteItems') return real.handle(request, options);
    const names = keysOf(JSON.parse(textOf(request)) as Transaction);
    const shared = await meet?.(names);
    if (shared) {
      injected.overlaps += 1;
      return conflicting(shared);
    }
    const leave = await engine.enter();
    const now = performance.now();
    const overlapping = names.map((name) => now - (inFlight.get(name) ?? -Infinity) < transactionTakes);
    const chance = Math.random() < conflicts;
    if (chance || overlapping.includes(true)) {
      leave();
      injected[chance ? 'conflicts' : 'overlaps'] += 1;
      return chance
        ? conflicting([true, ...names.slice(1).map(() => false)], reason)
        : conflicting(overlapping);
    }
    for (const name of names) inFlight.set(name, now);
    try {
      const given = await engine.handler.handle(request, options);
      if (Math.random() >= lostResponses) return given;
      injected.lostResponses += 1;
      // Discards the body, because an unread body would occupy one of the client's fifty sockets.
      (given.response as { body: Readable }).body.resume();
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    } finally {
      for (const name of names) if (inFlight.get(name) === now) inFlight.delete(name);
      leave();
    }
  };
}

/** The longest delay of a transaction, in milliseconds. */
const longestHold = 5_000;

/**
 * Delays the first transaction until a later transaction needs one of its items, for at most `longestHold`. The
 * returned function is called with the items of each transaction. For the later transaction, the function reports which
 * items conflict. For all others, it returns undefined.
 */
function firstMeeting(): (names: string[]) => Promise<boolean[] | undefined> {
  let held: string[] | undefined;
  let letGo: (() => void) | undefined;
  return async (names) => {
    if (!held) {
      held = names;
      const meeting = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await Promise.race([meeting, sleep(longestHold, undefined, { ref: false })]);
      letGo = undefined;
      return;
    }
    const shared = names.map((name) => held?.includes(name) === true);
    if (!letGo || !shared.includes(true)) return;
    letGo();
    letGo = undefined;
    return shared;
  };
}

/** Sends a batch without the writes that `leaves` selects, and returns the selected writes as unprocessed. */
async function takeSome(
  request: WireRequest,
  leaves: (write: string) => boolean,
): Promise<{ response: unknown }> {
  const asked = JSON.parse(textOf(request)).RequestItems as Record<string, object[]>;
  const only = (left: boolean) =>
    Object.fromEntries(
      Object.entries(asked)
        .map(
          ([name, writes]) =>
            [name, writes.filter((write) => leaves(JSON.stringify(write)) === left)] as const,
        )
        .filter(([, writes]) => writes.length > 0),
    );
  const [UnprocessedItems, RequestItems] = [only(true), only(false)];
  if (Object.keys(UnprocessedItems).length === 0) return real.handle(request);
  injected.unprocessed += 1;
  if (Object.keys(RequestItems).length > 0) {
    const body = JSON.stringify({ ...JSON.parse(textOf(request)), RequestItems });
    const headers = { ...request.headers, 'content-length': String(Buffer.byteLength(body)) };
    await real.handle({ ...request, headers, body });
  }
  return answer(200, { UnprocessedItems });
}

/** Ends all faults. */
export function noFaults(): void {
  delete handler.handle;
}

function keysOf({ TransactItems }: Transaction): string[] {
  return TransactItems.map((operation) => keyOf(Object.values(operation)[0] ?? {}));
}

function keyOf({ Key, Item }: SingleWrite): string {
  const { pk, sk } = (Key ?? Item ?? {}) as Record<string, unknown>;
  return JSON.stringify([pk, sk]);
}

/** Returns the error of a cancelled transaction. `operations` contains true for each conflicting operation. */
const conflicting = (operations: boolean[], reason = 'TransactionConflict') =>
  apiError('com.amazonaws.dynamodb.v20120810#TransactionCanceledException', {
    message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    CancellationReasons: operations.map((conflict) => ({ Code: conflict ? reason : 'None' })),
  });

const apiError = (type: string, body: object) => answer(400, { __type: type, ...body });

function answer(statusCode: number, body: object): { response: unknown } {
  const stream = new PassThrough();
  stream.end(JSON.stringify(body));
  return {
    response: { statusCode, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: stream },
  };
}

const textOf = ({ body = '' }: WireRequest): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

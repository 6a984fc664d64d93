import { createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../shared/table/client.ts';
import { asTest, type WireExchange, type WireRequest, watchWire } from '../harness/wire.ts';
import { type Image, type Units, unitsOf, type WireItem, writesIn } from './units.ts';

/** The measured result and cost of a call or another operation. */
export interface Measured<T> extends Units {
  result: T;
  /** Requests to all AWS services. */
  requests: number;
  /** The length of the longest chain of requests that wait for each other. */
  sequence: number;
  /** Requests to services other than DynamoDB, by service and operation, for example `ses SendEmail`. */
  elsewhere: Readonly<Record<string, number>>;
  exchanges: readonly WireExchange[];
  /** Requests that were in progress or started after the function had responded. */
  pending: readonly string[];
}

const client = new DynamoDBClient({});

/**
 * Runs an operation and measures the cost. All responses are held until no further request starts, so
 * requests are sent in waves. Requests of one wave do not depend on each other. Only one measurement may run
 * at a time.
 */
export async function measure<T>(runEndpoint: () => Promise<T>): Promise<Measured<T>> {
  const waves = new Waves();
  const charged = new ChargedExchanges();
  const late = new Set<string>();
  let answered = false;

  poolWatch.enable();
  const stop = watchWire({
    async before(request) {
      if (!request.invocation) return;
      waves.begin();
      if (answered) late.add(nameOf(request));
      await charged.begin(request);
    },
    async done(exchange) {
      if (!exchange.invocation) return;
      await charged.end(exchange);
      await waves.end();
      charged.inProgress.delete(exchange.input);
      if (answered) late.add(nameOf(exchange));
    },
  });
  try {
    const result = await runEndpoint();
    answered = true;
    do await quiet();
    while (charged.inProgress.size > 0);
    return {
      result,
      requests: charged.exchanges.length,
      sequence: waves.count,
      ...charged.units(),
      elsewhere: countElsewhere(charged.exchanges),
      exchanges: charged.exchanges,
      pending: [...late],
    };
  } finally {
    stop();
    poolWatch.disable();
    poolJobs.clear();
  }
}

/** Measures only the capacity units. This is faster than `measure`, because responses are not delayed. */
export async function measureUnits(run: () => Promise<unknown>): Promise<Units> {
  const charged = new ChargedExchanges();
  const stop = watchWire({
    before: (request) => request.invocation && charged.begin(request),
    async done(exchange) {
      if (exchange.invocation) await charged.end(exchange);
      charged.inProgress.delete(exchange.input);
    },
  });
  try {
    await run();
    do await quiet();
    while (charged.inProgress.size > 0);
    return charged.units();
  } finally {
    stop();
  }
}

/** Records the requests of our functions, and the state of each written item before and after the request. */
class ChargedExchanges {
  readonly exchanges: WireExchange[] = [];
  readonly inProgress = new Set<object>();
  readonly #images = new Map<object, Image[]>();

  async begin(request: WireRequest): Promise<void> {
    this.inProgress.add(request.input);
    this.#images.set(request.input, await readImages(request));
  }

  async end(exchange: WireExchange): Promise<void> {
    this.exchanges.push(exchange);
    const after = await readImages(exchange);
    this.#images.get(exchange.input)?.forEach((image, index) => {
      image.after = after[index]?.before;
    });
  }

  units(): Units {
    const units = this.exchanges
      .filter(({ service }) => service === 'dynamodb')
      .map((exchange) => unitsOf(exchange, this.#images.get(exchange.input) ?? []));
    return {
      read: units.reduce((sum, { read }) => sum + read, 0),
      write: units.reduce((sum, { write }) => sum + write, 0),
    };
  }
}

function countElsewhere(exchanges: readonly WireExchange[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { service, operation } of exchanges) {
    if (service === 'dynamodb') continue;
    const name = `${service} ${operation}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Counts waves: groups of requests that are in progress together and get their responses together. */
class Waves {
  count = 0;
  #out = 0;
  #held: (() => void)[] = [];
  #changes = 0;

  begin(): void {
    if (this.#out === 0 && this.#held.length === 0) this.count += 1;
    this.#out += 1;
    this.#changes += 1;
  }

  /** Resolves when every request of the wave has its response and no further request starts. */
  async end(): Promise<void> {
    this.#out -= 1;
    const released = new Promise<void>((resolve) => this.#held.push(resolve));
    void this.#settle();
    await released;
  }

  async #settle(): Promise<void> {
    this.#changes += 1;
    const mine = this.#changes;
    await quiet();
    if (this.#out > 0 || this.#changes !== mine) return;
    for (const release of this.#held.splice(0)) release();
  }
}

/**
 * The ids of running thread pool jobs, for example decryptions. Types of jobs that also run synchronously,
 * such as randomBytes, are not tracked: a synchronous job calls `init` but not `before`, so its id would
 * never be deleted.
 */
const poolJobs = new Set<number>();
const poolWatch = createHook({
  init(id, type) {
    if (/^(CIPHER|SIGN|PBKDF2|FS)REQ/.test(type)) poolJobs.add(id);
  },
  before: (id) => void poolJobs.delete(id),
});

/** A job of the thread pool takes at most this many milliseconds. */
const longestPoolJob = 2_000;

/**
 * Waits for ten consecutive iterations of the event loop without a thread pool job. By then, every request that does
 * not wait for a response has started. Ignores jobs that take too long: these are synchronous signatures, for example
 * of a seal, whose ids are never deleted.
 */
async function quiet(): Promise<void> {
  const end = performance.now() + longestPoolJob;
  for (let turn = 0; turn < 10; turn++) {
    await setImmediate();
    if (performance.now() > end) poolJobs.clear();
    if (poolJobs.size > 0) turn = 0;
  }
}

const nameOf = ({ operation, invocation }: WireRequest): string => `${invocation?.functionName} ${operation}`;

/** Reads the current state of the items that a request writes. */
async function readImages(request: WireRequest): Promise<Image[]> {
  const writes = request.service === 'dynamodb' ? writesIn(request) : [];
  if (writes.length === 0) return [];
  const Keys = writes.map(({ key }) => key as never);
  const command = new BatchGetItemCommand({
    RequestItems: { [tableName()]: { Keys, ConsistentRead: true } },
  });
  const { Responses } = await asTest(() => client.send(command));
  const items = (Responses?.[tableName()] ?? []) as unknown as WireItem[];
  const found = new Map(
    items.map(({ pk = {}, sk = {}, ...rest }) => [JSON.stringify([pk, sk]), { pk, sk, ...rest }]),
  );
  return writes.map(({ key, put }) => ({ before: found.get(JSON.stringify([key.pk, key.sk])), put }));
}

import { createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../shared/table/client.ts';
import { asTest, type WireExchange, type WireRequest, watchWire } from '../harness/wire.ts';
import { ProcessorTime } from './processor-time.ts';
import { type Image, type Units, unitsOf, type WireItem, writesIn } from './units.ts';

/** What something cost, as far as functions of ours sent it. */
export interface Measured<T> extends Units {
  result: T;
  /** Requests to any service of AWS. */
  requests: number;
  /** How many of them had to wait for one another: the length of the longest chain. */
  sequence: number;
  /** Requests to other services than the table's, by service and operation: `ses SendEmail`. */
  elsewhere: Readonly<Record<string, number>>;
  /** What the functions took of a processor. */
  milliseconds: number;
  exchanges: readonly WireExchange[];
  /** Requests that were on their way, or began, after the function had answered. */
  pending: readonly string[];
}

const client = new DynamoDBClient({});

/**
 * Does something and counts what it costs. Responses are held back until nothing more begins, so that requests go
 * out in waves: what is in one wave waited for nothing in it, on however busy a machine, and what was not waited
 * for is still out when the function answers. One measurement at a time.
 */
export async function measure<T>(runEndpoint: () => Promise<T>): Promise<Measured<T>> {
  const waves = new Waves();
  const processorTime = new ProcessorTime();
  const exchanges: WireExchange[] = [];
  const images = new Map<object, Image[]>();
  const out = new Set<object>();
  const late = new Set<string>();
  let answered = false;

  poolWatch.enable();
  const stop = watchWire({
    began: (invocation) => processorTime.begin(invocation),
    async before(request) {
      if (!request.invocation) return;
      processorTime.wait(request.invocation);
      waves.begin();
      out.add(request.input);
      if (answered) late.add(nameOf(request));
      images.set(request.input, await readImages(request));
    },
    async done(exchange) {
      if (!exchange.invocation) return;
      exchanges.push(exchange);
      const after = await readImages(exchange);
      images.get(exchange.input)?.forEach((image, index) => {
        image.after = after[index]?.before;
      });
      await waves.end();
      processorTime.goOn(exchange.invocation);
      out.delete(exchange.input);
      if (answered) late.add(nameOf(exchange));
    },
  });
  try {
    const result = await runEndpoint();
    answered = true;
    do await quiet();
    while (out.size > 0);
    const units = exchanges
      .filter(({ service }) => service === 'dynamodb')
      .map((exchange) => unitsOf(exchange, images.get(exchange.input) ?? []));
    return {
      result,
      requests: exchanges.length,
      sequence: waves.count,
      read: units.reduce((sum, { read }) => sum + read, 0),
      write: units.reduce((sum, { write }) => sum + write, 0),
      elsewhere: countElsewhere(exchanges),
      milliseconds: processorTime.milliseconds,
      exchanges,
      pending: [...late],
    };
  } finally {
    stop();
    poolWatch.disable();
    poolJobs.clear();
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

/** Requests that are out together, and let go of together. */
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

  /** Resolves when every request of the wave has its response and no other has joined. */
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

/** Cryptographic jobs of the thread pool that have not called back yet. They take no turns of the event loop, only time. */
const poolJobs = new Set<number>();
const poolWatch = createHook({
  init(id, type) {
    if (type.endsWith('REQUEST') && !type.startsWith('HTTP')) poolJobs.add(id);
  },
  before: (id) => void poolJobs.delete(id),
  destroy: (id) => void poolJobs.delete(id),
});

/**
 * Waits in turns of the event loop, not in milliseconds: after ten turns without a job in the thread pool, everything that
 * begins by itself has begun.
 */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await setImmediate();
    if (poolJobs.size > 0) turn = 0;
  }
}

const nameOf = ({ operation, invocation }: WireRequest): string => `${invocation?.functionName} ${operation}`;

/** The items that a request writes, as they are now. */
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

import { setTimeout as sleep } from 'node:timers/promises';
import { busy } from '../errors.ts';
import { removeRevised } from '../table/revised-item.ts';
import { allowedInFlight, breakerAfter, type CircuitBreaker, notBefore } from './circuit-breaker.ts';
import type { WorkQueue } from './keys.ts';
import { recordAttempt } from './record-attempt.ts';
import { sendTrigger } from './send-trigger.ts';
import { readPointers, readWorkItems, type StoredWorkQueueState, writeWorkQueueState } from './store.ts';
import type { AttemptResult, Run, WorkHandler } from './work-handler.ts';
import type { Pointer, WorkItem } from './work-item.ts';
import { type Lease, onTrigger, release } from './work-queue-state.ts';

const maxInFlight = 5;
/**
 * A run starts no attempt after this many milliseconds, so that other work queues are processed, too. If the last
 * attempt takes at most 2 s, the run ends within 20 s.
 */
const runTime = 18_000;
/** The default value of `longest`: the maximum duration of an attempt, in milliseconds. */
const defaultLongest = 15_000;
/** Attempts are aborted this many milliseconds before the end of the lease. */
const abortMargin = 10_000;
/** Aborted attempts must have ended this many milliseconds before the end of the lease. */
const hardMargin = 5_000;
const pageSize = 20;
/** While attempts are in flight, new work items are read at this interval, in milliseconds. */
const rereadInterval = 5_000;
/** A dangling pointer is removed after this many milliseconds. Until then, `enqueue` may still write the work item. */
const orphanAge = 15 * 60_000;
/** The delays in milliseconds after an attempt throws, and after `prepare` returns `not now`. */
const throwDelay = 60_000;
const notNowDelay = 15 * 60_000;

type WorkQueuePage = StoredWorkQueueState & { pointers: Pointer[] };

/**
 * Processes the due items of a work queue after a trigger message. Takes the lease and makes up to five concurrent
 * attempts, earliest due first. Reads the pointers again until nothing is due or 18 s have passed. Then stores the
 * next due time and releases the lease. If another worker holds the lease, that worker reads the pointers again.
 * Throws if the table fails or an attempt does not end in time. SQS then repeats the trigger message, and the lease
 * expires.
 */
export async function runWorkQueue<C, P>(
  workQueue: WorkQueue,
  handler: WorkHandler<C, P>,
  run: Run,
): Promise<void> {
  const startedAt = Date.now();
  // Tests pass a `now` that differs from the machine's clock.
  const clock = () => new Date(run.now.getTime() + Date.now() - startedAt);
  for (;;) {
    const page: WorkQueuePage = await readPointers(workQueue, pageSize + 1);
    const next = onTrigger(page.state, clock());
    if (next === 'rest') return;
    if ('take' in next) {
      const { lease } = next.take;
      const taken = await writeWorkQueueState(workQueue, next.take, page);
      if (taken)
        return new Worker(workQueue, handler, lease, clock, run.deadline).work({ ...page, ...taken });
    } else if (await writeWorkQueueState(workQueue, next.write.state, page)) {
      const { triggerIn } = next.write;
      if (triggerIn !== undefined) await sendTrigger(workQueue, triggerIn);
      return;
    }
    if (Date.now() >= run.deadline) throw busy();
  }
}

/** Processes a work queue during one lease. */
class Worker<C, P> {
  /** Milliseconds since 1970: no attempt starts after `start`. At `hard`, aborted attempts must have ended. */
  readonly #times: { start: number; abort: number; hard: number; lease: number };
  readonly #aborter = new AbortController();
  /** Attempts in flight by work item id, so that an item never has two concurrent attempts. */
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Sort keys of pointers that this run ignores. */
  readonly #skipped = new Set<string>();
  readonly #errors: unknown[] = [];
  #breaker: CircuitBreaker = { failures: 0 };
  /** True if the account was closed during the run. Its work waits until the account is reopened or erased. */
  #isClosed = false;
  #prepared: { result: Awaited<ReturnType<WorkHandler<C, P>['prepare']>> } | undefined;

  constructor(
    private readonly workQueue: WorkQueue,
    private readonly handler: WorkHandler<C, P>,
    private readonly lease: Lease,
    private readonly clock: () => Date,
    deadline: number,
  ) {
    const now = Date.now();
    const leaseEnd = now + Date.parse(lease.until) - clock().getTime();
    const hard = Math.min(leaseEnd - hardMargin, deadline);
    const abort = Math.min(leaseEnd - abortMargin, deadline - hardMargin);
    const start = Math.min(now + runTime, abort - (handler.longest ?? defaultLongest));
    this.#times = { start, abort, hard, lease: leaseEnd };
  }

  /** Works until the lease is released or lost. `first` was read before the lease was taken. */
  async work(first: WorkQueuePage): Promise<void> {
    const { failures, pausedUntil } = first.state;
    this.#breaker = { failures, ...(pausedUntil !== undefined && { pausedUntil: new Date(pausedUntil) }) };
    let storedPause = pausedUntil;
    const timer = setTimeout(() => this.#aborter.abort(), Math.max(0, this.#times.abort - Date.now()));
    try {
      for (let page = first; ; page = await this.#read()) {
        if (page.state.lease?.number !== this.lease.number) return await this.#allDone();
        this.#isClosed = page.state.closed === true;
        // During a lease, the stored pause changes only if a user has changed the receiver.
        if (page.state.pausedUntil !== storedPause) this.#breaker = { failures: 0 };
        storedPause = page.state.pausedUntil;
        await this.#prepare(page);
        const due = this.#dueIn(page).filter((pointer) => !this.#isPaused(pointer));
        if (due.length > 0 && this.#mayStart()) await this.#start(due);
        // If the page was full, more items may be due, so the next page is read without waiting.
        if (this.#inFlight.size > 0 && !(due.length >= pageSize && this.#mayStart())) await this.#wait();
        else if (due.length > 0 && this.#mayStart()) continue;
        else if (page !== first && this.#inFlight.size === 0 && (await this.#release(page))) return;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #read(): Promise<WorkQueuePage> {
    return readPointers(this.workQueue, pageSize + 1 + this.#inFlight.size + this.#skipped.size);
  }

  /** Prepares once. While items are cancelled, prepares again before each page, because the reason may have ended. */
  async #prepare({ pointers }: WorkQueuePage): Promise<void> {
    if (pointers.length === 0 || this.#isClosed || (this.#prepared && !this.#cancels)) return;
    const run = { now: this.clock(), deadline: this.#times.abort };
    this.#prepared = { result: await this.handler.prepare(this.workQueue, run) };
  }

  /** Reports whether open work items are cancelled, except the items for which `spares` returns true. */
  get #cancels(): boolean {
    const prepared = this.#prepared?.result;
    if (prepared === undefined || prepared === 'not now') return false;
    return prepared === 'cancel all' || (this.handler.cancels?.(prepared as P) ?? false);
  }

  #isCancelled(workItem: WorkItem<C>, { once }: Pointer): boolean {
    const all = this.#prepared?.result === 'cancel all';
    return this.#cancels && (all || !this.handler.spares?.(workItem, { once: once ?? false }));
  }

  /** Returns the due pointers, or all pointers if items are cancelled. Omits skipped pointers and items in flight. */
  #dueIn({ pointers }: WorkQueuePage): Pointer[] {
    const now = this.clock().toISOString();
    return pointers.filter(
      ({ id, key, due }) =>
        !this.#inFlight.has(id) && !this.#skipped.has(key.sk) && (this.#cancels || due <= now),
    );
  }

  /** Reports whether an attempt must wait for the end of a pause. Attempts that a user requested do not wait. */
  #isPaused({ once }: Pointer): boolean {
    const from = notBefore(this.#breaker);
    return !once && !this.#cancels && from !== undefined && from > this.clock();
  }

  #mayStart(): boolean {
    const waits = this.#isClosed || this.#prepared?.result === 'not now';
    return this.#errors.length === 0 && Date.now() < this.#times.start && !waits;
  }

  /** Starts attempts, earliest due first, and removes pointers to final items. */
  async #start(due: readonly Pointer[]): Promise<void> {
    const workItems = await readWorkItems<C>(this.workQueue, due, this.clock());
    for (const [n, pointer] of due.entries()) {
      const workItem = workItems[n];
      if (!workItem && Date.parse(pointer.openedAt) + orphanAge > this.clock().getTime())
        this.#skipped.add(pointer.key.sk);
      else if (!workItem || isStale(pointer, workItem)) await removeRevised(pointer.key, pointer.revision);
      else {
        while (
          this.#inFlight.size >= (this.#cancels ? maxInFlight : allowedInFlight(this.#breaker, maxInFlight))
        )
          await this.#waitFor(Promise.race(this.#inFlight.values()));
        if (!this.#mayStart()) return;
        if (this.#isPaused(pointer)) continue;
        // A second pointer to an item in flight is skipped. The next read of the pointers returns this pointer again.
        if (this.#inFlight.has(workItem.id)) continue;
        // Only cancelled items are processed before their due time.
        if (pointer.due > this.clock().toISOString() && !this.#isCancelled(workItem, pointer)) {
          this.#skipped.add(pointer.key.sk);
          continue;
        }
        const attempt = this.#attempt(pointer, workItem)
          .catch((error: unknown) => void this.#errors.push(error))
          .finally(() => this.#inFlight.delete(workItem.id));
        this.#inFlight.set(workItem.id, attempt);
      }
    }
  }

  async #attempt(pointer: Pointer, workItem: WorkItem<C>): Promise<void> {
    const at = this.clock();
    const result = await this.#resultOf(pointer, workItem, at);
    const now = this.clock();
    this.#breaker = breakerAfter(this.#breaker, result, now);
    // After the end of the lease, nothing is recorded. The next worker attempts the item again.
    if (Date.now() >= this.#times.lease) return;
    await recordAttempt(this.workQueue, { pointer, workItem, result, at, now, deadline: this.#times.hard });
  }

  async #resultOf(pointer: Pointer, workItem: WorkItem<C>, now: Date): Promise<AttemptResult<C>> {
    if (this.#isCancelled(workItem, pointer)) return { status: 'cancelled' };
    const { signal } = this.#aborter;
    const run = { now, deadline: this.#times.abort, signal, once: pointer.once ?? false };
    try {
      return await this.handler.attempt(workItem, this.#prepared?.result as P, run);
    } catch (error) {
      const { account, name } = this.workQueue;
      console.error(`An attempt of ${workItem.id} in the work queue ${name} of ${account} failed:`, error);
      return { again: new Date(this.clock().getTime() + throwDelay) };
    }
  }

  /** Waits until all attempts in flight have ended, at most `rereadInterval`. */
  async #wait(): Promise<void> {
    const waiting = new AbortController();
    const later = sleep(rereadInterval, undefined, { signal: waiting.signal }).catch(() => {});
    await this.#waitFor(Promise.race([this.#allDone(), later]));
    waiting.abort();
  }

  async #allDone(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  /** Waits for attempts. Throws if aborted attempts do not end in time. */
  async #waitFor(attempts: Promise<unknown>): Promise<void> {
    const waiting = new AbortController();
    const { account, name } = this.workQueue;
    const tooLate = sleep(Math.max(0, this.#times.hard - Date.now()), true, { signal: waiting.signal });
    const isLate = await Promise.race([attempts.then(() => false), tooLate]).finally(() => waiting.abort());
    tooLate.catch(() => {});
    if (isLate) throw new Error(`An attempt in the work queue ${name} of ${account} did not end in time.`);
  }

  /** Stores when the next item is due, and releases the lease. Returns false if the state changed in the meantime. */
  async #release(page: WorkQueuePage): Promise<boolean> {
    if (this.#errors.length > 0) throw this.#errors[0];
    const now = this.clock();
    const open = this.#dueIn(page);
    const { wanted, ...state } = page.state;
    // If this run may start more attempts, it reads the new pointers. Otherwise, the next run reads them.
    if (wanted && this.#mayStart()) {
      // The missing item of a skipped pointer may have been written in the meantime.
      this.#skipped.clear();
      await writeWorkQueueState(this.workQueue, state, page);
      return false;
    }
    const next = open.length > 0 ? now : page.pointers.find(({ due }) => due > now.toISOString())?.due;
    // The delay after `not now` is not a pause: a new work item triggers the work queue immediately.
    const later = this.#prepared?.result === 'not now' ? new Date(now.getTime() + notNowDelay) : next;
    const due = wanted ? now : later;
    const pausedUntil = notBefore(this.#breaker);
    const end = {
      failures: this.#breaker.failures,
      ...(due !== undefined && { due: typeof due === 'string' ? due : due.toISOString() }),
      ...(pausedUntil && { pausedUntil }),
      asked: state.asked === true && (wanted === true || open.some(({ once }) => once)),
    };
    const { state: after, triggerIn } = release(state, end, now);
    if (!(await writeWorkQueueState(this.workQueue, after, page))) return false;
    if (triggerIn !== undefined) await sendTrigger(this.workQueue, triggerIn);
    return true;
  }
}

/** Reports whether a pointer is outdated: its work item is final or has another due time. */
const isStale = ({ due, once }: Pointer, workItem: WorkItem): boolean =>
  !once && (workItem.status !== 'waiting' || workItem.due !== due);

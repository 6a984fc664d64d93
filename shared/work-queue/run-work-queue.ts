import { setTimeout as sleep } from 'node:timers/promises';
import { busy } from '../errors.ts';
import { removeRevised } from '../table/revised-item.ts';
import { allowedInFlight, breakerAfter, type CircuitBreaker, notBefore } from './circuit-breaker.ts';
import { type Lease, onTrigger, release } from './queue-state.ts';
import { recordAttempt } from './record-attempt.ts';
import { sendTrigger } from './send-trigger.ts';
import { readPointers, readWorkItems, type StoredQueueState, writeQueueState } from './store.ts';
import type { AttemptResult, WorkHandler } from './work-handler.ts';
import type { Pointer, WorkItem } from './work-item.ts';
import type { Run, WorkQueue } from './work-queue.ts';

/** Attempts at once. */
const mostInFlight = 5;
/**
 * Milliseconds after which a run begins nothing more, so that others get their turn. With a step of long work that it began
 * last it ends within 20 s.
 */
const runTime = 18_000;
/** How long an attempt takes at most, in milliseconds, where its work says nothing else. */
const usualLongest = 15_000;
/** Milliseconds before the lease ends: by then attempts are told to end, and by then they have to be over. */
const abortMargin = 10_000;
const hardMargin = 5_000;
/** So many pointers are read at once. */
const pageSize = 20;
/** While attempts take their time, what was opened meanwhile is looked for this often, in milliseconds. */
const lookEvery = 5_000;
/** A pointer to nothing may be about to get its work item. Older than this, in milliseconds, whoever wrote it is long gone. */
const orphanAge = 15 * 60_000;
/** Milliseconds until a work item comes again whose attempt threw, and until work is asked again that may not be done now. */
const throwTime = 60_000;
const notNowTime = 15 * 60_000;

/** The first pointers of a work queue with its state, as they were read together. */
type QueuePage = StoredQueueState & { pointers: Pointer[] };
type WorkClock = () => Date;

/**
 * Works what is due of a work queue: what a trigger message does. Takes the lease, makes the attempts, at most five at once and the
 * oldest due first, and reads again until nothing is due or 18 s are over; then it says when the next is due and lets go.
 * Where somebody else holds the lease, that one reads again. Throws where the table fails, or an attempt does not end: the
 * trigger message then comes again, and the lease runs out.
 */
export async function runWorkQueue<C, P>(
  workQueue: WorkQueue,
  work: WorkHandler<C, P>,
  run: Run,
): Promise<void> {
  const began = Date.now();
  // The caller's clock need not be the machine's.
  const clock = () => new Date(run.now.getTime() + Date.now() - began);
  for (;;) {
    const page: QueuePage = await readPointers(workQueue, pageSize + 1);
    const next = onTrigger(page.state, clock());
    if (next === 'rest') return;
    if ('take' in next) {
      const { lease } = next.take;
      const taken = await writeQueueState(workQueue, next.take, page);
      if (taken) return new Worker(workQueue, work, lease, clock, run.deadline).work({ ...page, ...taken });
    } else if (await writeQueueState(workQueue, next.write.state, page)) {
      const { triggerIn } = next.write;
      if (triggerIn !== undefined) await sendTrigger(workQueue, triggerIn);
      return;
    }
    if (Date.now() >= run.deadline) throw busy();
  }
}

/** Whoever holds a lease, for one run. */
class Worker<C, P> {
  readonly #workQueue: WorkQueue;
  readonly #work: WorkHandler<C, P>;
  readonly #lease: Lease;
  readonly #clock: WorkClock;
  /** All of these in milliseconds since 1970: nothing begins, attempts are told to end, nothing is waited for, and nothing written. */
  readonly #times: { begin: number; abort: number; hard: number; lease: number };
  readonly #stopping = new AbortController();
  /** By the work item, so that none is attempted twice at once. */
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Pointers to what is not there so far, or is left alone while others are cancelled. */
  readonly #passedOver = new Set<string>();
  readonly #errors: unknown[] = [];
  #breaker: CircuitBreaker = { failures: 0 };
  #prepared: { result: Awaited<ReturnType<WorkHandler<C, P>['prepare']>> } | undefined;

  constructor(
    workQueue: WorkQueue,
    work: WorkHandler<C, P>,
    lease: Lease,
    clock: WorkClock,
    deadline: number,
  ) {
    [this.#workQueue, this.#work, this.#lease, this.#clock] = [workQueue, work, lease, clock];
    const now = Date.now();
    const leaseEnd = now + Date.parse(lease.until) - clock().getTime();
    const hard = Math.min(leaseEnd - hardMargin, deadline);
    const abort = Math.min(leaseEnd - abortMargin, deadline - hardMargin);
    const begin = Math.min(now + runTime, abort - (work.longest ?? usualLongest));
    this.#times = { begin, abort, hard, lease: leaseEnd };
  }

  /** Works until it lets go, or has lost the lease. `first` was read before the lease was taken. */
  async work(first: QueuePage): Promise<void> {
    const { failures, pausedUntil } = first.state;
    this.#breaker = { failures, ...(pausedUntil !== undefined && { pausedUntil: new Date(pausedUntil) }) };
    const timer = setTimeout(() => this.#stopping.abort(), Math.max(0, this.#times.abort - Date.now()));
    try {
      for (let page = first; ; page = await this.#read()) {
        if (page.state.lease?.number !== this.#lease.number) return await this.#over();
        await this.#prepare(page);
        const due = this.#dueIn(page).filter((pointer) => !this.#isHeldBack(pointer));
        if (due.length > 0 && this.#mayBegin()) await this.#begin(due);
        // Where the page was full, there is more to begin at once.
        if (this.#inFlight.size > 0 && !(due.length >= pageSize && this.#mayBegin())) await this.#look();
        else if (due.length > 0 && this.#mayBegin()) continue;
        else if (page !== first && this.#inFlight.size === 0 && (await this.#letGo(page))) return;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #read(): Promise<QueuePage> {
    return readPointers(this.#workQueue, pageSize + 1 + this.#inFlight.size + this.#passedOver.size);
  }

  async #prepare({ pointers }: QueuePage): Promise<void> {
    if (this.#prepared || pointers.length === 0) return;
    const run = { now: this.#clock(), deadline: this.#times.abort };
    this.#prepared = { result: await this.#work.prepare(this.#workQueue, run) };
  }

  /** Whether open work items are cancelled, all but those that the work spares. */
  get #cancels(): boolean {
    const prepared = this.#prepared?.result;
    if (prepared === undefined || prepared === 'nothing may be done') return false;
    return prepared === 'cancel all' || (this.#work.cancels?.(prepared as P) ?? false);
  }

  #isCancelled(workItem: WorkItem<C>, { once }: Pointer): boolean {
    const all = this.#prepared?.result === 'cancel all';
    return this.#cancels && (all || !this.#work.spares?.(workItem, { once: once ?? false }));
  }

  get #mustWait(): boolean {
    return this.#prepared?.result === 'nothing may be done';
  }

  /** What is due of a page and not under way, whether it may be begun or not. */
  #dueIn({ pointers }: QueuePage): Pointer[] {
    const now = this.#clock().toISOString();
    return pointers.filter(
      ({ id, key, due }) =>
        !this.#inFlight.has(id) && !this.#passedOver.has(key.sk) && (this.#cancels || due <= now),
    );
  }

  /** A pause holds everything but what somebody has asked for. */
  #isHeldBack({ once }: Pointer): boolean {
    const from = notBefore(this.#breaker);
    return !once && !this.#cancels && from !== undefined && from > this.#clock();
  }

  #mayBegin(): boolean {
    return this.#errors.length === 0 && Date.now() < this.#times.begin && !this.#mustWait;
  }

  /** Begins attempts, the oldest due first, as long as it may; and removes pointers to what is over. */
  async #begin(due: readonly Pointer[]): Promise<void> {
    const workItems = await readWorkItems<C>(this.#workQueue, due, this.#clock());
    for (const [n, pointer] of due.entries()) {
      const workItem = workItems[n];
      if (!workItem && Date.parse(pointer.openedAt) + orphanAge > this.#clock().getTime())
        this.#passedOver.add(pointer.key.sk);
      else if (!workItem || isStale(pointer, workItem)) await removeRevised(pointer.key, pointer.revision);
      else {
        while (this.#inFlight.size >= this.#slots())
          await this.#waitFor(Promise.race(this.#inFlight.values()));
        if (!this.#mayBegin()) return;
        if (this.#isHeldBack(pointer)) continue;
        // Another pointer to the same work item: it is read again, and with it what came of the first.
        if (this.#inFlight.has(workItem.id)) continue;
        // Only what is cancelled is taken before its time.
        if (pointer.due > this.#clock().toISOString() && !this.#isCancelled(workItem, pointer)) {
          this.#passedOver.add(pointer.key.sk);
          continue;
        }
        const attempt = this.#attempt(pointer, workItem)
          .catch((error: unknown) => void this.#errors.push(error))
          .finally(() => this.#inFlight.delete(workItem.id));
        this.#inFlight.set(workItem.id, attempt);
      }
    }
  }

  #slots(): number {
    return this.#cancels ? mostInFlight : allowedInFlight(this.#breaker, mostInFlight);
  }

  async #attempt(pointer: Pointer, workItem: WorkItem<C>): Promise<void> {
    const at = this.#clock();
    const result = await this.#attemptResult(pointer, workItem, at);
    const now = this.#clock();
    this.#breaker = breakerAfter(this.#breaker, result, now);
    // Whoever has the next lease attempts it again.
    if (Date.now() >= this.#times.lease) return;
    await recordAttempt(this.#workQueue, { pointer, workItem, result, at, now, deadline: this.#times.hard });
  }

  async #attemptResult(pointer: Pointer, workItem: WorkItem<C>, now: Date): Promise<AttemptResult<C>> {
    const prepared = this.#prepared?.result;
    if (this.#isCancelled(workItem, pointer)) return { status: 'cancelled' };
    const run = {
      now,
      deadline: this.#times.abort,
      signal: this.#stopping.signal,
      once: pointer.once ?? false,
    };
    try {
      return await this.#work.attempt(workItem, prepared as P, run);
    } catch (error) {
      const { account, name } = this.#workQueue;
      console.error(`An attempt of ${workItem.id} in the work queue ${name} of ${account} failed:`, error);
      return { again: new Date(this.#clock().getTime() + throwTime) };
    }
  }

  /** Waits until all attempts are over, or it is time to look for what was opened meanwhile. */
  async #look(): Promise<void> {
    const waiting = new AbortController();
    const later = sleep(lookEvery, undefined, { signal: waiting.signal }).catch(() => {});
    await this.#waitFor(Promise.race([this.#over(), later]));
    waiting.abort();
  }

  async #over(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  /** Throws where something is not over in time, though it was told to be. */
  async #waitFor(something: Promise<unknown>): Promise<void> {
    const waiting = new AbortController();
    const { account, name } = this.#workQueue;
    const tooLate = sleep(Math.max(0, this.#times.hard - Date.now()), true, { signal: waiting.signal });
    const isLate = await Promise.race([something.then(() => false), tooLate]).finally(() => waiting.abort());
    tooLate.catch(() => {});
    if (isLate) throw new Error(`An attempt in the work queue ${name} of ${account} is not over in time.`);
  }

  /** Says when the next is due and lets go. False: somebody called meanwhile, so that all is to be read again. */
  async #letGo(page: QueuePage): Promise<boolean> {
    if (this.#errors.length > 0) throw this.#errors[0];
    const now = this.#clock();
    const open = this.#dueIn(page);
    const { wanted, ...state } = page.state;
    // Nobody has to look again where the work queue stays due: the next one will.
    if (wanted && this.#mayBegin()) {
      // Whoever called may have written what a pointer pointed to in vain.
      this.#passedOver.clear();
      await writeQueueState(this.#workQueue, state, page);
      return false;
    }
    const next = open.length > 0 ? now : page.pointers.find(({ due }) => due > now.toISOString())?.due;
    // Whoever calls before that is heard at once: it is no pause.
    const later = this.#mustWait ? new Date(now.getTime() + notNowTime) : next;
    const due = wanted ? now : later;
    const pausedUntil = notBefore(this.#breaker);
    const left = {
      failures: this.#breaker.failures,
      ...(due !== undefined && { due: typeof due === 'string' ? due : due.toISOString() }),
      ...(pausedUntil && { pausedUntil }),
      asked: state.asked === true && (wanted === true || open.some(({ once }) => once)),
    };
    const { state: after, triggerIn } = release(state, left, now);
    if (!(await writeQueueState(this.#workQueue, after, page))) return false;
    if (triggerIn !== undefined) await sendTrigger(this.#workQueue, triggerIn);
    return true;
  }
}

/** Whether a work item does not wait for the instant that a pointer says. Its own pointer is another one then. */
const isStale = ({ due, once }: Pointer, workItem: WorkItem): boolean =>
  !once && (workItem.status !== 'waiting' || workItem.due !== due);

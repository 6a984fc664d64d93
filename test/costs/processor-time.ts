import type { Invocation } from '../harness/wire.ts';

/**
 * Measures the CPU time of functions: the CPU time that this process uses while at least one run is
 * computing. A run computes if it has begun, has not ended, and has no request in progress.
 */
export class ProcessorTime {
  #before = 0;
  #since = 0;
  #atWork = 0;
  /** The number of requests in progress of each run. */
  readonly #out = new Map<Invocation, number>();

  /** The total CPU time so far. */
  get milliseconds(): number {
    return this.#before + (this.#atWork > 0 ? ofProcess() - this.#since : 0);
  }

  /** Starts a run. Returns a function that ends the run. */
  begin(run: Invocation): () => void {
    this.#out.set(run, 0);
    this.#change(+1);
    return () => {
      if (this.#out.get(run) === 0) this.#change(-1);
      this.#out.delete(run);
    };
  }

  wait(run: Invocation): void {
    this.#count(run, +1);
  }

  goOn(run: Invocation): void {
    this.#count(run, -1);
  }

  /** Ignores requests whose run has ended. */
  #count(run: Invocation, more: 1 | -1): void {
    const out = this.#out.get(run);
    if (out === undefined) return;
    this.#out.set(run, out + more);
    if (out === 0) this.#change(-1);
    if (out + more === 0) this.#change(+1);
  }

  #change(more: 1 | -1): void {
    this.#before = this.milliseconds;
    this.#since = ofProcess();
    this.#atWork += more;
  }
}

/** The CPU time of this process in milliseconds, including system time. */
function ofProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

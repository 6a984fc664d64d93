import type { Invocation } from '../harness/wire.ts';

/**
 * The processor time of functions: what this process takes of it while some run has begun, has not ended and waits for no
 * request to AWS. What is at work side by side in one process counts once, and another process on the machine not at all.
 */
export class ProcessorTime {
  #before = 0;
  #since = 0;
  #atWork = 0;
  /** How many requests of each run are out. */
  readonly #out = new Map<Invocation, number>();

  /** So far. */
  get milliseconds(): number {
    return this.#before + (this.#atWork > 0 ? ofProcess() - this.#since : 0);
  }

  /** A run begins; what is returned says that it has ended. */
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

  /** A request that outlives its run is none of its time. */
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

/** Milliseconds of a processor that this process has had, of the system's too. */
function ofProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

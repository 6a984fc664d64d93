import { setTimeout as sleep } from 'node:timers/promises';

/** Delays the requests of one caller, so that the caller never exceeds its limit of requests per minute. */
interface RateLimitPause {
  /** Resolves when the next request may be sent. If the signal is aborted during the wait, throws its reason. */
  wait(signal?: AbortSignal): Promise<void>;
  /** Reads the rate-limit headers of a response. */
  note(headers: Headers): void;
}

/** Pauses until the next minute when at most `reserve` requests remain. `reserve` is the number of parallel requests. */
export function rateLimitPause(reserve: number): RateLimitPause {
  let pausedUntil = 0;
  return {
    async wait(signal) {
      if (pausedUntil > Date.now())
        await sleep(pausedUntil - Date.now(), undefined, { signal }).catch(() => signal?.throwIfAborted());
    },
    note(headers) {
      const remaining = headers.get('ratelimit-remaining');
      if (remaining !== null && Number(remaining) <= reserve)
        pausedUntil = Date.now() + Number(headers.get('ratelimit-reset') ?? 1) * 1000;
    },
  };
}

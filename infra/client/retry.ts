export interface RetryOptions {
  /** The maximum number of repetitions of a request. Default 4. */
  retries?: number;
  /** The longest wait in milliseconds. If `Retry-After` is longer, the request is not repeated. Default 60,000. */
  longestWait?: number;
  /** The time limit of one attempt, in milliseconds. Default 30,000. */
  timeout?: number;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request, init: { signal: AbortSignal }) => Promise<Response>;
}

/** In milliseconds. The n-th wait (from 0) is a random part of `firstWait` times 2^n, plus `Retry-After`. */
const firstWait = 250;
const longestBackOff = 8_000;

/**
 * Returns a `fetch` that repeats a request after 429 and 503, which mean that nothing was changed. If there
 * is no response, or a proxy responds with 502 or 504, the returned function repeats only requests that are
 * safe to repeat.
 */
export function fetchWithRetries({
  retries = 4,
  longestWait = 60_000,
  timeout = 30_000,
  fetch = (request, init) => globalThis.fetch(request, init),
}: RetryOptions): (request: Request) => Promise<Response> {
  const attempt = (request: Request) =>
    fetch(request.clone(), { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]) });
  return async (request) => {
    for (let repeated = 0; ; repeated += 1) {
      const backOff = Math.random() * Math.min(longestBackOff, firstWait * 2 ** repeated);
      const outcome = await attempt(request).catch((error: unknown) => ({ error }));
      const wait = waitAfter(outcome, request, { backOff, longestWait });
      if (wait === undefined || repeated >= retries) {
        if (outcome instanceof Response) return outcome;
        throw outcome.error;
      }
      if (outcome instanceof Response) await outcome.body?.cancel();
      await sleep(wait, request.signal);
    }
  };
}

/** The milliseconds until the next attempt. Returns undefined if the request must not be repeated. */
function waitAfter(
  outcome: Response | { error: unknown },
  request: Request,
  { backOff, longestWait }: { backOff: number; longestWait: number },
): number | undefined {
  if (!(outcome instanceof Response))
    return isSafeToRepeat(request) && !request.signal.aborted ? backOff : undefined;
  if (outcome.status === 429 || outcome.status === 503) {
    const requested = retryAfter(outcome.headers.get('retry-after')) ?? 0;
    return requested > longestWait ? undefined : requested + backOff;
  }
  return [502, 504].includes(outcome.status) && isSafeToRepeat(request) ? backOff : undefined;
}

/** Parses `Retry-After`, seconds or a date, and returns milliseconds. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/**
 * Reports whether a request can be repeated if the first attempt may have succeeded. If it has succeeded, a repeated
 * DELETE fails with 404, and a repeated request with `If-Match` fails with 412. Endpoints below `/auth/` ignore the
 * `Idempotency-Key`, so a repeated POST runs twice, which is harmless only for a sign-in.
 */
function isSafeToRepeat({ method, headers, url }: Request): boolean {
  const ignoresKey = method === 'POST' && /\/auth\/(?!login$)/.test(new URL(url).pathname);
  return method !== 'DELETE' && !headers.has('if-match') && !ignoresKey;
}

/** Rejects with the signal's reason if the signal is aborted. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

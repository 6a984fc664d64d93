import { failureOf } from '../log.ts';
import type { MiddyRequest, RequestContext } from './request-context.ts';

/**
 * Begins a write that the response does not depend on; it is over before the response is sent. What fails in it
 * fails no request: it leaves a line in the log, under the request's id.
 */
export function runInBackground(
  requestContext: RequestContext,
  task: string,
  write: () => Promise<unknown>,
): void {
  const failed = (error: unknown) => {
    const line = {
      level: 'error',
      requestId: requestContext.requestId,
      background: task,
      failure: failureOf(error),
    };
    requestContext.log(`${JSON.stringify(line)}\n`);
  };
  // Heard from the start: a rejection that nobody listens to yet ends the process.
  requestContext.backgroundWrites.push(write().catch(failed));
}

/** Waits for what runs beside the request: Lambda stops a function as soon as it has responded. */
export function awaitBackgroundWrites() {
  const settle = async ({ context }: MiddyRequest) => {
    await Promise.all(context.requestContext?.backgroundWrites ?? []);
  };
  return { after: settle, onError: settle };
}

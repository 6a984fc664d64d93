import { failureOf } from '../log.ts';
import type { MiddyRequest, RequestContext } from './request-context.ts';

/**
 * Starts a write that the response does not depend on. The write ends before the response is sent. If the write fails,
 * the request still succeeds, and the failure is logged with the request id.
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
  // Attaches the error handler immediately, because an unhandled rejection would end the process.
  requestContext.backgroundWrites.push(write().catch(failed));
}

/** Waits for the background writes, because Lambda freezes a function after the response. */
export function awaitBackgroundWrites() {
  const settle = async ({ context }: MiddyRequest) => {
    await Promise.all(context.requestContext?.backgroundWrites ?? []);
  };
  return { after: settle, onError: settle };
}

import { failureOf } from '../log.ts';
import type { MiddyRequest, Received } from './steps.ts';

/**
 * Starts a write that the response does not depend on. The write ends before the response is sent. If the write fails,
 * the request still succeeds, and the failure is logged with the request id.
 */
export function runInBackground(
  { requestId, log, backgroundWrites }: Received,
  task: string,
  write: () => Promise<unknown>,
): void {
  const failed = (error: unknown) =>
    log(`${JSON.stringify({ level: 'error', requestId, background: task, failure: failureOf(error) })}\n`);
  // Attaches the error handler immediately, because an unhandled rejection would end the process.
  backgroundWrites.push(write().catch(failed));
}

/** Waits for the background writes, because Lambda freezes a function after the response. */
export function awaitBackgroundWrites() {
  const settle = async ({ context }: MiddyRequest) => {
    await Promise.all(context.received?.backgroundWrites ?? []);
  };
  return { after: settle, onError: settle };
}

import { createHook } from 'node:async_hooks';
import { Agent, type ClientRequest } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import timers, { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import { heldConnections } from './receiver.ts';

/** After this number of event loop iterations without work, the process is assumed to wait for a timer. */
const quietTurns = 20;

/**
 * Runs `act` in virtual time. The clock does not advance while this process works or waits for a response.
 * When the process waits only for timers or for receivers of the tests, the clock advances to the next timer.
 * A measured duration contains only the time of these waits, and does not depend on the machine.
 */
export async function inVirtualTime<T>(act: () => Promise<T>): Promise<T> {
  const underWay = watchWork();
  const toFake = [
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'Date',
    'performance',
  ] as const;
  vi.useFakeTimers({ toFake: [...toFake] });
  const { setTimeout: realSleep } = timers;
  timers.setTimeout = sleep;
  syncBuiltinESMExports();
  try {
    let over = false;
    const acting = act().finally(() => {
      over = true;
    });
    acting.catch(() => {});
    while (!over) {
      for (let turns = 0; turns < quietTurns && !over; turns++) {
        if (underWay.any()) turns = 0;
        await setImmediate();
      }
      if (over) break;
      if (vi.getTimerCount() === 0) throw new Error('The process is idle, but no timer is pending.');
      vi.advanceTimersToNextTimer();
    }
    return await acting;
  } finally {
    vi.useRealTimers();
    timers.setTimeout = realSleep;
    syncBuiltinESMExports();
    underWay.stop();
  }
}

/** Replaces `setTimeout` of `node:timers/promises`, which Vitest does not fake. */
const sleep = <T>(delay?: number, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => resolve(value as T), delay);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });

/** The method with which an agent accepts a request. */
interface AddsRequests {
  addRequest(this: Agent, request: ClientRequest, ...more: unknown[]): void;
}

/** Tracks requests without a complete response, and work in other threads such as decryption. */
function watchWork(): { any(): boolean; stop(): void } {
  const requests = new Set<ClientRequest>();
  const jobs = new Set<number>();
  const agents: Agent & Partial<AddsRequests> = Agent.prototype;
  const { addRequest } = agents;
  agents.addRequest = function watched(request, ...more) {
    requests.add(request);
    request.once('close', () => requests.delete(request));
    addRequest?.call(this, request, ...more);
  };
  const hook = createHook({
    init(id, type) {
      if (/^FSREQ|^CIPHERREQUEST$/.test(type)) jobs.add(id);
    },
    after: (id) => void jobs.delete(id),
  }).enable();
  return {
    any() {
      if (jobs.size > 0) return true;
      const held = heldConnections();
      return [...requests].some(
        ({ socket }) => !socket || !held.has(`${socket.localPort} > ${socket.remotePort}`),
      );
    },
    stop() {
      hook.disable();
      agents.addRequest = addRequest;
    },
  };
}

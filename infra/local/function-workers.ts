import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import type { WorkerData, WorkerRequest, WorkerResponse } from './function-worker.ts';
import type { Invocation } from './invocation.ts';
import { defaultTimeout, type Invoke } from './lambda.ts';

interface FunctionWorkersOptions {
  /** The folder of a build for one process. It also contains the program of the worker threads. */
  folder: string;
  /** False if the table's engine accepts requests without a signature. Default true. */
  signsTableRequests?: boolean;
  /** Receives each finished call. */
  onInvocation?: (invocation: Invocation) => void;
  /** Receives each line that is logged outside an invocation. */
  onLine?: (line: string) => void;
}

export interface FunctionWorkers {
  /** Returns a function that calls an endpoint's Lambda function. */
  endpoint(functionName: string): Invoke;
  /** Returns a function that calls the relay, a consumer or a schedule. `timeout` is in milliseconds. */
  background(functionName: string, timeout?: number): Invoke;
  /** Ends all threads. Rejects the calls in progress. */
  stop(): Promise<void>;
}

/**
 * In milliseconds. A thread must end a call within this time after the call's timeout. Otherwise, it receives
 * a ping and must respond within the same time.
 */
const grace = 1_000;

/**
 * In milliseconds. A call that takes longer may block its thread, for example the sort of a large list. Until it ends,
 * further calls go to the other thread.
 */
const longCall = 50;

/**
 * The memory of a thread is that of a function in Lambda. With V8's larger defaults, the service would keep more memory that it
 * does not use: 100 MB of old objects, and 60 MB for young ones, also in the main thread.
 */
const resourceLimits = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 24 };

/**
 * Runs functions in worker threads, as Lambda runs them in separate instances. Endpoints have their own
 * threads, so that a burst of events does not delay requests. When a thread starts, it gets a copy of the environment
 * variables. If a thread ends, its end is logged, and the next call starts a new thread. A thread that is still blocked
 * after the timeout of a call is terminated.
 */
export function startFunctionWorkers({
  folder,
  signsTableRequests = true,
  onInvocation = () => {},
  onLine = (line) => process.stdout.write(`${line}\n`),
}: FunctionWorkersOptions): FunctionWorkers {
  const program = join(folder, 'function-worker', 'entry.mjs');
  const endpoints = Array.from({ length: 2 }, () =>
    functionWorker('the endpoints', program, { background: false, signsTableRequests }, onLine),
  );
  // The main thread and the engine need a core. With two cores, the second thread only gets calls while the first is busy
  // with a long call, because two threads would serve fewer requests per second than one.
  const sharesCalls = availableParallelism() > 2;
  const background = functionWorker(
    'the relay, the consumers and the schedules',
    program,
    { background: true, signsTableRequests },
    onLine,
  );

  const invoke =
    (functionName: string, timeout: number, worker: () => FunctionWorker): Invoke =>
    async (event, id = randomUUID()) => {
      const [startedAt, began] = [Date.now(), performance.now()];
      const response = await worker().call({ call: id, functionName, timeout, event }, timeout);
      const { result, error, recorded } = response;
      const milliseconds = performance.now() - began;
      onInvocation({
        id,
        functionName,
        startedAt,
        milliseconds,
        event,
        result,
        error: error?.message,
        ...recorded,
      });
      if (error) throw Object.assign(new Error(error.message), error.stack && { stack: error.stack });
      return result;
    };
  const nextEndpoint = () => {
    const free = endpoints.filter((worker) => !worker.hasLongCall());
    const [first] = free;
    return first && !sharesCalls ? first : leastBusy(free.length > 0 ? free : endpoints);
  };
  return {
    endpoint: (functionName) => invoke(functionName, defaultTimeout, nextEndpoint),
    background: (functionName, timeout = defaultTimeout) => invoke(functionName, timeout, () => background),
    stop: async () => {
      await Promise.all([...endpoints, background].map((worker) => worker.stop()));
    },
  };
}

const leastBusy = (workers: FunctionWorker[]): FunctionWorker =>
  workers.reduce((best, next) => (next.inProgress() < best.inProgress() ? next : best));

type CallRequest = Exclude<WorkerRequest, 'ping'>;
type CallResponse = Exclude<WorkerResponse, 'pong'>;

interface FunctionWorker {
  inProgress(): number;
  /** Reports whether a call in progress has taken longer than `longCall`. */
  hasLongCall(): boolean;
  /** Resolves with an error response if the thread ends. `timeout` is in milliseconds. */
  call(request: CallRequest, timeout: number): Promise<CallResponse>;
  stop(): Promise<void>;
}

function functionWorker(
  name: string,
  program: string,
  workerData: WorkerData,
  onLine: (line: string) => void,
): FunctionWorker {
  /** The calls in progress, in the order of their starts. */
  const pending = new Map<string, { startedAt: number; respond: (response: CallResponse) => void }>();
  let stopping = false;
  let worker: Worker | undefined = start();

  function start(): Worker {
    // The threads run bundles. They do not need the loader options of this process.
    const started = new Worker(program, {
      workerData,
      resourceLimits,
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    createInterface({ input: started.stdout }).on('line', onLine);
    createInterface({ input: started.stderr }).on('line', (line) => console.error(line));
    started.on('message', (message: WorkerResponse) => {
      if (message !== 'pong') pending.get(message.call)?.respond(message);
    });
    started.on('error', (error) => console.error(`The thread of ${name} failed:`, error));
    started.on('exit', (code) => {
      if (stopping) return;
      console.error(`The thread of ${name} ended with code ${code}. The next call starts a new thread.`);
      worker = undefined;
      failAll(`The thread of ${name} ended during the call.`);
    });
    return started;
  }

  function failAll(message: string): void {
    for (const [call, { respond }] of pending)
      respond({ call, error: { message }, recorded: { calls: [], requests: [], lines: [] } });
  }

  /** Ends the thread if it does not respond. */
  async function endIfBlocked(asked: Worker): Promise<void> {
    const responded = new Promise<boolean>((resolve) => {
      asked.once('message', () => resolve(true));
      setTimeout(() => resolve(false), grace).unref();
    });
    asked.postMessage('ping' satisfies WorkerRequest);
    if (!(await responded)) await asked.terminate();
  }

  return {
    inProgress: () => pending.size,
    hasLongCall() {
      const [oldest] = pending.values();
      return oldest !== undefined && performance.now() - oldest.startedAt > longCall;
    },
    call(request, timeout) {
      return new Promise((resolve) => {
        worker ??= start();
        // The thread itself rejects a call after the timeout, but a blocked thread cannot do this.
        const watchdog = setTimeout(endIfBlocked, timeout + grace, worker);
        const respond = (response: CallResponse) => {
          clearTimeout(watchdog);
          pending.delete(request.call);
          resolve(response);
        };
        pending.set(request.call, { startedAt: performance.now(), respond });
        worker.postMessage(request satisfies WorkerRequest);
      });
    },
    async stop() {
      stopping = true;
      await worker?.terminate();
      failAll('The service stops.');
    },
  };
}

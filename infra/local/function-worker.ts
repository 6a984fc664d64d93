import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../../shared/log.ts';
import { table } from '../../shared/table/client.ts';
import { type FunctionEntry, type Invoke, lambda } from './lambda.ts';
import { type Recorded, recordInvocation, startRecording } from './record-invocation.ts';

/**
 * The niceness of the background thread. On a busy machine, this thread gets a third of the CPU time of a
 * thread that handles requests. With a higher value, other programs could delay events for minutes.
 */
const backgroundPriority = 5;

/** The start data of a worker thread. */
export interface WorkerData {
  /** If true, requests have priority over the functions of this thread. */
  background: boolean;
  /** If false, requests to the table are not signed. A signature takes a third of the CPU time of a small request. */
  signsTableRequests: boolean;
}

type Signer = Awaited<ReturnType<typeof table.config.signer>>;

/** A request to a worker thread: calls a function, or checks with `ping` that the thread is not blocked. */
export type WorkerRequest = { call: string; functionName: string; timeout: number; event: unknown } | 'ping';

/** The answer of a worker thread. `result` is absent if the call failed. */
export type WorkerResponse =
  | { call: string; result?: unknown; error?: { message: string; stack?: string }; recorded: Recorded }
  | 'pong';

/** Adds the headers that the embedded engine requires, without a valid signature. */
const unsigned: Signer = {
  sign: async (request) => {
    request.headers['x-amz-date'] = '20260101T000000Z';
    request.headers.authorization =
      'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none';
    return request;
  },
};

/**
 * Runs functions in a worker thread, like an instance of Lambda. This module is bundled with the functions,
 * so that both use the same DynamoDB client and this module can record its calls. `load` imports the
 * `entry.mjs` of a function.
 */
export function serveFunctions(load: (functionName: string) => Promise<FunctionEntry>): void {
  // On Linux, `setPriority` changes only the calling thread. On other systems, it would change the complete process.
  const { background, signsTableRequests } = workerData as WorkerData;
  if (background && process.platform === 'linux') setPriority(backgroundPriority);
  if (!signsTableRequests) table.config.signer = async () => unsigned;
  if (!parentPort) throw new Error('This module runs only in a worker thread.');
  const port = parentPort;
  startRecording();
  const functions = new Map<string, Invoke>();
  const respond = (response: WorkerResponse) => port.postMessage(response);
  port.on('message', async (request: WorkerRequest) => {
    if (request === 'ping') {
      respond('pong');
      return;
    }
    const { call, functionName, timeout, event } = request;
    const invoke = functions.get(functionName) ?? lambda(functionName, () => load(functionName), timeout);
    functions.set(functionName, invoke);
    const recorded: Recorded = { calls: [], requests: [], lines: [] };
    try {
      respond({ call, result: await recordInvocation(recorded, () => invoke(event, call)), recorded });
    } catch (error) {
      respond({ call, error: failureOf(error), recorded });
    }
  });
}

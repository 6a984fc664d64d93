import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { table } from '../../shared/table/client.ts';
import type { Invocation, OutgoingRequest } from './invocation.ts';
import { recordTableCalls } from './record-table-calls.ts';

/** The parts of an invocation that are recorded in the worker thread that runs the function. */
export type Recorded = { -readonly [K in 'calls' | 'requests' | 'lines']: Invocation[K][number][] };

interface Recording extends Recorded {
  /** From `performance.now()`. */
  startedAt: number;
  ended: boolean;
}

const recordings = new AsyncLocalStorage<Recording>();

/** Runs `invoke`. Until it ends, adds its calls to DynamoDB, its HTTP requests and its log lines to `recorded`. */
export async function recordInvocation<R>(recorded: Recorded, invoke: () => Promise<R>): Promise<R> {
  const recording = { ...recorded, startedAt: performance.now(), ended: false };
  return recordings.run(recording, invoke).finally(() => {
    recording.ended = true;
  });
}

function current(): Recording | undefined {
  const recording = recordings.getStore();
  return recording?.ended ? undefined : recording;
}

/** Starts to record the invocations in this thread. */
export function startRecording(): void {
  recordTableCalls(table, current);
  recordRequests();
  recordLines();
}

/** The hosts of the local AWS services. Only requests to other hosts, such as webhook deliveries, are recorded. */
const engines = new Set(
  Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('AWS_ENDPOINT_URL') && value && URL.canParse(value) ? [new URL(value).host] : [],
  ),
);

function recordRequests(): void {
  subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: ClientRequest };
    const recording = current();
    const host = String(request.getHeader('host'));
    const messageId = request.getHeader('webhook-id');
    if (!recording || engines.has(host)) return;
    const startedAt = performance.now();
    const outgoing: { -readonly [K in keyof OutgoingRequest]: OutgoingRequest[K] } = {
      method: request.method,
      url: `${request.protocol}//${host}${request.path}`,
      ...(messageId !== undefined && { messageId: String(messageId) }),
      milliseconds: 0,
    };
    recording.requests.push(outgoing);
    const end = (response?: IncomingMessage) => {
      outgoing.milliseconds = performance.now() - startedAt;
      outgoing.status = response?.statusCode;
    };
    request.once('response', end).once('error', () => end());
  });
}

/** Adds each line that an invocation logs to the recording of the invocation. Writes other lines immediately. */
function recordLines(): void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = ((text: unknown, ...rest: never[]) => {
    const recording = current();
    if (!recording || typeof text !== 'string') return write(text as string, ...rest);
    recording.lines.push(text.replace(/\n$/, ''));
    return true;
  }) as typeof write;
}
